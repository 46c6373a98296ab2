import { dayMs, yearMs } from '../../platform/durations.ts'
import { promptsBehind } from './bins.ts'
import type { FindingFigures } from './finding.ts'
import { rateAt } from './scale.ts'
import { sizeOf } from './size.ts'
import type { DetectorState } from './state.ts'
import type { RateStep } from './step.ts'

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
 * What a reader lacks to get the standard errors from both rates, their prompts and the noise; at the rate half-way, on
 * whose scale a fraction is √(p(1 − p)) of the stabilised.
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
