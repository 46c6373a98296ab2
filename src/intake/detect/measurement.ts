import { promptsBehind, usualInterval, withAmended, withReading } from './bins.ts'
import { ofAnotherKind, settledNoise, withPending } from './noise.ts'
import { type ObservedRate, perRate, rateNames, type UsableReading } from './observation.ts'
import { median, stabilise } from './scale.ts'
import type { DetectorState, RateChart } from './state.ts'

export type Novelty = 'new' | 'part' | 'repeated' | 'revised' | 'backward'

/** What comes within this part of the usual interval belongs to the same measurement. */
const sameMeasurement = 0.75
/** Measurements from which the usual interval is known. */
const leastKnown = 8
/** So many measurements are remembered with how they came. */
const partsKept = 10
/** Ten gaps are even if the largest is less than so many times the median. Two instalments give gaps of two kinds, far apart. */
const arrivalsKept = 11
const even = 1.5
/** A part that differs more from the whole was a glitch, or something changed meanwhile: squared standard errors. */
const mostOfPart = 9
/** More prompts than so many times those on which the noise was learnt are not believed: a harness may add noise to both alike. */
const believed = 1.25

/**
 * Whether this is a new measurement. A second measurement of 500 prompts would hardly repeat three rates, so equal rates are
 * the same measurement at any time. A reading that comes much sooner than usual is another part of the last one.
 */
export function noveltyOf(state: DetectorState, reading: UsableReading, at: number): Novelty {
  const { last } = state
  if (last === null) return 'new'
  const same = sameRates(last.rates, reading.rates)
  if (same >= 3 && isTelling(state)) return 'repeated'
  if (reading.updated === null || last.updated === null) {
    if (same > 0) return 'repeated'
    if (reading.time < last.time) return 'backward'
    return isPart(state, reading.time) ? 'part' : 'new'
  }
  if (reading.updated < last.updated) return 'backward'
  if (reading.updated > last.updated) return isPart(state, reading.time) ? 'part' : 'new'
  if (same > 0) return 'repeated'
  return isPart(state, at) ? 'revised' : 'new'
}

/** Whether so long after the beginning of the last measurement there cannot be another yet. */
function isPart(state: DetectorState, time: number): boolean {
  const { bins, begun } = state
  if (begun === 0 || bins.length < leastKnown) return false
  return time - begun < sameMeasurement * Math.min(usualInterval(bins), evenInterval(state))
}

/** Milliseconds between evenly spaced arrivals, even if another interval was usual. Instalments come close together, then pause. */
function evenInterval({ arrivals }: DetectorState): number {
  if (arrivals.length < arrivalsKept) return Number.POSITIVE_INFINITY
  const gaps = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? at))
  const middle = median(gaps)
  return Math.max(...gaps) < even * middle ? middle : Number.POSITIVE_INFINITY
}

/** The state with one more measurement, or with more of the last, in its bins. */
export function withMeasurement(state: DetectorState, given: UsableReading, isMore: boolean): DetectorState {
  const reading = { ...given, time: Math.max(given.time, state.last?.time ?? given.time) }
  const charts = perRate((rate) => withCount(state.charts[rate], reading.counts[rate]))
  const arrivals = [...state.arrivals, reading.time].slice(-arrivalsKept)
  const counted = { ...state, charts, arrivals }
  const weight = perRate((rate) => (reading.rates[rate] === null ? 0 : worthOf(counted, rate, reading)))
  const interval = usualInterval(state.bins)
  const last = { time: reading.time, updated: reading.updated, rates: reading.rates }
  if (isMore) return { ...counted, bins: withAmended(counted, reading, weight), last }
  const isFaster = state.begun > 0 && reading.time - state.begun < sameMeasurement * interval
  return {
    ...counted,
    charts: perRate((rate) => withPending(isFaster ? ofAnotherKind(charts[rate]) : charts[rate], interval)),
    bins: withReading(counted, reading, weight),
    parts: [...state.parts, ownPart(state)].slice(-partsKept),
    begun: reading.time,
    first: reading.rates,
    live: state.live + 1,
    last,
  }
}

/** How far the last measurement was from complete when it first came, in squared standard errors: mean of the rates. */
function ownPart(state: DetectorState): number {
  const { bins, first } = state
  const newest = bins.at(-1)
  if (newest === undefined || first === null) return 0
  let [sum, count] = [0, 0]
  for (const rate of rateNames) {
    const [rateThen, weight] = [first[rate], newest.weight[rate]]
    if (rateThen === null || weight === 0) continue
    const n = promptsBehind(state, rate)
    sum += (newest.sum[rate] / weight - stabilise(rateThen, n)) ** 2 * weight
    count += 1
  }
  const square = count === 0 ? 0 : sum / count
  return square < 1e-9 || square > mostOfPart ? 0 : square
}

function withCount(chart: RateChart, count: number | null): RateChart {
  const n = count ?? chart.n
  return { ...chart, n, learntOn: chart.learntOn ?? n }
}

/**
 * How many prompts of the kind on which the noise was learnt are worth as much as those of this reading. Variance beyond the
 * binomial is assumed to stay the same for any number of prompts.
 */
function worthOf(state: DetectorState, rate: ObservedRate, reading: UsableReading): number {
  const n = promptsBehind(state, rate)
  const chart = state.charts[rate]
  const learntOn = chart.learntOn ?? n
  if (reading.rates[rate] === null || n === learntOn) return n
  const { squares, counts } = settledNoise(chart)
  const count = counts[0] ?? 0
  const single = count < 10 ? 1 : Math.max((squares[0] ?? 0) / count, 1)
  const harness = (single - 1) / learntOn
  return Math.min(single / (1 / n + harness), believed * learntOn)
}

/** On a coarse grid, and at 0 or 100 percent, equal rates are no sign of the same measurement. */
function isTelling(state: DetectorState): boolean {
  const { last } = state
  if (last === null) return false
  let chance = 1
  for (const rate of rateNames) {
    const value = last.rates[rate]
    if (value === null) continue
    const n = promptsBehind(state, rate)
    const spread = Math.sqrt((value * (1 - value)) / n)
    const grid = Math.max(state.grid[rate], 1 / n)
    chance *= Math.min(1, (0.28 * grid) / Math.max(spread, 1e-9))
  }
  return chance < 0.02
}

function sameRates(one: UsableReading['rates'], other: UsableReading['rates']): number {
  const both = rateNames.filter((rate) => one[rate] !== null && other[rate] !== null)
  return both.every((rate) => one[rate] === other[rate]) ? both.length : 0
}
