import type { RateName } from './observation.ts'
import { upperQuantile } from './scale.ts'

const yearMs = 365 * 86_400_000

/** False alarms that a year of one model may have by chance, over all rates and both directions. */
const perYear = 0.06
/**
 * How that is spent. A rise of all prompts is what a newsroom waits for most, and 500 prompts show it best; what one
 * category alone does is seen in that category.
 */
const share: Record<'rise' | 'fall', Record<RateName, number>> = {
  rise: { overall: 0.5, political: 0.1, safety: 0.1, social: 0.1 },
  fall: { overall: 0.08, political: 0.04, safety: 0.04, social: 0.04 },
}
/** The last reading, the last two, … are looked at together; so many independent looks is that worth (measured on the simulation). */
const looksPerReading = 2

/** Standard errors from which on a step is found. `interval` between readings in milliseconds: more looks, a higher threshold. */
export function threshold(rate: RateName, direction: 1 | -1, interval: number): number {
  const looks = (yearMs / Math.max(interval, 1_000)) * looksPerReading
  return upperQuantile((perYear * share[direction === 1 ? 'rise' : 'fall'][rate]) / looks)
}
