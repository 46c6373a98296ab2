import { wholeOf } from '../../event/content.ts'
import { type AlertEvent, type Entry, isFinding, noFigures } from '../../event/event.ts'
import type { ShownByFigures } from '../../event/levels.ts'
import type { NotSent, Outcome } from '../../event/outcome.ts'
import type { RecentAlerts, RelatedAlert } from '../../store/near.ts'
import type { CommitVerdict, Decide, Decided, Store, StoredEntry } from '../../store/store.ts'
import { reportOf } from './correlate.ts'
import { type AffectedMessages, type OtherContent, otherContent, type ReusedId } from './other-content.ts'
import { relationOf, whereFound, withdrawal } from './relation.ts'
import { inStories, type StoryParts } from './stories.ts'

type OutcomesByChannel = Record<string, Outcome>

export type RouteEvent = (entry: Entry, corrects?: AffectedMessages) => OutcomesByChannel

export interface AcceptedEvent {
  verdict: 'new' | 'duplicate'
  /** As it was stored: with its relations, and with a new id if its own was taken. */
  entry: Entry
  outcomes: OutcomesByChannel
  /** The service uses this id for different things. Said once for each id, when it is first seen. */
  reused?: ReusedId
}

type CommittedEvent = Omit<AcceptedEvent, 'verdict'> & { verdict: CommitVerdict }

export interface AcceptParts extends Omit<StoryParts, 'now'> {
  store: Pick<Store, 'accept' | 'find'>
  /** Milliseconds since the epoch. */
  now: () => number
  /** Which channels get it later if nobody acknowledges it. Comes last, inside the commit. */
  withEscalations: (event: AlertEvent, outcomes: OutcomesByChannel) => OutcomesByChannel
}

/**
 * Stores each event once, and reports each change once. One commit claims its id, stores it with its pending notifications, and decides
 * its relations. Other content under a known id is an entry of its own. When this
 * resolves, it is on disk. Rejects with `StoreUnavailable` when it is not; the sender will try again.
 */
export async function accept(entry: Entry, route: RouteEvent, parts: AcceptParts): Promise<AcceptedEvent> {
  if (entry.kind === 'alert' && entry.revises !== undefined) {
    return acceptWithdrawal(entry, entry.revises, route, parts)
  }
  if (entry.kind === 'alert' && entry.confirms !== undefined) {
    return acceptConfirmation(entry, entry.confirms, route, parts)
  }
  const { verdict, ...accepted } = await commit(parts, entry, (near) =>
    entry.kind === 'alert' ? asChange(entry, near, route, parts) : { entry, outcomes: route(entry) },
  )
  if (verdict !== 'changed') return { verdict, ...accepted }
  return entry.kind === 'alert' ? acceptOther(entry, route, parts) : { verdict: 'duplicate', ...accepted }
}

/** If webhook or polling reported the change already, it is not sent again. */
function asChange(event: AlertEvent, near: RecentAlerts, route: RouteEvent, parts: AcceptParts): Decided {
  const { canEdit } = parts
  const stories = { ...parts, now: parts.now() }
  const delivered = deliveredAs(event, near)
  if (delivered !== undefined) {
    return { entry: { ...event, revises: delivered }, outcomes: nothingNew(route(event), delivered) }
  }
  const { first, before } = relationOf(event, near)
  if (first === undefined) {
    const further = before === undefined ? event : { ...event, before: reportOf(before) }
    const { event: entry, outcomes } = inStories(further, route(further), near, stories)
    return { entry, outcomes }
  }
  const sameAs = first.entry.id
  const second: AlertEvent = { ...event, sameAs }
  const placed = inStories(second, route(second), near, stories)
  const outcomes = withoutRepeats(placed.outcomes, { told: first.outcomes, sameAs, canEdit })
  return { entry: withStories(placed, outcomes), outcomes }
}

/** The delivery that a list shows under another id. Each is in the list once. Not the reverse: for each delivery, thousands would be read. */
function deliveredAs(event: AlertEvent, near: RecentAlerts): string | undefined {
  const whole = wholeOf(event)
  if (event.model === null || whole === undefined || event.source !== 'poll' || isFinding(event))
    return undefined
  const isListed = (id: string) =>
    near.about(id).some(({ entry }) => entry.source === 'poll' && entry.revises === id)
  const delivery = near
    .of(event.model, 'service')
    .find(({ entry }) => entry.source === 'webhook' && wholeOf(entry) === whole && !isListed(entry.id))
  return delivery?.entry.id
}

/** Keeps the stories whose outcome was not overruled. */
function withStories(
  { event, outcomes }: ReturnType<typeof inStories>,
  decided: OutcomesByChannel,
): AlertEvent {
  const { story = {}, ...alone } = event
  const kept = Object.entries(story).filter(([channel]) => decided[channel] === outcomes[channel])
  return kept.length === 0 ? alone : { ...alone, story: Object.fromEntries(kept) }
}

/** Polling withdraws what it found. The withdrawal goes to the channels that had it, and to nobody else. */
function acceptWithdrawal(event: AlertEvent, id: string, route: RouteEvent, parts: AcceptParts) {
  return acceptAbout(event, id, parts, (first, near) => {
    const decision = withdrawal(event, first, near)
    if (decision === undefined) return undefined
    const { event: entry, withdraws } = decision
    const outcomes = mapOutcomes(route(entry, withdraws), (channel, outcome) =>
      withdraws.channels.includes(channel)
        ? outcome
        : not('nothing-new', `it withdraws ${id}, which was not sent here`),
    )
    return { entry, outcomes }
  })
}

