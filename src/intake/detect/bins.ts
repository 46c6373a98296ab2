import { dayMs } from '../../platform/durations.ts'
import { type ObservedRate, perRate, type UsableReading } from './observation.ts'
import { median, stabilise } from './scale.ts'
import type { Bin, DetectorState } from './state.ts'

/** Seven weeks: a weekly cycle averages out of the baseline, and its own error stays a seventh of a reading's. */
const keptDays = 49
/** Where readings are rarer than daily, so many of them. */
const keptReadings = 30
/** The newest readings stay single: a step may begin at any of them. */
const single = 14
/** The whole set has 500 prompts ("What the service does", 1); a category of unknown size is taken to have 100. */
const assumedPrompts = { overall: 500, political: 100, safety: 100, social: 100 }

export function promptsBehind(state: DetectorState, rate: ObservedRate): number {
  return state.charts[rate].n ?? assumedPrompts[rate]
}

/** The readings of some bins together: how many, their prompts, and their mean stabilised rate, which is NaN for none. */
export function pooled(
  bins: readonly Bin[],
  rate: ObservedRate,
): { readings: number; prompts: number; mean: number } {
  const prompts = bins.reduce((total, bin) => total + bin.weight[rate], 0)
  const readings = bins.reduce((total, bin) => total + bin.readings, 0)
  return { readings, prompts, mean: bins.reduce((total, bin) => total + bin.sum[rate], 0) / prompts }
}

/** The reading as the newest bin; what is older than the baseline goes, days that are past become one bin. */
export function withReading(state: DetectorState, reading: UsableReading, weight: Bin['weight']): Bin[] {
  const newest = binOf(reading, weight, state)
  const keptMs = Math.max(keptDays * dayMs, keptReadings * usualInterval(state.bins))
  const kept = state.bins.filter(({ to }) => to > reading.time - keptMs)
  kept.push(newest)
  const index = kept.length - single - 1
  const [older, next] = [kept[index - 1], kept[index]]
  if (older !== undefined && next !== undefined && sameDay(older, next)) {
    kept.splice(index - 1, 2, merged(older, next))
  }
  return kept
}

/** The newest bin is more of the same measurement, which began when it began: a change that it showed is not borne out by it. */
export function withAmended(state: DetectorState, reading: UsableReading, weight: Bin['weight']): Bin[] {
  const before = state.bins.at(-1)
  const amended = binOf(reading, weight, state)
  if (before === undefined) return [amended]
  const bin = { ...amended, from: before.from, epoch: before.epoch }
  return [...state.bins.slice(0, -1), bin]
}

function binOf(reading: UsableReading, weight: Bin['weight'], state: DetectorState): Bin {
  const n = (rate: ObservedRate) => promptsBehind(state, rate)
  return {
    from: reading.time,
    to: reading.time,
    readings: 1,
    epoch: state.changes.at(-1)?.since ?? 0,
    weight,
    sum: perRate((rate) =>
      weight[rate] === 0 ? 0 : weight[rate] * stabilise(reading.rates[rate] ?? 0, n(rate)),
    ),
  }
}

/** What is known of bins, which are never changed: each reading asks for it a dozen times. */
const intervals = new WeakMap<readonly Bin[], number>()

/** Milliseconds between two readings; a day if there is only one yet. Of two monthly ones, a day would let go of the first. */
export function usualInterval(bins: readonly Bin[]): number {
  const interval = intervals.get(bins) ?? intervalOf(bins)
  intervals.set(bins, interval)
  return interval
}

function intervalOf(bins: readonly Bin[]): number {
  const newest = bins.slice(-single)
  if (newest.length < 2) return dayMs
  return median(newest.slice(1).map((bin, index) => bin.from - (newest[index]?.to ?? bin.from)))
}

function sameDay(one: Bin, other: Bin): boolean {
  return one.epoch === other.epoch && Math.floor(one.from / dayMs) === Math.floor(other.to / dayMs)
}

function merged(one: Bin, other: Bin): Bin {
  return {
    from: one.from,
    to: other.to,
    readings: one.readings + other.readings,
    epoch: one.epoch,
    weight: perRate((rate) => one.weight[rate] + other.weight[rate]),
    sum: perRate((rate) => one.sum[rate] + other.sum[rate]),
  }
}
