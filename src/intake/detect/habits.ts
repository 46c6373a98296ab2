import { dayMs, yearMs } from '../../platform/durations.ts'
import type { RatePoint } from './baseline.ts'
import { promptsBehind, usualInterval } from './bins.ts'
import { type Noise, noiseOf } from './noise.ts'
import { type ObservedRate, rateNames } from './observation.ts'
import { median, rateAt } from './scale.ts'
import type { Bin, DetectorState, OpenChange } from './state.ts'
import { fullyDependent } from './threshold.ts'

/** What is known of the readings of a model as a whole. */
export interface ReadingHabits {
  /** So many readings must show a step before it is reported. */
  agreeing: 1 | 2 | 3
  /** Noise that the newest reading has beside its own, since it may not be complete; as a multiple of the binomial. */
  unfinished: number
  /** Whether noise less than the binomial, as the history has it, is borne out by what was read since. */
  isBorneOut: boolean
}

/** A glitch that is so long ago counts for e⁻¹. */
const glitchesMs = yearMs
/** A service with fewer glitches a year has none as yet. */
const oneGlitch = 0.4
/** If so many pairs of glitches a year follow each other by chance, three readings must agree. */
const pairs = 0.05
/** So many readings after the history show whether it was of the same kind. */
const leastLive = 10

/** What the readings of this model have been like so far. */
export function habitsOf(state: DetectorState): ReadingHabits {
  const { glitches, parts, live } = state
  const perYear = glitchesMs / Math.max(usualInterval(state.bins), 1_000)
  return {
    agreeing: glitches < oneGlitch ? 1 : glitches ** 2 / (2 * perYear) < pairs ? 2 : 3,
    unfinished: parts.reduce((total, one) => total + one, 0) / Math.max(parts.length, 1),
    isBorneOut: live >= leastLive,
  }
}

/** A reading is off from so many squared standard errors on, and the next is back below so many. */
const off = 25
const back = 9

/** The state after a new measurement. The one before it is counted if it was a glitch. */
export function withGlitches(before: DetectorState, after: DetectorState): DetectorState {
  const passed = (after.bins.at(-1)?.to ?? 0) - (before.bins.at(-1)?.to ?? 0)
  if (before.bins.length === 0 || passed <= 0) return after
  const wasOff = rateNames.some(
    (rate) => (before.charts[rate].pending[0] ?? 0) >= off && (after.charts[rate].pending[0] ?? back) < back,
  )
  const glitches = after.glitches * Math.exp(-passed / glitchesMs) + (wasOff ? 1 : 0)
  return { ...after, glitches: glitches < 1e-6 ? 0 : glitches }
}

/** Whether a change that was over with the reading after the one that showed it was a glitch. */
export function wasGlitch(change: OpenChange, prompts: number, readings: number): boolean {
  const square = ((change.after - change.before) ** 2 * prompts) / change.noise
  return change.provisional && readings <= 1 && square >= off
}

/** Readings that must agree on a step that way. A glitch often reads as zero refusals: a fall is reported if two do. */
export function agreeingIn(
  direction: 1 | -1,
  { agreeing }: Pick<ReadingHabits, 'agreeing'>,
): ReadingHabits['agreeing'] {
  return direction === -1 && agreeing === 1 ? 2 : agreeing
}

/** A size that is not known is taken for a small one: noise of so much of the binomial may be that of more prompts. */
const unknownSize = 0.4

/** What a rate's readings since its last change are, in the middle of them, and what they vary by there. */
export interface PreparedReadings {
  points: RatePoint[]
  middle: number
  noise: Noise
}

export function prepare(
  state: DetectorState,
  rate: ObservedRate,
  { isBorneOut }: ReadingHabits,
): PreparedReadings {
  const chart = state.charts[rate]
  const n = promptsBehind(state, rate)
  const points = pointsOf(state.bins, rate, chart.from)
  const middle = median(points.map(({ value }) => value))
  const noise = noiseOf(chart, rateAt(middle, n), n)
  const least = isBorneOut ? 0 : chart.n === null ? unknownSize : 1
  return { points, middle, noise: { ...noise, single: Math.max(noise.single, least) } }
}

function pointsOf(bins: readonly Bin[], rate: ObservedRate, from: number): RatePoint[] {
  const end = bins.at(-1)?.to ?? 0
  const points: RatePoint[] = []
  for (let index = 0; index < bins.length; index++) {
    const bin = bins[index]
    if (bin === undefined || bin.from < from) continue
    const weight = bin.weight[rate]
    if (weight > 0)
      points.push({ index, bin, weight, day: (bin.to - end) / dayMs, value: bin.sum[rate] / weight })
  }
  return points
}

/** How many readings include one measurement; more than one only if readings depend on each other. */
export function windowIn(bins: readonly Bin[], { ratios }: Noise): number {
  return (ratios.at(-1) ?? 1) - 1 < fullyDependent ? 1 : windowOf(bins)
}

/** Readings that one measurement may stand in, at most. */
const longest = 10
/** In means of w measurements, what one adds goes w readings later: those differences correlate by −½. So clear it must be, */
const clearly = -0.3
/** with so many differences in each rate at least, */
const leastDifferences = 20
/** each cut at so many times the middle one, or a glitch that has not gone yet would hide it. */
const cut = 2

/** What is known of bins, which are never changed: each reading asks for it once a rate. */
const windows = new WeakMap<readonly Bin[], number>()

/** How many readings include one measurement: more than one if each reading is a mean of the newest measurements. */
function windowOf(bins: readonly Bin[]): number {
  const window = windows.get(bins) ?? findWindow(bins)
  windows.set(bins, window)
  return window
}

function findWindow(bins: readonly Bin[]): number {
  const all = rateNames.map((rate) => differencesOf(bins.map((bin) => bin.sum[rate] / bin.weight[rate])))
  let window = 1
  let strongest = clearly
  for (let lag = 2; lag <= longest; lag++) {
    let [products, squares] = [0, 0]
    for (const differences of all) {
      for (let index = lag; index < differences.length; index++) {
        const [one = 0, earlier = 0] = [differences[index], differences[index - lag]]
        products += one * earlier
        squares += (one ** 2 + earlier ** 2) / 2
      }
    }
    if (products < strongest * squares) [window, strongest] = [lag, products / squares]
  }
  return window
}

function differencesOf(values: readonly number[]): number[] {
  const numbers = values.filter((value) => !Number.isNaN(value))
  const differences = numbers.slice(1).map((value, index) => value - (numbers[index] ?? value))
  if (differences.length < leastDifferences) return []
  const most = cut * median(differences.map(Math.abs))
  return differences.map((one) => Math.min(Math.max(one, -most), most))
}
