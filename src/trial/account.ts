import type { AlertEvent } from '../event/event.ts'
import type { Outcome, RoutingRule } from '../event/outcome.ts'
import { headline } from '../message/render/headline.ts'
import { statedSize } from '../message/render/levels.ts'
import type { TrialOutcomes } from './run.ts'

/** One alert on one channel. */
export interface TrialCase {
  id: string
  /** When the alert came in; ISO 8601, UTC. */
  receivedAt: string
  headline: string
  /** Percentage points, signed; null if it could not be read. */
  delta: number | null
  became: CaseOutcome
  /** The filter or rule that spoke against it. */
  rule?: RoutingRule
  /** When it was sent, and until when it is held; ISO 8601, UTC. */
  at?: string
  until?: string
  why?: string
  /** It was held first, and until when; ISO 8601, UTC. */
  heldUntil?: string
}

/** `merged`: in the message about another alert. */
type CaseOutcome = Outcome['state'] | 'digest'

/** What would have become of all alerts on one channel. */
export interface ChannelAccount {
  channel: string
  /** Everything that would have been sent there, and how often something that stood there would have been edited. */
  messages: number
  edits: number
  /** Newest first. */
  cases: TrialCase[]
}

/** Of alerts and messages from `from` on, in milliseconds since the epoch. Pure. */
export function accountOf(
  { rows, first, recorded }: TrialOutcomes,
  channels: readonly string[],
  from: number,
): ChannelAccount[] {
  const digests = new Set(rows.flatMap(({ entry }) => (entry.kind === 'digest' ? [entry.id] : [])))
  const alerts = rows.flatMap(({ entry, outcomes }) =>
    entry.kind === 'alert' && Date.parse(entry.receivedAt) >= from
      ? [{ said: saidOf(entry), outcomes: new Map(Object.entries(outcomes)) }]
      : [],
  )
  const newestFirst = alerts.toSorted((one, other) => isoOrder(other.said.receivedAt, one.said.receivedAt))
  return channels.map((channel) => {
    const recordings = recorded.filter((one) => one.channel === channel && one.at >= from)
    return {
      channel,
      messages: recordings.filter(({ isEdit }) => !isEdit).length,
      edits: recordings.filter(({ isEdit }) => isEdit).length,
      cases: newestFirst.flatMap(({ said, outcomes }) => {
        const outcome = outcomes.get(channel)
        if (outcome === undefined) return []
        const held = heldFirst(first.get(said.id)?.[channel])
        return [{ ...said, ...becameOf(outcome, digests), ...(outcome.state !== 'held' && held) }]
      }),
    }
  })
}

function saidOf(event: AlertEvent): Pick<TrialCase, 'id' | 'receivedAt' | 'headline' | 'delta'> {
  const { id, receivedAt, delta } = event
  return { id, receivedAt, headline: headline(event, { size: statedSize(event) }), delta }
}

function becameOf(
  outcome: Outcome,
  digests: ReadonlySet<string>,
): Pick<TrialCase, 'became' | 'rule' | 'at' | 'until' | 'why'> {
  const isInDigest = outcome.state === 'merged' && digests.has(outcome.in)
  return {
    became: isInDigest ? 'digest' : outcome.state,
    ...('rule' in outcome && { rule: outcome.rule }),
    ...('at' in outcome && { at: outcome.at }),
    ...('until' in outcome && { until: outcome.until }),
    ...('why' in outcome && { why: outcome.why }),
  }
}

function heldFirst(outcome: Outcome | undefined): Pick<TrialCase, 'heldUntil'> {
  return outcome?.state === 'held' ? { heldUntil: outcome.until } : {}
}

function isoOrder(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Whether readers of the channel see it: in a message of its own or in another's, by now or in a while. */
function isShown({ became }: TrialCase): boolean {
  return became !== 'not_sent' && became !== 'failed'
}

/** What one configuration changes on a channel beside another. */
export interface TrialDifference {
  /** Shown there by the new one alone, and by the old one alone; newest first, as the new one has them. */
  added: TrialCase[]
  dropped: TrialCase[]
}

/** A channel that one of the two does not have shows nothing there. Pure. */
export function differenceOf(
  account: ChannelAccount | undefined,
  against: ChannelAccount | undefined,
): TrialDifference {
  const before = new Set((against?.cases ?? []).filter(isShown).map(({ id }) => id))
  const now = new Set((account?.cases ?? []).filter(isShown).map(({ id }) => id))
  const added = (account?.cases ?? []).filter(({ id }) => now.has(id) && !before.has(id))
  const old = (against?.cases ?? []).filter(({ id }) => before.has(id) && !now.has(id))
  const cases = new Map(account?.cases.map((one) => [one.id, one]))
  return { added, dropped: old.map((one) => cases.get(one.id) ?? withoutChannel(one)) }
}

function withoutChannel({ id, receivedAt, headline, delta }: TrialCase): TrialCase {
  return { id, receivedAt, headline, delta, became: 'not_sent', rule: 'channel-removed' }
}

/** Alerts that became the same on a channel: sent, or not sent by one rule. */
export interface CaseGroup extends Pick<TrialCase, 'became' | 'rule'> {
  count: number
  /** How many of them were held first. */
  held: number
  /** The newest few. */
  examples: TrialCase[]
}

export interface TrialSummary {
  messages: number
  edits: number
  /** What was shown first, then by how many. */
  groups: CaseGroup[]
}

const examples = 3
const order: TrialCase['became'][] = ['sent', 'digest', 'merged', 'held', 'waiting', 'failed', 'not_sent']

/** An account in numbers, with examples. Pure. */
export function summaryOf({ messages, edits, cases }: ChannelAccount): TrialSummary {
  const byEnd = Map.groupBy(cases, ({ became, rule = '' }) => `${became} ${rule}`)
  const groups = [...byEnd.values()].flatMap((all): CaseGroup[] => {
    const [first] = all
    if (first === undefined) return []
    const { became, rule } = first
    return [
      {
        became,
        ...(rule !== undefined && { rule }),
        count: all.length,
        held: all.filter(({ heldUntil }) => heldUntil !== undefined).length,
        examples: all.slice(0, examples),
      },
    ]
  })
  return { messages, edits, groups: groups.toSorted(inOrder) }
}

function inOrder(one: CaseGroup, other: CaseGroup): number {
  const places = order.indexOf(one.became) - order.indexOf(other.became)
  return places || other.count - one.count || (one.rule ?? '').localeCompare(other.rule ?? '')
}
