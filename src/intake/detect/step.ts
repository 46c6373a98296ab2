import { dayMs } from '../../platform/durations.ts'
import { Baseline, type BaselineDifference, LaterReadings, type RatePoint } from './baseline.ts'
import { promptsBehind, usualInterval } from './bins.ts'
import { agreeingIn, type PreparedReadings, type ReadingHabits, windowIn } from './habits.ts'
import { at, factor, type Noise } from './noise.ts'
import type { ObservedRate, PerRate } from './observation.ts'
import { rateAt } from './scale.ts'
import type { DetectorState } from './state.ts'
import { firstThreshold, threshold } from './threshold.ts'

/** The best case for a step: the newest readings against those before them. */
export interface RateStep {
  rate: ObservedRate
  direction: 1 | -1
  /** Index in the bins of the first reading after the step, and when that was. */
  index: number
  since: number
  readings: number
  /** Prompts behind the readings after the step, all together. */
  prompts: number
  /** Stabilised rates: the mean after it, and the baseline. */
  after: number
  before: number
  baselineReadings: number
  baselinePrompts: number
  baselineFrom: number
  /** Change of the baseline that its drift explains, on the stabilised scale. */
  drift: number
  /** Variance as a multiple of the binomial. */
  noise: number
  standardErrors: number
  /** What the standard errors have to exceed, and by how much they do. The influence of any single reading is limited. */
  threshold: number
  margin: number
  /** By how much means of readings vary more than independent ones would; 0 if they do not. */
  dependence: number
}

export interface StepScan {
  steps: RateStep[]
  /** Whether one of them would be found if no more readings had to agree. */
  waits: boolean
  /** Squared differences of the last 1, 2, 4 … readings from the baseline, to learn the noise from. */
  squares: (number | null)[]
}

/** Least readings of the first baseline, and of the one after a change. */
export const leastBaseline = 7
export const leastAfterChange = 2
/** From so many readings on, what differs from a baseline teaches the noise. */
const leastToLearn = 14
/** If glitches are known, one reading teaches at most so many standard errors. */
const mostToLearn = 2.5
/** A step that began longer ago is part of the baseline; if readings are rare, so many of them may show it. */
const longestDays = 10
const longestReadings = 6
/**
 * Of k readings that must exceed the threshold together, one counts for so much of it over √k if two must agree, or three:
 * just too little. If one measurement stands in several of them, all that it adds counts for so little.
 */
const partOfThreshold = { 1: Number.POSITIVE_INFINITY, 2: 0.8, 3: 0.68 }

/** Standard errors as a part of the first threshold below which no step is found, however short the tail is. */
const worthALook = 0.6

/**
 * The strongest rise and the strongest fall that end at the newest reading; fewer if there is too little to judge by. Unrest can
 * only hide a step, and most readings show none: it is computed if there may be one.
 */
export function scan(
  state: DetectorState,
  rate: ObservedRate,
  { points, middle, noise }: PreparedReadings,
  unrest: () => readonly PerRate<number>[],
  habits: ReadingHabits,
): StepScan {
  const { bins } = state
  const chart = state.charts[rate]
  const n = promptsBehind(state, rate)
  const newest = bins.at(-1)
  if (newest === undefined || newest.weight[rate] === 0) return { steps: [], waits: false, squares: [] }
  const interval = usualInterval(bins)
  const longest = longestBack(interval)
  const first = { 1: firstThreshold(rate, 1, interval), '-1': firstThreshold(rate, -1, interval) }
  const agreeing = { 1: agreeingIn(1, habits), '-1': agreeingIn(-1, habits) }
  const least = chart.from > 0 ? leastAfterChange : leastBaseline
  const best: { 1: RateStep | null; '-1': RateStep | null } = { 1: null, '-1': null }
  const squares: (number | null)[] = []
  let waits = false
  const base = new Baseline(middle, noise.single)
  const rest = new LaterReadings(points)
  const baselineFrom = points[0]?.bin.from ?? newest.from
  const rounding = roundingError(state.grid[rate], rateAt(middle, n), noise.single / n)
  const unfinished = habits.unfinished * newest.weight[rate]
  const dependence = (noise.ratios.at(-1) ?? 1) - 1
  const window = windowIn(bins, noise)
  const judged = { rate, base, rest, noise, unrest: 1, unfinished, rounding }
  const bar = { first, n, dependence, agreeing }
  for (const point of points) {
    if (base.readings >= least && point.day >= -longest) {
      const compared = base.compare(rest.mean, rest.day)
      const { change, rest: wrong } = compared
      // If there are glitches they are no noise of means, or they would hide every change. A single one shows itself.
      const side = wrong > 0 ? 1 : -1
      const glitch =
        habits.agreeing === 1 || rest.readings === 1
          ? 0
          : rest.excess(base.mean, side, mostToLearn * Math.sqrt(noise.single))
      const plain = Math.max(0, Math.abs(wrong) - glitch) ** 2 / (1 / rest.prompts + 1 / base.prompts)
      const length = Math.floor(Math.log2(rest.readings))
      if (base.readings >= leastToLearn) squares[length] = plain
      if (errorsOf(compared, judged).standardErrors > worthALook * first[change > 0 ? 1 : -1]) {
        const here = { ...judged, unrest: unrest()[point.index]?.[rate] ?? 1 }
        const step = stepAt(point, compared, here)
        const { direction, error, standardErrors } = step
        const limit = limitOf(step, here, bar)
        const mostAlone = partOfThreshold[agreeing[direction]] * limit * error * Math.sqrt(rest.prompts)
        const alone = rest.excess(base.mean, direction, mostAlone, window) / error
        // In overlapping windows two glitches some days apart would bear each other out, and means find as many falls.
        const isAgreed = window === 1 && rest.agrees(base.mean, direction, agreeing[direction])
        const borneOut = isAgreed ? byFirst(point, here, bar) : null
        const together = { threshold: limit, margin: Math.max(0, standardErrors - alone) - limit }
        const clearest = borneOut !== null && borneOut.margin > together.margin ? borneOut : together
        waits ||= clearest.margin < 0 && standardErrors >= limit
        if (clearest.margin > (best[direction]?.margin ?? Number.NEGATIVE_INFINITY)) {
          best[direction] = { ...step, ...clearest, baselineFrom, dependence }
        }
      }
    }
    rest.remove(point)
    base.add(point)
  }
  return {
    steps: [best[1], best[-1]].filter((step) => step !== null),
    waits,
    squares: Array.from(squares, (square) => square ?? null),
  }
}

