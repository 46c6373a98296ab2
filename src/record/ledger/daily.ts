import type { Clock } from '../../platform/clock.ts'
import { dayMs } from '../../platform/durations.ts'
import { receivedSince } from '../../store/pages.ts'
import type { Store } from '../../store/store.ts'
import { type Account, accountFor, pollingKnown } from './account.ts'

interface DailyParts {
  clock: Clock
  store: Pick<Store, 'list' | 'readState'>
  windowMs: number
  onDay: (account: Account) => void
  onError: (error: unknown) => void
}

/** Accounts for each day in UTC when it is over, until the signal aborts. */
export async function keepLedger(parts: DailyParts, signal: AbortSignal): Promise<void> {
  const { clock } = parts
  while (!signal.aborted) {
    const now = clock.now()
    const midnight = (Math.floor(now / dayMs) + 1) * dayMs
    await clock.sleep(midnight - now, signal)
    if (!signal.aborted) await accountForDay(midnight - dayMs, parts).catch(parts.onError)
  }
}

async function accountForDay(start: number, { clock, store, windowMs, onDay }: DailyParts): Promise<void> {
  const day = new Date(start).toISOString().slice(0, 10)
  const rows = await receivedSince(store, ['alert', 'notice'], start)
  const entries = rows.map(({ entry }) => entry)
  const polling = pollingKnown(await store.readState('polling'))
  onDay(accountFor({ entries, from: day, to: day, now: clock.now(), windowMs, polling }))
}
