import type { RateName } from './observation.ts'

/** Every figure that led to a finding about a rate. Rates are fractions from 0 to 1. */
export interface Figures {
  /** Mean of the readings after the step, and of the baseline. */
  rate: number
  baseline: number
  /** Readings after the step, and prompts behind each; null where the service does not say how many. */
  readings: number
  n: number | null
  baselineReadings: number
  baselineDays: number
  /** The scan statistic: the step in standard errors, both sides' sampling error and the noise below included. */
  standardErrors: number
  /** What it had to exceed, at so many readings a year. */
  threshold: number
  readingsPerYear: number
  /** Variance of a reading as a multiple of the binomial, as learnt. */
  noise: number
  /** Part of the difference that the drift of the baseline explains; subtracted before the test. Fraction. */
  drift: number
}

/** A change that polling found, or more about one that it found before. */
export interface Finding {
  kind: 'spike' | 'policy_change'
  /**
   * `provisional` rests on one reading, `found` on more; `drift` is no step. What completes an earlier finding says what
   * became of it: the next reading did not bear it out (`withdrawn`), it `ended`, or it `stayed`.
   */
  status: 'provisional' | 'found' | 'drift' | 'withdrawn' | 'ended' | 'stayed'
  /** The rate that shows it most clearly; null where only the version label changed. */
  category: RateName | null
  direction: 'rise' | 'fall' | null
  /** Time of the first reading that shows it, and of the one at which it was found; ISO 8601, UTC. */
  since: string
  foundAt: string
  version: { from: string; to: string } | null
  figures: Figures | null
  /** The earlier finding of which this is more, not news: a spike that stayed, the step after a new version. */
  completes: { kind: 'spike' | 'policy_change'; category: RateName | null; since: string } | null
  sentence: string
}

/** "30 % of 500, against 18 % over 30 days; 6.7 standard errors". */
export function sentenceOf(figures: Figures | null, version: Finding['version'], ending = ''): string {
  const label = version === null ? [] : [`version ${version.from} became ${version.to}`]
  const step = figures === null ? [] : [stepInWords(figures)]
  return `${[...label, ...step].join('; ')}${ending}`
}

function stepInWords(figures: Figures): string {
  const { rate, n, readings, baseline, baselineDays, standardErrors } = figures
  // Half a point decides whether "20 %" against "20 %" is read.
  const digits = Math.abs(rate - baseline) < 0.03 ? 1 : 0
  const percent = (fraction: number) => `${(fraction * 100).toFixed(digits)} %`
  const of = n === null ? '' : ` of ${n}`
  const over = readings === 1 ? '' : ` in ${readings} readings`
  const days = baselineDays === 1 ? '1 day' : `${baselineDays} days`
  return `${percent(rate)}${of}${over}, against ${percent(baseline)} over ${days}; ${standardErrors.toFixed(1)} standard errors`
}
