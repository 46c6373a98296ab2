import { dayMs } from '../../platform/durations.ts'
import { usualInterval } from './bins.ts'
import { sameChangeMs } from './changes.ts'
import type { DetectorState } from './state.ts'
import type { RateStep } from './step.ts'

/** A slope that took less time is a step for all that readings show. */
const leastDays = 14
const leastReadings = 10
/**
 * By chance, a drift can look like a step. It is called a drift unless a step fits better by this much, in squared standard
 * errors. If this applies from four readings on, a drift of a point a week was reported as a step in 0.18 years instead of
 * 0.12. Of steps of five points, 9 % were then called a drift instead of 12 % (100 each, seeds from 1).
 */
const doubt = 5

/**
 * When the drift began that explains the readings better than a step does: level, then a straight line to the newest
 * reading. Null if a step at any of them is the better explanation.
 */
export function driftOf(
  state: DetectorState,
  { rate, direction, baselineFrom, since, noise }: RateStep,
): number | null {
  const points = state.bins
    .filter((bin) => bin.from >= baselineFrom && bin.weight[rate] > 0)
    .map((bin) => ({ at: bin.from, weight: bin.weight[rate], y: bin.sum[rate] / bin.weight[rate] }))
  const end = points.at(-1)?.at ?? 0
  // What changed while nothing was read was a step as likely as a drift.
  const last = points.findLast(({ at }) => at < since)?.at ?? since
  const wasRead = since - last <= sameChangeMs(usualInterval(state.bins))
  let [step, ramp] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let began: number | null = null
  for (const [index, { at }] of points.entries()) {
    if (index === 0) continue
    const misfitOfStep = misfit(points, (point) => (point.at >= at ? 1 : 0), direction)
    step = Math.min(step, misfitOfStep)
    if (end - at < leastDays * dayMs || points.length - index < leastReadings) continue
    const misfitHere = misfit(points, (point) => Math.max(0, point.at - at) / dayMs, direction)
    if (misfitHere < ramp) [ramp, began] = [misfitHere, at]
  }
  return ramp < step + (wasRead ? doubt * noise : 0) ? began : null
}

/** Weighted squares that are left of the best fit of a level and this shape, which must go that way. */
function misfit<Point extends { weight: number; y: number }>(
  points: readonly Point[],
  shape: (point: Point) => number,
  direction: 1 | -1,
): number {
  let [sum, sumX, sumY, sumXX, sumXY, sumYY] = [0, 0, 0, 0, 0, 0]
  for (const point of points) {
    const { weight, y } = point
    const x = shape(point)
    sum += weight
    sumX += weight * x
    sumY += weight * y
    sumXX += weight * x * x
    sumXY += weight * x * y
    sumYY += weight * y * y
  }
  const [spread, covariance] = [sumXX - sumX ** 2 / sum, sumXY - (sumX * sumY) / sum]
  const left = sumYY - sumY ** 2 / sum
  return spread <= 0 || covariance * direction <= 0 ? left : left - covariance ** 2 / spread
}
