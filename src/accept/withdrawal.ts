import type { AlertEvent } from '../event/event.ts'
import type { Outcome } from '../event/outcome.ts'
import type { Store } from '../store/store.ts'
import { saidBy } from './correlate.ts'
import { isThere } from './other-content.ts'
import type { RecentChanges } from './recent.ts'

/** What a finding takes back, and the channels that have it or will have it. */
export interface Withdrawal {
  event: AlertEvent
  withdraws: { id: string; channels: readonly string[] }
}

/**
 * A finding that says that nothing changed, in place of the one that it `revises`. Undefined where there is nothing to take
 * back: that one was not stored, or the service reports the same change.
 */
export async function withdrawal(
  event: AlertEvent,
  id: string,
  { store, recent }: { store: Pick<Store, 'find'>; recent: Pick<RecentChanges, 'otherOf'> },
): Promise<Withdrawal | undefined> {
  const first = await store.find(id)
  if (first?.entry.kind !== 'alert' || first.entry.sameAs !== null) return undefined
  if (recent.otherOf(id) !== undefined) return undefined
  const channels = Object.entries(first.outcomes).flatMap(([channel, outcome]: [string, Outcome]) =>
    isThere(outcome) ? [channel] : [],
  )
  return { event: { ...event, before: saidBy(first.entry) }, withdraws: { id, channels } }
}
