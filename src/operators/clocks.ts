import { counted } from '../platform/text.ts'
import { mostApartMs, type ProcessClock, type Store } from '../store/store.ts'
import type { Incidents } from './incidents.ts'

/** Opens an incident while a process has a clock that is set wrong; to be called each minute by one process. */
export async function checkClocks({
  store,
  incidents,
}: {
  store: Pick<Store, 'clocks'>
  incidents: Pick<Incidents, 'opens' | 'resolves'>
}): Promise<void> {
  const clocks = (await store.clocks?.()) ?? []
  const wrong = clocks.filter(({ aheadMs }) => Math.abs(aheadMs) > mostApartMs)
  if (wrong.length === 0) return incidents.resolves('clocks', 'The clocks of all processes are right again')
  incidents.opens('clocks', {
    title: 'A clock is set wrong',
    text: `${wrong.map(inWords).join('; ')}. Notifications are due by the database’s clock, but quiet hours and waits go by the machine’s. Set all clocks by NTP.`,
  })
}

function inWords({ host, aheadMs }: ProcessClock): string {
  const far = counted(Math.round(Math.abs(aheadMs) / 1_000), 'second')
  return `${host}: the clock is ${far} ${aheadMs > 0 ? 'ahead of' : 'behind'} the database’s`
}
