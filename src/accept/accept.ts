import type { Entry } from '../event/event.ts'
import type { Outcome } from '../event/outcome.ts'
import type { Store } from '../store/store.ts'

/**
 * One event, once: claims its id and stores it with the notifications that it owes in one commit. When this
 * resolves, it is on disk. Rejects with `StoreUnavailable` when it is not; the sender will try again.
 */
export async function accept(
  store: Pick<Store, 'accept'>,
  entry: Entry,
  outcomes: Record<string, Outcome>,
): Promise<'new' | 'duplicate'> {
  const [verdict] = await store.accept([{ entry, outcomes }])
  if (verdict === undefined) throw new Error('the store gave no answer for an event')
  return verdict
}
