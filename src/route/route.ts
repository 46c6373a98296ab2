import type { CommonSettings } from '../channels/settings.ts'
import type { AlertEvent, Entry, Notice } from '../event/event.ts'
import type { NotSent, Outcome, Waiting } from '../event/outcome.ts'
import { refusal } from './filters.ts'

export interface RoutingTable {
  channels: readonly CommonSettings[]
  /** Names of the channels that hear about trouble. */
  operators: readonly string[]
  /** An alert detected longer ago than this is stored and not sent; milliseconds. */
  retentionMs: number
}

/** What polling missed comes one by one: when the first is due, all are there, so that they can be announced together. */
const gatherMs = 10_000

/**
 * Decides for every channel whether it is told of an entry, and if not, by which rule. Pure: `now` is in
 * milliseconds since the epoch.
 */
export function route(entry: Entry, table: RoutingTable, now: number): Record<string, Outcome> {
  return Object.fromEntries(
    table.channels.map((channel) => [channel.name, decide(entry, channel, table, now)]),
  )
}

function decide(entry: Entry, channel: CommonSettings, table: RoutingTable, now: number): Outcome {
  const not =
    entry.kind === 'notice' ? notForReaders(entry, channel, table) : notWanted(entry, channel, table, now)
  if (not !== undefined) return not
  return owed(entry.kind === 'alert' && entry.missedSince !== undefined ? now + gatherMs : now)
}

function notWanted(
  event: AlertEvent,
  channel: CommonSettings,
  table: RoutingTable,
  now: number,
): NotSent | undefined {
  return stale(event, table.retentionMs, now) ?? refusal(event, channel)
}

/**
 * Deliveries carry no signed time, and ids are forgotten with the retention: what is older cannot be told
 * from a replay.
 */
function stale(event: AlertEvent, retentionMs: number, now: number): NotSent | undefined {
  if (event.detectedAt === null || now - Date.parse(event.detectedAt) <= retentionMs) return undefined
  const days = Math.round(retentionMs / 86_400_000)
  return {
    state: 'not_sent',
    rule: 'stale',
    why: `detected ${event.detectedAt}, longer ago than the ${days} days for which ids are remembered, so it cannot be told from a replay`,
  }
}

/** Trouble of a channel is told on the others; only where there is no other, on itself. */
function notForReaders(notice: Notice, channel: CommonSettings, table: RoutingTable): NotSent | undefined {
  const others = table.operators.filter((name) => name !== notice.channel)
  const told = others.length > 0 ? others : table.operators
  if (told.includes(channel.name)) return undefined
  const why = table.operators.includes(channel.name)
    ? 'the trouble is about this channel; the other operators are told'
    : 'not one of the channels under operators'
  return { state: 'not_sent', rule: 'operators-only', why }
}

function owed(dueAt: number): Waiting {
  return { state: 'waiting', dueAt: new Date(dueAt).toISOString(), why: 'not tried yet', attempts: 0 }
}
