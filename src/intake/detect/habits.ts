import { yearMs } from '../../platform/durations.ts'
import { usualInterval } from './bins.ts'
import type { DetectorState } from './state.ts'
import type { ReadingHabits } from './step.ts'

/** A glitch that is so long ago counts for e⁻¹. */
export const glitchesMs = yearMs
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
