import type { AlertEvent, Entry } from '../event/event.ts'
import type { NotSent, Outcome } from '../event/outcome.ts'
import type { Store, Verdict } from '../store/store.ts'
import { said } from './correlate.ts'
import { type OtherContent, otherContent } from './other-content.ts'
import type { RecentChanges } from './recent.ts'
import { withdrawal } from './withdrawal.ts'

type Outcomes = Record<string, Outcome>

/** `corrects`: the event that is corrected, and the channels that have it or will have it. */
export type Route = (entry: Entry, corrects?: { id: string; channels: readonly string[] }) => Outcomes

export interface Accepted {
  verdict: 'new' | 'duplicate'
  /** As it was stored: with what it is to the events before it, and where its id was used before, under another. */
  entry: Entry
  outcomes: Outcomes
  /** The service uses this id for different things. Said once for each id, when it is first seen. */
  reused?: { id: string; contents: number }
}

type Committed = Omit<Accepted, 'verdict'> & { verdict: Verdict }

export interface AcceptParts {
  store: Pick<Store, 'accept' | 'find'>
  recent: RecentChanges
  /** Whether the channel's messages can be changed after they were sent. */
  canEdit: (channel: string) => boolean
}

/**
 * One event, once, and one change, once: claims its id and stores it with the notifications that it owes in one commit.
 * Other content under a known id is an entry of its own. When this resolves, it is on disk. Rejects with
 * `StoreUnavailable` when it is not; the sender will try again.
 */
export async function accept(entry: Entry, route: Route, parts: AcceptParts): Promise<Accepted> {
  if (entry.kind === 'alert' && entry.revises !== undefined) {
    return acceptWithdrawal(entry, entry.revises, route, parts)
  }
  const { verdict, ...accepted } =
    entry.kind === 'notice'
      ? await commit(parts.store, entry, route(entry))
      : await acceptChange(entry, route, parts)
  if (verdict !== 'changed') return { verdict, ...accepted }
  return entry.kind === 'notice' ? { verdict: 'duplicate', ...accepted } : acceptOther(entry, route, parts)
}

async function acceptChange(event: AlertEvent, route: Route, parts: AcceptParts): Promise<Committed> {
  const { store, recent } = parts
  return recent.take(event, async ({ sameAs, before }) => {
    if (sameAs === null) {
      const further = before === undefined ? event : { ...event, before: said(before) }
      return commit(store, further, route(further))
    }
    const second: AlertEvent = { ...event, sameAs }
    const told = (await store.find(sameAs))?.outcomes ?? {}
    return commit(store, second, withoutRepeats(route(second), { told, sameAs, canEdit: parts.canEdit }))
  })
}

/** Polling takes back what it found. It goes to who had that, and to nobody else. */
async function acceptWithdrawal(
  event: AlertEvent,
  id: string,
  route: Route,
  parts: AcceptParts,
): Promise<Accepted> {
  const found = await withdrawal(event, id, parts)
  if (found === undefined) return { verdict: 'duplicate', entry: event, outcomes: {} }
  const { event: said, withdraws } = found
  const outcomes = Object.entries(route(said, withdraws)).map(([channel, outcome]) =>
    withdraws.channels.includes(channel)
      ? [channel, outcome]
      : [channel, not('nothing-new', `it withdraws ${id}, which was not sent here`)],
  )
  const { verdict, ...accepted } = await parts.recent.withdraw(said, id, () =>
    commit(parts.store, said, Object.fromEntries(outcomes)),
  )
  return { ...accepted, verdict: verdict === 'new' ? 'new' : 'duplicate' }
}

/** Its id is known with another content. */
async function acceptOther(event: AlertEvent, route: Route, parts: AcceptParts): Promise<Accepted> {
  const accepted = await otherContent(event, parts.store, (other) => commitOther(other, route, parts))
  return accepted ?? { verdict: 'duplicate', entry: event, outcomes: {} }
}

async function commitOther(other: OtherContent, route: Route, parts: AcceptParts): Promise<Committed> {
  const { store, recent } = parts
  const { event } = other
  switch (other.is) {
    case 'nothing-new':
      return commit(store, event, nothingNew(route(event), other.as))
    case 'correction':
      return recent.revise(event, other.corrects.id, () => commit(store, event, route(event, other.corrects)))
    case 'another':
      return acceptChange(event, route, parts)
  }
}

async function commit(store: Pick<Store, 'accept'>, entry: Entry, outcomes: Outcomes): Promise<Committed> {
  const [verdict] = await store.accept([{ entry, outcomes }])
  if (verdict === undefined) throw new Error('the store gave no answer for an event')
  return { verdict, entry, outcomes }
}

interface Repeat {
  /** What became of the first. */
  told: Outcomes
  sameAs: string
  canEdit: AcceptParts['canEdit']
}

/**
 * A channel that has the first event, or will have it, is not told of the second. One whose filters the first did not
 * pass (4.8 points where it asks for 5), or on which it failed for good, is told where the second passes.
 */
function withoutRepeats(outcomes: Outcomes, { told, sameAs, canEdit }: Repeat): Outcomes {
  return Object.fromEntries(
    Object.entries(outcomes).map(([channel, outcome]) => {
      const before = Object.hasOwn(told, channel) ? told[channel] : undefined
      const isTold = before?.state === 'sent' || before?.state === 'waiting'
      if (!isTold) return [channel, outcome]
      const unsaid =
        before.state === 'waiting' || canEdit(channel)
          ? ''
          : '; a message here cannot be changed, and a confirmation alone is not sent'
      return [channel, not('same-change', `told already as ${sameAs}${unsaid}`)]
    }),
  )
}

function nothingNew(outcomes: Outcomes, as: string): Outcomes {
  const why = `what readers are shown of it is the same as in ${as}`
  return Object.fromEntries(Object.keys(outcomes).map((channel) => [channel, not('nothing-new', why)]))
}

function not(rule: NotSent['rule'], why: string): NotSent {
  return { state: 'not_sent', rule, why }
}
