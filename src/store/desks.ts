import { type Desk, deskOf, isOfDesk } from '../event/desk.ts'
import type { AlertEvent } from '../event/event.ts'
import type { Store } from './store.ts'

type AlertOfChange = Pick<AlertEvent, 'id' | 'sameAs'>

/** So many are asked for together. */
const atOnce = 1_000

/** What the desk does about these alerts: about the first alert of a change, and so about all of it. */
export async function readDesks(
  alerts: readonly AlertOfChange[],
  { actsAbout }: Pick<Store, 'actsAbout'>,
): Promise<(alert: AlertOfChange) => Desk> {
  const desks = new Map<string, Desk>()
  const ids = [...new Set(alerts.map(({ id, sameAs }) => sameAs ?? id))]
  for (let from = 0; from < ids.length; from += atOnce) {
    const acts = (await actsAbout(ids.slice(from, from + atOnce))).filter(isOfDesk)
    for (const [id, about] of Map.groupBy(acts, (act) => act.about ?? '')) desks.set(id, deskOf(about))
  }
  return ({ id, sameAs }) => desks.get(sameAs ?? id) ?? { state: 'new' }
}
