import { yearMs } from '../../platform/durations.ts'
import { usualInterval } from './bins.ts'
import { rateNames } from './observation.ts'
import { median } from './scale.ts'
import type { Bin, DetectorState, OpenChange } from './state.ts'
import type { ReadingHabits } from './step.ts'

/** A glitch that is so long ago counts for e⁻¹. */
const glitchesMs = yearMs
/** A service with fewer glitches a year has none as yet. */
const oneGlitch = 0.4
/** Where so many pairs of glitches a year follow each other by chance, three readings must agree. */
const pairs = 0.05
/** Readings after the end of the history that tell whether it was of the same kind. */
const leastLive = 10

/** Measurements of which it is known how they come. */
const leastParts = 1

/** What the readings of this model have been like so far. */
export function habitsOf(state: DetectorState): ReadingHabits {
  const { glitches, parts, live } = state
  const perYear = glitchesMs / Math.max(usualInterval(state.bins), 1_000)
  return {
    agreeing: glitches < oneGlitch ? 1 : glitches ** 2 / (2 * perYear) < pairs ? 2 : 3,
    unfinished: parts.reduce((total, one) => total + one, 0) / Math.max(parts.length, leastParts),
    isBorneOut: live >= leastLive,
  }
}

/** A reading is off from so many squared standard errors on, and the next is back below so many. */
const off = 25
const back = 9

/** The state after a measurement of its own, with the glitch that the one before it was, if it was one. */
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

/** In how many readings one measurement stands: more than one where each is a mean of the newest measurements. */
export function windowOf(bins: readonly Bin[]): number {
  const known = windows.get(bins) ?? findWindow(bins)
  windows.set(bins, known)
  return known
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
  const known = values.filter((value) => !Number.isNaN(value))
  const differences = known.slice(1).map((value, index) => value - (known[index] ?? value))
  if (differences.length < leastDifferences) return []
  const most = cut * median(differences.map(Math.abs))
  return differences.map((one) => Math.min(Math.max(one, -most), most))
}
