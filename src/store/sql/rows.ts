import { type Entry, isFinding } from '../../event/event.ts'
import type { Outcome } from '../../event/outcome.ts'
import { dayMs } from '../../platform/durations.ts'
import { heldUntil } from '../store.ts'
import { keyOf } from './keys.ts'

/** The columns of an entry that are made of it, with their types. */
export const entryColumns = {
  id: 'text',
  kind: 'text',
  way: 'text',
  type: 'text',
  model: 'text',
  category: 'text',
  delta: 'float8',
  detected: 'bigint',
  received: 'bigint',
  content: 'text',
  entry: 'text',
} as const

/** In the order of `entryColumns`. */
export function entryValues(entry: Entry): unknown[] {
  const alert = entry.kind === 'alert' ? entry : undefined
  return [
    keyOf(entry.id),
    entry.kind,
    alert === undefined ? null : isFinding(alert) ? 'figures' : 'service',
    lowerKey(alert?.type),
    keyOrNull(alert?.model),
    lowerKey(alert?.category),
    alert?.delta ?? null,
    detectedMs(entry),
    Date.parse(entry.receivedAt) || 0,
    alert?.content ?? null,
    JSON.stringify(entry),
  ]
}

export const relationColumns = { id: 'text', kind: 'text', named: 'text' } as const

/** In the order of `relationColumns`: what an entry says of others, each of one kind once. */
export function relationValues(entry: Entry): unknown[][] {
  const id = keyOf(entry.id)
  if (entry.kind === 'act') return entry.about === null ? [] : [[id, 'about', keyOf(entry.about)]]
  if (entry.kind !== 'alert') return []
  const { sameAs, revises, confirms, story = {} } = entry
  const named: [kind: string, id: string | null | undefined][] = [
    ['same', sameAs],
    ['revises', revises],
    ['confirms', confirms],
    ...[...new Set(Object.values(story))].map((leader): [string, string] => ['story', leader]),
  ]
  return named.flatMap(([kind, other = null]) => (other === null ? [] : [[id, kind, keyOf(other)]]))
}

/** Lists are asked for it, whatever its case. */
function lowerKey(text: string | null | undefined): string | null {
  return keyOrNull(text?.toLowerCase())
}

function keyOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : keyOf(text)
}

/** The columns of an outcome that are made of it, with their types. */
export const outcomeColumns = { state: 'text', due: 'bigint', ready: 'bigint', outcome: 'text' } as const

/** The time here, milliseconds since the epoch, and how far the store's own clock is ahead of it. */
export interface ClockReading {
  now: number
  aheadMs: number
}

/** In the order of `outcomeColumns`. What waits is due by the store's clock; a hold ends at a time of day. */
export function outcomeValues(outcome: Outcome, { now, aheadMs }: ClockReading): unknown[] {
  const dueHere = dueOf(outcome, now)
  const due = dueHere === null || outcome.state === 'held' ? dueHere : dueHere + aheadMs
  return [outcome.state, due, outcome.state === 'waiting' ? due : null, JSON.stringify(outcome)]
}

/** Nothing is put off for so long: a clock was ahead then, or is behind now. */
export const longestWaitMs = 2 * dayMs

/**
 * When an outcome is due or its hold ends, milliseconds since the epoch. A time that cannot be read, or that is years away, is
 * due at once: late is better than never.
 */
function dueOf(outcome: Outcome, now: number): number | null {
  if (outcome.state === 'held') return heldUntil(outcome)
  if (outcome.state !== 'waiting') return null
  const at = Date.parse(outcome.dueAt)
  if (Number.isNaN(at)) return 0
  return at > now + longestWaitMs ? now : at
}

/** When the service saw it, milliseconds since the epoch; 0 where that is not known, and where we found it ourselves. */
function detectedMs(entry: Entry): number {
  if (entry.kind !== 'alert' || entry.detectedAt === null || isFinding(entry)) return 0
  const ms = Date.parse(entry.detectedAt)
  return Number.isNaN(ms) ? 0 : ms
}