/** What the readings from one place on are judged by. */
interface JudgedReadings {
  rate: ObservedRate
  base: Baseline
  rest: LaterReadings
  noise: Noise
  /** How many times their usual variance the readings have just there. */
  unrest: number
  /** Noise of the newest reading beside its own, times its prompts. */
  unfinished: number
  rounding: number
}

/** `error`: its standard error, on the stabilised scale. */
type FoundStep = Omit<RateStep, 'baselineFrom' | 'threshold' | 'margin' | 'dependence'> & { error: number }

/** What the threshold depends on beside the readings. */
interface StepThresholds {
  /** That of a single reading, by direction, and the readings that must agree. */
  first: Record<1 | -1, number>
  agreeing: Record<1 | -1, number>
  n: number
  dependence: number
}

/** Standard errors that a step must exceed. A reading that others must bear out is not doubted for how means hang together. */
function limitOf(
  { direction, drift, error, noise: multiple, readings }: FoundStep,
  { base, noise }: JudgedReadings,
  { first, agreeing, n, dependence }: StepThresholds,
): number {
  const expected = { direction, level: base.mean + drift, n, readings, prompts: 1 / error ** 2 }
  return threshold(first[direction], expected, {
    learnt: Math.abs(multiple - 1) / Math.max(multiple, 1),
    pieces: at(noise.pieces, readings),
    dependence: readings === 1 && agreeing[direction] > 1 ? 0 : dependence,
  })
}

/**
 * Judges the first reading of a step by itself, if later readings confirm it. If readings depend on each other, a mean of two adds
 * little and is doubted more. At ρ 0.9, means alone found −10 in 0.50 of the trials, and this in 0.86 (36 trials, seeds from 1).
 */
function byFirst(
  point: RatePoint,
  judged: JudgedReadings,
  bar: StepThresholds,
): Pick<RateStep, 'threshold' | 'margin'> {
  const rest = new LaterReadings([point])
  const alone = { ...judged, rest, unfinished: 0 }
  const step = stepAt(point, judged.base.compare(rest.mean, rest.day), alone)
  const limit = limitOf(step, alone, bar)
  return { threshold: limit, margin: step.standardErrors - limit }
}

/** A step at one place, even if it is not clear. */
export function stepAt(
  { index, bin }: RatePoint,
  compared: BaselineDifference,
  judged: JudgedReadings,
): FoundStep {
  const { rate, base, rest } = judged
  return {
    rate,
    direction: compared.change > 0 ? 1 : -1,
    index,
    since: bin.from,
    readings: rest.readings,
    prompts: rest.prompts,
    after: rest.mean,
    before: base.mean,
    baselineReadings: base.readings,
    baselinePrompts: base.prompts,
    drift: compared.drift,
    ...errorsOf(compared, judged),
  }
}

function errorsOf(
  { change, variance }: BaselineDifference,
  { rest, noise: usual, unrest, unfinished, rounding }: JudgedReadings,
): Pick<FoundStep, 'noise' | 'error' | 'standardErrors'> {
  const noise = factor(usual, rest.readings) * unrest
  const error = Math.sqrt(noise * (1 / rest.prompts + variance) + unfinished / rest.prompts ** 2)
  return { noise, error, standardErrors: Math.max(0, Math.abs(change) - rounding) / error }
}

/** Days that a step may be ago. */
export function longestBack(interval: number): number {
  return Math.max(longestDays, longestReadings * (interval / dayMs))
}

/**
 * By how much two levels may seem to differ that are rounded to different multiples of the same number, on the stabilised
 * scale. Noise that is wider than the grid averages it out: the first term of the Fourier series of what is left.
 */
export function roundingError(grid: number, rate: number, variance: number): number {
  if (grid === 0) return 0
  const slope = Math.sqrt(Math.max(rate * (1 - rate), 0.01))
  const relative = (Math.sqrt(variance) * slope) / grid
  return (grid / slope) * Math.min(1, 2 * Math.exp(-2 * Math.PI ** 2 * relative ** 2))
}
