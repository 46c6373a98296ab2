import { dayMs } from '../../platform/durations.ts'
import { usualInterval } from './bins.ts'
import type { Noise } from './noise.ts'
import { type ObservedRate, type PerRate, perRate, rateNames } from './observation.ts'
import { shrinkFactor } from './scale.ts'
import type { Bin, DetectorState } from './state.ts'
import { longestBack } from './step.ts'

/** What readings have lately differed by from those before them is remembered for about so many, quickly and slowly. */
const memories = [4, 30] as const
/** Within so many standard errors it is taken for what they always do. */
const doubt = 2
/** A difference of five standard errors and more counts as five. */
const cut = 25
/** Readings that make the level from which the next differs, and how many there must be. */
const levelMemory = 10
const leastForLevel = 3
const calm = perRate(() => 1)
const categories = ['political', 'safety', 'social'] as const

interface RecentLevel {
  level: number
  readings: number
  squares: [number, number]
}

/**
 * For each bin and rate: by what factor the variance exceeds the usual one (`noise`). It compares the readings just before
 * the bin, and those from it on among themselves. It is 1 unless the rate itself or all categories together show more
 * clearly. If readings depend on each other, one difference repeats in the next readings, as when a step moves through
 * overlapping windows. Such differences count for less.
 */
export function unrestIn(state: DetectorState, noise: PerRate<Noise>): PerRate<number>[] {
  return unrestSince(state, noise, longestBack(usualInterval(state.bins)) * dayMs)
}

/** The same of the newest bin alone, by those before it. */
export function unrestNow(state: DetectorState, noise: PerRate<Noise>): PerRate<number> {
  return unrestSince(state, noise, 0).at(-1) ?? calm
}

/** `back`: milliseconds before the newest bin from which on it is wanted; it is 1 for older ones. */
function unrestSince(
  { bins, charts }: DetectorState,
  noise: PerRate<Noise>,
  back: number,
): PerRate<number>[] {
  const recent = perRate((): RecentLevel => ({ level: Number.NaN, readings: 0, squares: [1, 1] }))
  const needed = (bins.at(-1)?.to ?? 0) - back
  const within = unrestFrom({ bins, charts }, noise, needed)
  let before = 0
  return bins.map((bin, index) => {
    const unrest = bin.to < needed ? calm : unrestAfter(recent, noise, within[index] ?? 1)
    for (const rate of rateNames) {
      const { from } = charts[rate]
      if (before < from && bin.from >= from) recent[rate].readings = 0
      remember(recent[rate], bin, rate, noise[rate].single)
    }
    before = bin.from
    return unrest
  })
}

function unrestAfter(recent: PerRate<RecentLevel>, noise: PerRate<Noise>, within: number): PerRate<number> {
  const pooled = together(recent)
  return perRate((rate) => {
    const unrest = Math.max(pooled, clear(recent[rate].squares, 1))
    return Math.max(within, 1 + (unrest - 1) / (noise[rate].ratios.at(-1) ?? 1))
  })
}

/**
 * The same among the readings from each bin on, by what neighbours differ by, all categories together: noise that grows
 * begins with a wild reading, before which all was calm. The change of a category that is known is left out.
 */
function unrestFrom(
  { bins, charts }: Pick<DetectorState, 'bins' | 'charts'>,
  noise: PerRate<Noise>,
  needed: number,
): number[] {
  const within: number[] = []
  let [sum, count] = [0, 0]
  for (let index = bins.length - 2; index >= 0; index--) {
    const [one, next] = [bins[index], bins[index + 1]]
    if (one === undefined || next === undefined || one.to < needed) break
    for (const rate of categories) {
      const [weight, nextWeight] = [one.weight[rate], next.weight[rate]]
      const { from } = charts[rate]
      if (weight === 0 || nextWeight === 0 || (one.from < from && next.from >= from)) continue
      const apart = one.sum[rate] / weight - next.sum[rate] / nextWeight
      sum += Math.min(apart ** 2 / (noise[rate].single * (1 / weight + 1 / nextWeight)), cut)
      count += 1
    }
    const excess = count === 0 ? 0 : sum / count - 1
    // Neighbouring differences share a reading: their squares vary half as much again as independent ones.
    within[index] = excess <= 0 ? 1 : 1 + excess * shrinkFactor(excess, Math.sqrt(3 / count), doubt)
  }
  return within
}

function remember(recent: RecentLevel, bin: Bin, rate: ObservedRate, noise: number): void {
  const weight = bin.weight[rate]
  if (weight === 0) return
  const value = bin.sum[rate] / weight
  if (recent.readings === 0) recent.level = value
  if (bin.readings === 1 && recent.readings >= leastForLevel) {
    const behind = 1 / Math.min(recent.readings, 2 * levelMemory - 1)
    const square = Math.min(((value - recent.level) ** 2 * weight) / noise / (1 + behind), cut)
    const { squares } = recent
    squares[0] += (square - squares[0]) / memories[0]
    squares[1] += (square - squares[1]) / memories[1]
  }
  recent.readings += bin.readings
  recent.level += (value - recent.level) * Math.max(bin.readings / recent.readings, 1 / levelMemory)
}

/** What the categories show together; a harness that is restless is so in all of them. */
function together(recent: PerRate<RecentLevel>): number {
  const learned = categories.filter((rate) => recent[rate].readings > leastForLevel)
  const squares = memories.map(
    (_, index) => learned.reduce((sum, rate) => sum + (recent[rate].squares[index] ?? 1), 0) / learned.length,
  )
  return learned.length === 0 ? 1 : clear(squares, learned.length)
}

function clear(squares: readonly number[], rates: number): number {
  let unrest = 1
  for (const [index, memory] of memories.entries()) {
    const excess = (squares[index] ?? 1) - 1
    if (excess <= 0) continue
    const error = Math.sqrt(2 / (rates * (2 * memory - 1)))
    unrest = Math.max(unrest, 1 + excess * shrinkFactor(excess, error, doubt))
  }
  return unrest
}
