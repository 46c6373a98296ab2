import type { MentionRule } from '../../channels/mentions.ts'
import type { CommonSettings, Stories } from '../../channels/settings.ts'
import type { StandingSilence } from '../../event/act.ts'
import type { AlertEvent, Entry, Notice } from '../../event/event.ts'
import type { NotSent, Outcome, Waiting } from '../../event/outcome.ts'
import { dayMs } from '../../platform/durations.ts'
import { refusal } from './filters.ts'
import { heldBy } from './holds.ts'
import { isStandIn, toldOf } from './recipients.ts'

/** What routing knows of a channel. */
export type RoutedChannel = CommonSettings & { mentions?: readonly MentionRule[] | undefined }

export interface RoutingTable {
  channels: readonly RoutedChannel[]
  /** Names of the channels that get notices about problems. */
  operators: readonly string[]
  /** An alert detected longer ago than this is stored and not sent; milliseconds. */
  retentionMs: number
}

/** What polling missed comes one by one: when the first is due, all are there, so that they can be announced together. */
const gatherMs = 10_000

/** What else is known of an entry when it is routed. */
export interface RoutingCircumstances {
  /** What is dated then or before may have been dropped from the store; milliseconds since the epoch. */
  horizonMs?: number | undefined
  /** The event that it corrects, the channels that have it or will have it, and those of them that have it already. */
  corrects?: { id: string; channels: readonly string[]; sent: readonly string[] } | undefined
  /** Those in force. */
  silences?: readonly StandingSilence[] | undefined
}

/**
 * Decides for every channel whether it gets an entry, and if not, by which rule. Pure: `now` is in milliseconds since the
 * epoch.
 */
export function route(
  entry: Entry,
  table: RoutingTable,
  now: number,
  circumstances: RoutingCircumstances = {},
): Record<string, Outcome> {
  const all = { ...circumstances, table, now }
  switch (entry.kind) {
    case 'act':
      return {}
    case 'digest':
      return { [entry.channel]: waitingOutcome(now) }
    case 'notice':
      return Object.fromEntries(table.channels.map((channel) => [channel.name, noticed(entry, channel, all)]))
    case 'alert':
      return Object.fromEntries(table.channels.map((channel) => [channel.name, alerted(entry, channel, all)]))
  }
}

/** What a channel asks for: which alerts become one message. Undefined if it asks for none. */
export function storiesOf({ channels }: RoutingTable): (channel: string) => Stories | undefined {
  const storiesByChannel = new Map(channels.map(({ name, stories }) => [name, stories]))
  return (channel) => {
    const stories = storiesByChannel.get(channel)
    return stories === 'off' ? undefined : stories
  }
}

interface RoutingContext extends RoutingCircumstances {
  table: RoutingTable
  now: number
}

function noticed(notice: Notice, channel: CommonSettings, { table, now }: RoutingContext): Outcome {
  const why = isStandIn(notice, channel.name, table.operators)
    ? 'not tried yet; no channel under operators can be reached'
    : undefined
  const pending = { ...waitingOutcome(now, why), ...(notice.uncertain === true && { uncertain: true }) }
  return notForReaders(notice, channel, table) ?? pending
}

function alerted(event: AlertEvent, channel: CommonSettings, known: RoutingContext): Outcome {
  const outcome = passed(event, channel, known)
  if (outcome.state !== 'waiting') return outcome
  const isHad = known.corrects?.sent.includes(channel.name) === true
  return heldBy(event, channel, { silences: known.silences, now: known.now, isHad }) ?? outcome
}

function passed(entry: AlertEvent, channel: CommonSettings, known: RoutingContext): Waiting | NotSent {
  const { now, corrects } = known
  // A channel that has a figure gets its correction, even if the filters would reject that.
  if (corrects?.channels.includes(channel.name)) {
    return waitingOutcome(
      now,
      `not tried yet; it corrects ${corrects.id}, which was sent here or is about to be`,
    )
  }
  const not = refusal(entry, channel) ?? stale(entry, known)
  if (not !== undefined) return not
  const why = corrects === undefined ? undefined : `not tried yet; it corrects ${corrects.id}`
  return waitingOutcome(entry.missedSince === undefined ? now : now + gatherMs, why)
}

/**
 * Deliveries carry no signed time, and the store drops ids after the retention. An event that is older than that, or as old
 * as what the store has dropped, may be a replay.
 */
function stale(
  { detectedAt }: AlertEvent,
  { table: { retentionMs }, now, horizonMs }: RoutingContext,
): NotSent | undefined {
  if (detectedAt === null) return undefined
  const at = Date.parse(detectedAt)
  const days = Math.round(retentionMs / dayMs)
  if (now - at > retentionMs) {
    return old(`detected ${detectedAt}, before the retention of ${days} days, so it may be a replay`)
  }
  if (horizonMs === undefined || at > horizonMs) return undefined
  const dropped = new Date(horizonMs).toISOString()
  return old(`detected ${detectedAt}; events up to ${dropped} were deleted, so it may be a replay`)
}

function old(why: string): NotSent {
  return { state: 'not_sent', rule: 'stale', why }
}

function notForReaders(notice: Notice, channel: CommonSettings, table: RoutingTable): NotSent | undefined {
  if ((notice.to ?? toldOf(notice, table.operators)).includes(channel.name)) return undefined
  const why = table.operators.includes(channel.name)
    ? 'the problem is with this channel; the other operators are notified'
    : 'not one of the channels under operators'
  const isReport = notice.status === true
  return {
    state: 'not_sent',
    rule: 'operators-only',
    why: isReport ? 'the status report of another channel' : why,
  }
}

function waitingOutcome(dueAt: number, why = 'not tried yet'): Waiting {
  return { state: 'waiting', dueAt: new Date(dueAt).toISOString(), why, attempts: 0 }
}
