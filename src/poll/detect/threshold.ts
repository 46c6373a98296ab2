import type { RateName } from './observation.ts'
import { upperQuantile } from './scale.ts'

const yearMs = 365 * 86_400_000

/** False alarms that a year of one model may have by chance, over all rates and both directions. */
const perYear = 0.105
/**
 * How that is spent. A rise of all prompts is what a newsroom waits for most, and 500 prompts show it best; what one
 * category alone does is seen in that category.
 */
const share: Record<'rise' | 'fall', Record<RateName, number>> = {
  rise: { overall: 0.77, political: 0.05, safety: 0.05, social: 0.05 },
  fall: { overall: 0.02, political: 0.02, safety: 0.02, social: 0.02 },
}
/** The scans of neighbouring readings overlap; so many independent looks is one worth (measured on the simulation). */
const looksPerReading = 2

/**
 * The last reading, the last two, … are looked at together. What takes more readings must be clearer, in units of twice
 * the log-likelihood: most false alarms would be long ones, and a step that matters is seen within a few readings.
 */
const penalty = 1.25

/** Standard errors from which on a step is found. `interval` between readings in milliseconds: more looks, a higher threshold. */
export function threshold(rate: RateName, direction: 1 | -1, interval: number, readings: number): number {
  const looks = (yearMs / Math.max(interval, 1_000)) * looksPerReading
  const single = upperQuantile((perYear * share[direction === 1 ? 'rise' : 'fall'][rate]) / looks)
  return Math.sqrt(single ** 2 + penaltyFor(readings))
}

/** Of two cases for a step, that with the higher squared standard errors less this is the better. */
export function penaltyFor(readings: number): number {
  return penalty * Math.log(readings)
}
