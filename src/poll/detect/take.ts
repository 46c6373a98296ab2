import { withReading } from './bins.ts'
import { withDifferences } from './noise.ts'
import { perRate, type Reading, rateNames } from './observation.ts'
import type { DetectorState } from './state.ts'

export type Novelty = 'new' | 'repeated' | 'revised' | 'backward'

/**
 * Whether this is a reading of its own. Without a time of the service's, the same rates are the same reading: another
 * one of 500 prompts would hardly repeat all of them.
 */
export function noveltyOf({ last }: DetectorState, reading: Reading): Novelty {
  if (last === null) return 'new'
  const same = hasSameRates(last.rates, reading.rates)
  if (reading.updated === null || last.updated === null) {
    if (same) return 'repeated'
    return reading.time < last.time ? 'backward' : 'new'
  }
  if (reading.updated < last.updated) return 'backward'
  if (reading.updated > last.updated) return 'new'
  return same ? 'repeated' : 'revised'
}

/** The version label, and the change where it is another one. A missing label says nothing. */
export function withVersion(state: DetectorState, { version, time }: Reading): DetectorState {
  if (version === null || version === state.version) return state
  const versionChange =
    state.version === null ? state.versionChange : { from: state.version, to: version, at: time }
  return { ...state, version, versionChange }
}

/** The state with one more reading in its bins and its noise. */
export function withTaken(state: DetectorState, given: Reading): DetectorState {
  const reading = { ...given, time: Math.max(given.time, state.last?.time ?? given.time) }
  const counted = {
    ...state,
    charts: perRate((rate) => ({ ...state.charts[rate], n: reading.counts[rate] ?? state.charts[rate].n })),
  }
  const bins = withReading(counted, reading)
  return {
    ...counted,
    bins,
    charts: perRate((rate) => withDifferences(counted.charts[rate], bins, rate)),
    last: { time: reading.time, updated: reading.updated, rates: reading.rates },
  }
}

function hasSameRates(one: Reading['rates'], other: Reading['rates']): boolean {
  const both = rateNames.filter((rate) => one[rate] !== null && other[rate] !== null)
  return both.length > 0 && both.every((rate) => one[rate] === other[rate])
}
