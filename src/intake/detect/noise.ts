import { yearMs } from '../../platform/durations.ts'
import { median, shrinkFactor } from './scale.ts'
import type { RateChart } from './state.ts'

/**
 * How much means of readings vary, as a multiple of the binomial variance. It is learnt from the differences that are judged
 * themselves: the mean of the last 1, 2, 4, 8 … readings against the baseline before them. If readings depend on each other
 * (overlapping windows, cycles, a random walk), means of several readings vary more than independent ones would.
 */
export interface Noise {
  /** Of a single reading. */
  single: number
  /** Of the mean of 2^i readings, as a multiple of that; 1 if readings are independent. */
  ratios: readonly number[]
  /** In how many independent pieces each of these was seen. */
  pieces: readonly number[]
}

/** Squared differences are remembered for a year. If readings are rarer than daily, this many are remembered. */
const leastRemembered = 365
/** A difference of more than three standard errors counts as three: steps are not noise. */
const cut = 9
/**
 * Mean of a squared standard normal value that is cut at 9, after a drift has explained as much of the difference as it can.
 * Measured on independent readings.
 */
const meanOfCut = 0.945
/** Median of a squared standard normal value. */
const medianOfSquare = 0.4549
/** Learnt noise is never less than this part of the binomial variance: a reading is at best as exact as one prompt in some hundred. */
const least = 0.1
/** Standard errors within which noise is taken to be binomial. More noise is believed sooner: less would lower every threshold. */
const doubtMore = 1
const doubtLess = 2
/** And within which readings are taken to be independent. */
const doubtDependence = 2
/** With fewer refusals (or answers) than this the stabilised rate varies less than 1/n by itself. */
const fewest = 5
/** What a first look at a history counts for, beside what is learnt after it. */
const firstCounts = 40

/**
 * The chart with the differences of its newest measurement, which is complete, and bore no change. `interval` between
 * readings in milliseconds.
 */
export function withPending(chart: RateChart, interval: number): RateChart {
  const { pending } = chart
  if (pending.length === 0) return chart
  const remembered = Math.max(leastRemembered, Math.round(yearMs / Math.max(interval, 1_000)))
  const squares = [...chart.squares]
  const counts = [...chart.counts]
  for (const [index, square] of pending.entries()) {
    const [sum, count] = [squares[index] ?? 0, counts[index] ?? 0]
    squares[index] ??= 0
    counts[index] ??= 0
    if (square === null) continue
    const fade = count >= remembered ? 1 - 1 / remembered : 1
    const usual = count < 10 ? 1 : sum / count
    squares[index] = sum * fade + Math.min(square, cut * Math.max(usual, least)) / meanOfCut
    counts[index] = count * fade + 1
  }
  return { ...chart, squares, counts, pending: [] }
}

/**
 * The chart with its noise while the newest readings wait for a verdict. They may be a step that later readings confirm, so
 * the noise learns nothing from them yet. It does once they no longer wait.
 */
export function withWait(chart: RateChart, waits: boolean): RateChart {
  if (!waits) return { ...chart, beforeWait: null }
  const { squares, counts } = chart
  return { ...chart, beforeWait: chart.beforeWait ?? { squares, counts } }
}

/** What all readings taught but those that wait. */
export function settledNoise(chart: RateChart): Pick<RateChart, 'squares' | 'counts'> {
  return chart.beforeWait ?? chart
}

/** The chart without what its newest readings taught, since they were a step. */
export function withoutWaiting(chart: RateChart): RateChart {
  return { ...chart, ...chart.beforeWait, pending: [], beforeWait: null }
}

/**
 * The chart if readings come more often than those on which its noise was learnt. Those may have been means of several:
 * that they varied less than the binomial is forgotten, and the rest counts no more than a first look.
 */
export function ofAnotherKind(chart: RateChart): RateChart {
  const counts = chart.counts.map((count) => Math.min(count, firstCounts))
  const squares = chart.squares.map((sum, index) => {
    const [seen, count] = [chart.counts[index] ?? 0, counts[index] ?? 0]
    return seen === 0 ? 0 : Math.max(sum / seen, 1) * count
  })
  return { ...chart, squares, counts, pending: [], beforeWait: null }
}

/** The noise of a whole history at first; by medians, which its steps and spikes hardly move. */
export function firstNoise(squares: readonly (readonly number[])[]): Pick<RateChart, 'squares' | 'counts'> {
  const enough = squares.filter((list) => list.length >= 8)
  const counts = enough.map((list) => Math.min(list.length, firstCounts))
  return {
    squares: enough.map((list, index) => (median(list) / medianOfSquare) * (counts[index] ?? 0)),
    counts,
  }
}

/** As learnt. It stays binomial and independent as far as the readings do not show otherwise. */
export function noiseOf(chart: RateChart, refusalRate: number, n: number): Noise {
  const { squares, counts } = settledNoise(chart)
  const seen = counts[0] ?? 0
  if (seen === 0) return { single: 1, ratios: [1], pieces: [0] }
  const raw = Math.max((squares[0] ?? 0) / seen, least)
  const ratios: number[] = []
  for (let index = 0; index < counts.length; index++) {
    const length = 2 ** index
    const count = counts[index] ?? 0
    const before = ratios[index - 1] ?? 1
    if (count < 2) {
      ratios.push(before)
      continue
    }
    // Lo and MacKinlay (Review of Financial Studies 1, 1988): the standard error of a ratio of variances, of means that overlap.
    const error = Math.sqrt((2 * (2 * length - 1) * (length - 1)) / (3 * length * count))
    const excess = (squares[index] ?? 0) / count / raw - 1
    const ratio = excess <= 0 ? 1 : 1 + excess * shrinkFactor(excess, error, doubtDependence)
    ratios.push(index === 0 ? 1 : Math.max(before, ratio))
  }
  const strongest = ratios.at(-1) ?? 1
  const excess = raw - 1
  const error = Math.sqrt((2 * Math.sqrt(strongest)) / seen)
  const single = 1 + excess * shrinkFactor(excess, error, excess > 0 ? doubtMore : doubtLess)
  const isSteady = n * Math.min(refusalRate, 1 - refusalRate) >= fewest
  return { single: Math.max(single, isSteady ? least : 1), ratios, pieces: piecesIn(counts, strongest) }
}

/**
 * Two things divide the number of independent pieces. Means of so many readings share two thirds of them. Readings that
 * depend on each other do so over half as many readings as the factor by which their means vary more.
 */
function piecesIn(counts: readonly number[], strongest: number): number[] {
  const pieces: number[] = []
  for (const [index, count] of counts.entries()) {
    const overlap = Math.max(1, (2 * 2 ** index) / 3)
    pieces.push(count < 2 ? (pieces[index - 1] ?? 0) : count / (overlap + (strongest - 1) / 2))
  }
  return pieces
}

/** Means of so many readings vary by so many times what independent binomial ones would. */
export function factor({ single, ratios }: Noise, readings: number): number {
  return single * at(ratios, readings)
}

/** Between the lengths that were learnt, by the logarithm; beyond them, as the longest. */
export function at(values: readonly number[], readings: number): number {
  const place = Math.min(Math.log2(Math.max(readings, 1)), values.length - 1)
  const below = Math.floor(place)
  const low = values[below] ?? 1
  return low + (place - below) * ((values[below + 1] ?? low) - low)
}
