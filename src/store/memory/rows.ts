import { dayMs } from '../../durations.ts'
import type { Outcome, Waiting } from '../../event/outcome.ts'
import { passesFilter } from '../list-filter.ts'
import { contentOfEntry, detectedMs } from '../said.ts'
import {
  type AlertCounts,
  type AlertsQuery,
  type Backlog,
  type Decided,
  type HeldNotification,
  heldUntil,
  type ListQuery,
  type NewEntry,
  type Pending,
  type StoredEntry,
  type Verdict,
} from '../store.ts'

/** One event in memory. */
export interface Row extends StoredEntry {
  /** When it was accepted; milliseconds since the epoch. */
  at: number
  /** When the service saw it; 0 where that is not known. */
  detectedMs: number
}

/** All events of a backing, by id, in order of arrival. */
export type Rows = Map<string, Row>

export function verdictOn(rows: Rows, { entry }: NewEntry): Verdict {
  const known = rows.get(entry.id)
  if (known === undefined) return 'new'
  const content = entry.kind === 'alert' ? entry.content : undefined
  return content === undefined || content === contentOfEntry(known.entry) ? 'duplicate' : 'changed'
}

export function addRow(rows: Rows, { entry, outcomes }: Decided, { seq, at }: { seq: number; at: number }) {
  const row: Row = { seq, at, detectedMs: detectedMs(entry), ...structuredClone({ entry, outcomes }) }
  rows.set(entry.id, row)
  return row
}

/** What an outcome is called where outcomes have names. */
export function placeOf(eventId: string, channel: string): string {
  return `${channel}\n${eventId}`
}

/** A channel may be called `constructor`. */
export function outcomeOf({ outcomes }: Pick<Row, 'outcomes'>, channel: string): Outcome | undefined {
  return Object.hasOwn(outcomes, channel) ? outcomes[channel] : undefined
}

/** The caller may change what it is given. */
export function toStored({ seq, entry, outcomes }: Row): StoredEntry {
  return structuredClone({ seq, entry, outcomes })
}

/** In the order of the rows. */
export function pendingOf(rows: readonly Row[], channel: string): Pending[] {
  return rows.flatMap((row) => {
    const outcome = outcomeOf(row, channel)
    if (outcome?.state !== 'waiting') return []
    const { begun: _, ...waiting } = outcome
    return [{ eventId: row.entry.id, channel, seq: row.seq, entry: row.entry, waiting: { ...waiting } }]
  })
}

export function newestRows(
  rows: Rows,
  { limit, before = Number.POSITIVE_INFINITY, withoutOutcomes, ...filter }: ListQuery,
): StoredEntry[] {
  const found: StoredEntry[] = []
  for (const row of [...rows.values()].reverse()) {
    if (found.length >= limit) break
    if (row.seq < before && passesFilter(row, filter))
      found.push(toStored(withoutOutcomes ? { ...row, outcomes: {} } : row))
  }
  return found
}

export function countsOf(rows: Rows, { channel, since }: AlertsQuery): AlertCounts {
  const states = [...rows.values()].flatMap((row) => {
    const { entry } = row
    if (entry.kind !== 'alert' || Date.parse(entry.receivedAt) < since) return []
    const state = outcomeOf(row, channel)?.state
    const isRepeat = entry.sameAs !== null || entry.confirms !== undefined
    return isRepeat && state !== 'sent' ? [] : [state]
  })
  return {
    received: states.length,
    sent: states.filter((state) => state === 'sent' || state === 'told').length,
  }
}

export function backlogOf(rows: Rows): Backlog[] {
  const channels = new Set([...rows.values()].flatMap(({ outcomes }) => Object.keys(outcomes)))
  return [...channels].flatMap((channel): Backlog[] => {
    const [oldest, ...rest] = pendingOf([...rows.values()], channel)
    if (oldest === undefined) return []
    return [{ channel, waiting: 1 + rest.length, oldest: oldest.entry.receivedAt }]
  })
}

/** Something of it is still to go out, now or later. */
export function isPending({ outcomes }: Row): boolean {
  return Object.values(outcomes).some(({ state }) => state === 'waiting' || state === 'held')
}

export function heldOf(rows: Iterable<Row>): HeldNotification[] {
  return [...rows].flatMap(({ entry, outcomes }) =>
    Object.entries(outcomes).flatMap(([channel, outcome]) =>
      outcome.state === 'held'
        ? [{ eventId: entry.id, channel, until: heldUntil(outcome), by: outcome.by }]
        : [],
    ),
  )
}

/** Nothing is put off for so long: our clock was ahead then, or is behind now. */
const longestWaitMs = 2 * dayMs

/** When it is due by its outcome. A time that cannot be read, or that is years away, is due at once. */
export function dueTime({ dueAt }: Waiting, now: number): number {
  const at = Date.parse(dueAt)
  if (Number.isNaN(at)) return 0
  return at > now + longestWaitMs ? now : at
}
