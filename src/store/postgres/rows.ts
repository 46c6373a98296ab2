import { dayMs } from '../../durations.ts'
import { type AlertEvent, type Entry, isFinding } from '../../event/event.ts'
import type { Outcome } from '../../event/outcome.ts'
import { AnyEntry } from '../entry-format.ts'
import { StoredOutcome } from '../outcome-format.ts'
import { contentOfEntry, detectedMs } from '../said.ts'
import { type Decided, heldUntil } from '../store.ts'
import { keyOf } from './keys.ts'

export function entryFrom(text: string): Entry {
  return AnyEntry.parse(JSON.parse(text))
}

export function outcomeFrom(text: string): Outcome {
  return StoredOutcome.parse(JSON.parse(text))
}

/** The columns of an entry that are made of it, in the order of `insertEntries`. */
export function entryColumns({ entry }: Decided): unknown[] {
  const key = (text: string | null | undefined) => (text === null || text === undefined ? null : keyOf(text))
  const alert = entry.kind === 'alert' ? entry : undefined
  return [
    keyOf(entry.id),
    detectedMs(entry),
    contentOfEntry(entry) ?? null,
    key(alert?.model),
    wayOf(entry),
    key(alert?.sameAs),
    key(alert?.revises),
    key(alert?.confirms),
    key(entry.kind === 'act' ? entry.about : undefined),
    leadersOf(alert),
    JSON.stringify(entry),
  ]
}

/** As JSON: of arrays of arrays a statement would make one. */
function leadersOf(alert: AlertEvent | undefined): string | null {
  const leaders = new Set(Object.values(alert?.story ?? {}).map(keyOf))
  return leaders.size === 0 ? null : JSON.stringify([...leaders])
}

/** How it came, where others are compared with it. */
function wayOf(entry: Entry): 'service' | 'figures' | 'act' | 'digest' | null {
  if (entry.kind === 'act' || entry.kind === 'digest') return entry.kind
  if (entry.kind !== 'alert') return null
  return isFinding(entry) ? 'figures' : 'service'
}

/** Nothing is put off for so long: a clock was ahead then, or is behind now. */
const longestWaitMs = 2 * dayMs

/**
 * When an outcome is due or its hold ends, milliseconds since the epoch. A time that cannot be read, or that is years away, is
 * due at once: late is better than never.
 */
export function dueOf(outcome: Outcome, now: number): number | null {
  if (outcome.state === 'held') return heldUntil(outcome)
  if (outcome.state !== 'waiting') return null
  const at = Date.parse(outcome.dueAt)
  if (Number.isNaN(at)) return 0
  return at > now + longestWaitMs ? now : at
}

/** Columns from rows: a statement takes an array for each column. */
export function columnsOf(rows: readonly (readonly unknown[])[], width: number): unknown[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]))
}