/** Polling confirms what it found. It is shown in messages that can be edited, and sent to nobody. */
function acceptConfirmation(event: AlertEvent, id: string, route: RouteEvent, parts: AcceptParts) {
  return acceptAbout(event, id, parts, (first, near) => {
    const finding = whereFound(first, near)
    if (finding === undefined) return undefined
    const outcomes = mapOutcomes(route(event), (channel) =>
      finding.channels.includes(channel) && parts.canEdit(channel)
        ? { state: 'merged', in: id }
        : not('nothing-new', `it confirms ${id}`),
    )
    return { entry: event, outcomes }
  })
}

/** About a finding that is stored under `id`. */
async function acceptAbout(
  event: AlertEvent,
  id: string,
  parts: AcceptParts,
  decide: (first: StoredEntry, near: RecentAlerts) => Decided | undefined,
): Promise<AcceptedEvent> {
  const first = await parts.store.find(id)
  if (first === undefined) return { verdict: 'duplicate', entry: event, outcomes: {} }
  const { verdict, ...accepted } = await commit(parts, event, (near) => decide(first, near))
  return { ...accepted, verdict: verdict === 'new' ? 'new' : 'duplicate' }
}

/** Its id is known with another content. */
async function acceptOther(event: AlertEvent, route: RouteEvent, parts: AcceptParts): Promise<AcceptedEvent> {
  const accepted = await otherContent(event, parts.store, (kept, otherAt) =>
    commit(parts, kept, (near) => asOther(otherAt(near), near, route, parts)),
  )
  return accepted ?? { verdict: 'duplicate', entry: event, outcomes: {} }
}

function asOther(other: OtherContent, near: RecentAlerts, route: RouteEvent, parts: AcceptParts): Decided {
  const { event } = other
  switch (other.is) {
    case 'nothing-new':
      return { entry: event, outcomes: nothingNew(route(event), other.as) }
    case 'correction':
      return { entry: event, outcomes: route(event, other.corrects) }
    case 'another':
      return asChange(event, near, route, parts)
  }
}

/** `decide` may run several times; its last result was stored. */
async function commit(
  { store, withEscalations }: Pick<AcceptParts, 'store' | 'withEscalations'>,
  entry: Entry,
  decide: Decide,
): Promise<CommittedEvent> {
  let decided: Decided = { entry, outcomes: {} }
  const [verdict] = await store.accept([
    {
      entry,
      decide(near) {
        const now = decide(near)
        if (now === undefined) return undefined
        const { entry: stored, outcomes } = now
        decided =
          stored.kind === 'alert' ? { entry: stored, outcomes: withEscalations(stored, outcomes) } : now
        return decided
      },
    },
  ])
  if (verdict === undefined) throw new Error('the store gave no answer for an event')
  return { verdict, ...decided }
}

interface RepeatedFinding {
  /** What has become of the first. */
  told: RelatedAlert['outcomes']
  sameAs: string
  canEdit: AcceptParts['canEdit']
}

/**
 * A channel that has the first event, or will have it, gets no message about the second. If it can edit, the first message
 * then reports both. A channel may not have the first event: its filters rejected it (4.8 points, minDelta 5), or it failed
 * for good. Such a channel gets the second if its filters accept it.
 */
function withoutRepeats(
  outcomes: OutcomesByChannel,
  { told, sameAs, canEdit }: RepeatedFinding,
): OutcomesByChannel {
  return mapOutcomes(outcomes, (channel, outcome) => {
    const before = Object.hasOwn(told, channel) ? told[channel] : undefined
    if (before?.state === 'merged') {
      return not('same-change', `reported already as ${sameAs}, in another message`)
    }
    const isSent = before?.state === 'sent' || before?.state === 'waiting' || before?.state === 'held'
    if (!isSent) return outcome
    // The first is shown in this one's message, when its own wait ends.
    if (before.state === 'held' && outcome.state === 'waiting') return outcome
    if (before.state !== 'sent' || canEdit(channel)) return { state: 'merged', in: sameAs }
    const why = `reported already as ${sameAs}; a message here cannot be changed, and a confirmation alone is not sent`
    return not('same-change', why)
  })
}

function nothingNew(outcomes: OutcomesByChannel, as: string): OutcomesByChannel {
  return mapOutcomes(outcomes, () => not('nothing-new', `it shows readers the same as ${as}`))
}

function mapOutcomes(
  outcomes: OutcomesByChannel,
  change: (channel: string, outcome: Outcome) => Outcome,
): OutcomesByChannel {
  return Object.fromEntries(
    Object.entries(outcomes).map(([channel, outcome]) => [channel, change(channel, outcome)]),
  )
}

function not(rule: NotSent['rule'], why: string): NotSent {
  return { state: 'not_sent', rule, why }
}

/** What the published figures show of a step; `unknown` if that cannot be asked now. Never rejects. */
export type CompareWithFigures = (
  step: Pick<AlertEvent, 'model' | 'category' | 'delta' | 'detectedAt'>,
) => ShownByFigures | Promise<ShownByFigures>

/** What the service reports, with what its own published figures say of it; undefined if they were not asked. */
export function withFigures(entry: Entry, shown: ShownByFigures | undefined): Entry {
  if (entry.kind !== 'alert' || shown === undefined || shown.state === 'unknown') return entry
  const levels = shown.state === 'visible' ? shown.levels : null
  return { ...entry, figures: { ...noFigures, state: shown.state, ...(levels !== null && { levels }) } }
}
