import { assumedPrompts } from './bins.ts'
import { type Observation, type RateName, readObservation } from './observation.ts'
import { median, shrinkFactor, stabilise } from './scale.ts'
import type { Bin, Chart } from './state.ts'

/**
 * Differences to the last, the one before and the one before that: three make the estimate steadier than one, and a
 * weekly cycle, which two neighbours hardly show, counts in full.
 */
const lags = 3
/** About a year of daily readings is remembered. */
const remembered = 365 * lags
/** A difference of more than three standard errors counts as three: steps are not noise. */
const cut = 9
/** Mean of a squared standard normal value that is cut at 9. */
const meanOfCut = 0.995
/** Learnt noise is never less than this part of the binomial variance: a reading is at best as exact as one prompt in some hundred. */
const least = 0.15
/** Standard errors within which noise is taken to be binomial. More noise is believed sooner: less would lower every threshold. */
const doubtMore = 1
const doubtLess = 2
/** With fewer refusals (or answers) than this the stabilised rate varies less than 1/n by itself. */
const fewest = 5

/** The chart after one more reading: the newest of `bins`. */
export function withDifferences(chart: Chart, bins: readonly Bin[], rate: RateName): Chart {
  let { squares, differences } = chart
  const limit = cut * Math.max(rawNoise(chart), least)
  for (const square of newDifferences(bins, rate, chart.from)) {
    const fade = 1 - 1 / remembered
    squares = squares * fade + Math.min(square, limit) / meanOfCut
    differences = differences * fade + 1
  }
  return { ...chart, squares, differences }
}

/** What a whole history tells at once; begins with the median, which steps and spikes do not move. */
export function learnNoise(squares: readonly number[]): Pick<Chart, 'squares' | 'differences'> {
  // 0.4549 is the median of a squared standard normal value.
  const limit = cut * Math.max(median(squares) / 0.4549, least)
  const sum = squares.reduce((total, square) => total + Math.min(square, limit) / meanOfCut, 0)
  return { squares: sum, differences: squares.length }
}

/** Squared differences of the newest bin to those before it, in units of their binomial variance. */
function newDifferences(bins: readonly Bin[], rate: RateName, from: number): number[] {
  const newest = bins.at(-1)
  if (newest === undefined || newest.weight[rate] === 0) return []
  const before = bins.slice(-1 - lags, -1)
  return before
    .filter((bin) => bin.readings === 1 && bin.weight[rate] > 0 && bin.from >= from)
    .map((bin) => squareOf(meanIn(newest, rate), meanIn(bin, rate)))
}

/** The same for a whole history, oldest first. */
export function squaredDifferences(points: readonly Observation[], rate: RateName): number[] {
  const values: Value[] = []
  for (const { reading } of points.map(readObservation)) {
    const n = reading?.counts[rate] ?? assumedPrompts[rate]
    const value = reading?.rates[rate]
    if (typeof value === 'number') values.push({ y: stabilise(value, n), n })
  }
  return values.flatMap((one, index) =>
    values.slice(Math.max(0, index - lags), index).map((other) => squareOf(one, other)),
  )
}

/**
 * Variance of a reading as a multiple of the binomial: below 1 where the same prompts are asked again, above 1 where the
 * harness adds noise of its own. Stays 1 as far as the readings do not show otherwise.
 */
export function noiseOf(chart: Chart, refusalRate: number, n: number): number {
  if (chart.differences === 0) return 1
  // Each reading adds one independent piece of knowledge, though it is in three differences.
  const readings = chart.differences / lags
  const excess = rawNoise(chart) - 1
  const noise =
    1 + excess * shrinkFactor(excess, Math.sqrt(2.5 / readings), excess > 0 ? doubtMore : doubtLess)
  const steady = n * Math.min(refusalRate, 1 - refusalRate) >= fewest
  return Math.max(noise, steady ? least : 1)
}

function rawNoise({ squares, differences }: Chart): number {
  return differences === 0 ? 1 : squares / differences
}

interface Value {
  y: number
  n: number
}

function meanIn(bin: Bin, rate: RateName): Value {
  return { y: bin.sum[rate] / bin.weight[rate], n: bin.weight[rate] }
}

function squareOf(one: Value, other: Value): number {
  return (one.y - other.y) ** 2 / (1 / one.n + 1 / other.n)
}
