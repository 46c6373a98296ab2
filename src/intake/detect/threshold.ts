import { yearMs } from '../../platform/durations.ts'
import type { ObservedRate } from './observation.ts'
import { upperQuantile } from './scale.ts'
import { binomialQuantile, type ExpectedReadings } from './tail.ts'

/** False alarms that a year of one model may have by chance, over all rates and both directions. */
const perYear = 0.08
/**
 * How that is spent. A rise of all prompts is what a newsroom waits for most, and 500 prompts show it best; what one
 * category alone does is seen in that category.
 */
const share: Record<'rise' | 'fall', Record<ObservedRate, number>> = {
  rise: { overall: 0.8, political: 0.04, safety: 0.04, social: 0.04 },
  fall: { overall: 0.02, political: 0.02, safety: 0.02, social: 0.02 },
}
/** The scans of neighbouring readings overlap; so many independent looks is one worth (measured on the simulation). */
const looksPerReading = 2

/**
 * The last reading, the last two, … are looked at together. What takes more readings must be clearer, in units of twice
 * the log-likelihood: most false alarms would be long ones, and a step that matters is seen within a few readings.
 */
const penalty = 1.25

/** What makes a difference of so many standard errors less surprising than the normal distribution says. */
export interface NoiseDoubt {
  /** Part of the noise that was learnt and is not binomial, from 0 to 1; and from how many independent pieces. */
  learnt: number
  pieces: number
  /** By how much means of readings vary more than independent ones would, at the longest; 0 where they do not. */
  dependence: number
}

/** Where readings hang together, what is learnt of it holds only on average: every threshold is higher by this part, */
const doubtDependent = 0.12
/** fully so from this dependence on. */
export const fullyDependent = 0.3

/** Standard errors that a single reading must exceed. `interval` between readings in milliseconds: more looks, a higher threshold. */
export function firstThreshold(rate: ObservedRate, direction: 1 | -1, interval: number): number {
  const looks = (yearMs / Math.max(interval, 1_000)) * looksPerReading
  return upperQuantile((perYear * share[direction === 1 ? 'rise' : 'fall'][rate]) / looks)
}

/**
 * Standard errors from which on a step of so many readings is found, if they were normally distributed: more for more
 * readings, and where the noise is known from few independent pieces (Student's t, its first two terms).
 */
export function normalThreshold(
  first: number,
  readings: number,
  { learnt, pieces, dependence }: NoiseDoubt,
): number {
  const doubt = 1 + doubtDependent * Math.min(1, dependence / fullyDependent)
  const plain = doubt * Math.sqrt(first ** 2 + penalty * Math.log(readings))
  const free = Math.max(pieces, 2)
  const heavy =
    (plain ** 3 + plain) / (4 * free) + (5 * plain ** 5 + 16 * plain ** 3 + 3 * plain) / (96 * free ** 2)
  return plain + learnt * heavy
}

/** The same for refusals, which are binomial. */
export function threshold(first: number, expected: ExpectedReadings, doubt: NoiseDoubt): number {
  return binomialQuantile(normalThreshold(first, expected.readings, doubt), expected)
}
