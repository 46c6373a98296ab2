import { dayMs, yearMs } from '../../platform/durations.ts'
import { counted, percentText, signed } from '../../platform/text.ts'
import { promptsBehind } from './bins.ts'
import type { ObservedRate } from './observation.ts'
import { rateAt, sizeOf } from './scale.ts'
import type { DetectorState } from './state.ts'
import type { RateStep } from './step.ts'

/** Every figure that led to a finding about a rate. Rates are fractions from 0 to 1. */
export interface FindingFigures {
  /** Mean of the readings after the step, and of the baseline. */
  rate: number
  baseline: number
  /** Readings after the step, and prompts behind each; null if the service does not say how many. */
  readings: number
  n: number | null
  baselineReadings: number
  baselineDays: number
  /** Prompts that count, of the readings after the step and of the baseline, all together: more of them than usual are not believed. */
  prompts: number
  baselineN: number
  /** The change, corrected for having been selected, and its interval of 95 percent; fractions, signed. */
  size: number
  interval: [number, number]
  /** The scan statistic: the step in standard errors, both sides' sampling error and the noise below included. */
  standardErrors: number
  /** What it had to exceed, at so many readings a year. */
  threshold: number
  readingsPerYear: number
  /** Variance of a reading as a multiple of the binomial, as learnt. */
  noise: number
  /** What else the step may be wrong by: parts that have not come yet, the slope of the baseline, rounding. Fraction. */
  besides: number
  /** Part of the difference that the drift of the baseline explains; subtracted before the test. Fraction. */
  drift: number
}

/** What is less is nothing in a figure with one digit. */
const leastBesides = 0.0005

/** A change that polling found, or more about one that it found before. */
export interface Finding {
  kind: 'spike' | 'policy_change'
  /**
   * `provisional` rests on one reading, `found` on more; `drift` is no step. What completes an earlier finding says what
   * became of it: the next readings bore it out (`confirmed`) or did not (`withdrawn`), it `ended`, or it `stayed`.
   */
  status: 'provisional' | 'found' | 'drift' | 'confirmed' | 'withdrawn' | 'ended' | 'stayed'
  /** The rate that shows it most clearly; null if only the version label changed. */
  category: ObservedRate | null
  direction: 'rise' | 'fall' | null
  /** Time of the first reading that shows it, and of the one at which it was found; ISO 8601, UTC. */
  since: string
  foundAt: string
  version: { from: string; to: string } | null
  /** If it drifts: since when; ISO 8601, UTC. */
  driftSince?: string
  figures: FindingFigures | null
  /** The earlier finding that this continues: a spike that stayed, the step after a new version. */
  completes: { kind: 'spike' | 'policy_change'; category: ObservedRate | null; since: string } | null
  /** What is confirmed or withdrawn: the finding of that kind, found at that time. */
  judges?: { kind: 'spike' | 'policy_change'; foundAt: string }
  /** Where other models moved alike: how many of how many, and their median in percentage points. */
  alike?: { moved: number; others: number; points: number }
  sentence: string
}

/**
 * "+11.6 points (95%: 8.0 to 15.3), 30.0% of 500 against 18.1% of 14,500 in 29 readings; 6.2 standard errors, noise 1.0 ×
 * binomial": all that goes into it.
 */
export function sentenceOf(figures: FindingFigures | null, version: Finding['version'], ending = ''): string {
  const label = version === null ? [] : [`version ${version.from} became ${version.to}`]
  const step = figures === null ? [] : [stepInWords(figures)]
  return `${[...label, ...step].join('; ')}${ending}`
}

function stepInWords(figures: FindingFigures): string {
  const { rate, n, readings, baseline, baselineReadings, drift, standardErrors } = figures
  const percent = (fraction: number) => percentText(fraction * 100)
  const of = (prompts: number) => (n === null ? '' : ` of ${Math.round(prompts).toLocaleString('en')}`)
  const over = readings === 1 ? '' : ` in ${counted(readings, 'reading')}`
  const [from, to] = figures.interval.map((fraction) => (fraction * 100).toFixed(1).replace('-', '−'))
  const size = `${signed(figures.size * 100)} points (95%: ${from} to ${to})`
  const before = `${percent(baseline)}${of(figures.baselineN)} in ${counted(baselineReadings, 'reading')}`
  const drifting = Math.abs(drift) < 0.0005 ? '' : ` and a drift of ${signed(drift * 100)} points`
  const seen = `${percent(rate)}${of(figures.prompts)}${over} against ${before}${drifting}`
  return `${size}, ${seen}; ${standardErrors.toFixed(1)} standard errors, ${noiseInWords(figures)}`
}

function noiseInWords({ noise, besides }: FindingFigures): string {
  const binomial = `noise ${noise.toFixed(noise < 0.995 ? 2 : 1)} × binomial`
  return besides < leastBesides
    ? binomial
    : `${binomial} and a further error of ${(besides * 100).toFixed(1)} points`
}

/** Every figure of a step that was found, or of what became of it. `interval` between readings in milliseconds. */
export function figuresOf(state: DetectorState, step: RateStep, interval: number): FindingFigures {
  const n = promptsBehind(state, step.rate)
  const level = step.before + step.drift
  const error = step.standardErrors === 0 ? 0 : Math.abs(step.after - level) / step.standardErrors
  const likely = sizeOf(step.standardErrors, step.threshold)
  const points = (errors: number) => rateAt(level + step.direction * errors * error, n) - rateAt(level, n)
  const bounds: [number, number] = [points(likely.from), points(likely.to)]
  return {
    rate: rateAt(step.after, n),
    baseline: rateAt(step.before, n),
    readings: step.readings,
    n: state.charts[step.rate].n,
    baselineReadings: step.baselineReadings,
    baselineDays: Math.max(1, Math.round((step.since - step.baselineFrom) / dayMs)),
    prompts: step.prompts,
    baselineN: step.baselinePrompts,
    size: points(likely.size),
    interval: step.direction === 1 ? bounds : [bounds[1], bounds[0]],
    standardErrors: step.standardErrors,
    threshold: step.threshold,
    readingsPerYear: Math.round(yearMs / Math.max(interval, 1_000)),
    noise: step.noise,
    besides: besidesOf(step, error, n),
    drift: rateAt(level, n) - rateAt(step.before, n),
  }
}

/**
 * The part of the standard error that both rates, their prompts and the noise do not explain. A fraction, at the rate
 * half-way between them: there it is √(p(1 − p)) of the stabilised value.
 */
function besidesOf(
  { noise, prompts, baselinePrompts, after, before }: RateStep,
  error: number,
  n: number,
): number {
  const rest = error ** 2 - noise * (1 / prompts + 1 / baselinePrompts)
  const middle = rateAt((after + before) / 2, n)
  return rest <= 0 ? 0 : Math.sqrt(rest * middle * (1 - middle))
}
