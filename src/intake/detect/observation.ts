import { dayMs } from '../../platform/durations.ts'
/** The refusal rates that the service publishes, as `category` of an event names them. */
export const rateNames = ['overall', 'political', 'safety', 'social'] as const
export type ObservedRate = (typeof rateNames)[number]
export type PerRate<T> = Record<ObservedRate, T>

/** One reading of one model, as polling or the history gave it. Nothing in it is trusted to be a number or a date. */
export interface Observation {
  /** When it was asked for; ISO 8601. */
  at: string
  version: string | null
  /** When the service says that it measured; ISO 8601. Null for a point of the history, whose own time is in `at`. */
  lastUpdated: string | null
  /** Fractions from 0 to 1, null if the answer has none. */
  rates: PerRate<number | null>
  /** Prompts behind each rate, null if unknown. */
  counts: PerRate<number | null>
}

/** The service no longer knows the model, or answers with figures of another one (`misnamed`). */
export interface Absence {
  at: string
  gone: true
  misnamed?: true
}

/** What can be used of an observation. */
export interface UsableReading {
  /** When it was measured, else when it was asked for; milliseconds since the epoch. */
  time: number
  /** Null if the service does not say, or says what cannot be. */
  updated: number | null
  version: string | null
  rates: PerRate<number | null>
  counts: PerRate<number | null>
}

/** Clocks differ; a day ahead is no measurement. */
const aheadMs = dayMs
/** More prompts than any test set has: a count of something else. */
const mostPrompts = 1_000_000

/** No reading if not even `at` is a date. `unreadable` names what was there and could not be used. */
export function readObservation(observation: Observation): {
  reading: UsableReading | null
  unreadable: string[]
} {
  const at = Date.parse(observation.at)
  if (Number.isNaN(at)) return { reading: null, unreadable: ['at'] }
  const unreadable: string[] = []
  const updated = readUpdated(observation.lastUpdated, at)
  if (updated === undefined) unreadable.push('last_updated')
  const rates = perRate((name) => {
    const rate = observation.rates[name]
    if (rate === null) return null
    // JSON has no −0.
    if (rate >= 0 && rate <= 1) return rate + 0
    unreadable.push(name)
    return null
  })
  const counts = perRate((name) => {
    const count = observation.counts[name]
    return count !== null && count >= 1 && count <= mostPrompts ? count : null
  })
  const version = observation.version?.trim() || null
  return {
    reading: { time: updated ?? at, updated: updated ?? null, version, rates, counts },
    unreadable,
  }
}

export function perRate<T>(value: (name: ObservedRate) => T): PerRate<T> {
  return {
    overall: value('overall'),
    political: value('political'),
    safety: value('safety'),
    social: value('social'),
  }
}

function readUpdated(text: string | null, at: number): number | null | undefined {
  if (text === null) return null
  const updated = Date.parse(text)
  return Number.isNaN(updated) || updated > at + aheadMs ? undefined : updated
}
