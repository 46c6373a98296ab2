import type { AlertEvent, Entry } from '../event/event.ts'
import type { NotSent, Outcome } from '../event/outcome.ts'
import type { Store } from '../store/store.ts'
import type { RecentChanges } from './recent.ts'

type Outcomes = Record<string, Outcome>

export interface Accepted {
  verdict: 'new' | 'duplicate'
  /** As it was stored: with the id of the event that told of the same change before. */
  entry: Entry
  outcomes: Outcomes
}

export interface AcceptParts {
  store: Pick<Store, 'accept' | 'find'>
  recent: RecentChanges
}

/**
 * One event, once, and one change, once: claims its id and stores it with the notifications that it owes in one commit.
 * When this resolves, it is on disk. Rejects with `StoreUnavailable` when it is not; the sender will try again.
 */
export async function accept(
  entry: Entry,
  route: (entry: Entry) => Outcomes,
  { store, recent }: AcceptParts,
): Promise<Accepted> {
  if (entry.kind === 'notice') return commit(store, entry, route(entry))
  return recent.take(entry, async (sameAs) => {
    if (sameAs === null) return commit(store, entry, route(entry))
    const event: AlertEvent = { ...entry, sameAs }
    const told = (await store.find(sameAs))?.outcomes ?? {}
    return commit(store, event, withoutRepeats(route(event), told, sameAs))
  })
}

async function commit(store: Pick<Store, 'accept'>, entry: Entry, outcomes: Outcomes): Promise<Accepted> {
  const [verdict] = await store.accept([{ entry, outcomes }])
  if (verdict === undefined) throw new Error('the store gave no answer for an event')
  if (verdict === 'changed') return { verdict: 'duplicate', entry, outcomes }
  return { verdict, entry, outcomes }
}

/**
 * A channel that has the first event, or will have it, is not told of the second. One whose filters the first did not
 * pass (4.8 points where it asks for 5), or on which it failed for good, is told where the second passes.
 */
function withoutRepeats(outcomes: Outcomes, told: Outcomes, first: string): Outcomes {
  const repeat: NotSent = { state: 'not_sent', rule: 'same-change', why: `told already as ${first}` }
  return Object.fromEntries(
    Object.entries(outcomes).map(([channel, outcome]) => {
      const before = Object.hasOwn(told, channel) ? told[channel] : undefined
      const isTold = before?.state === 'sent' || before?.state === 'waiting'
      return [channel, isTold ? repeat : outcome]
    }),
  )
}
