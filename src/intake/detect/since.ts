import { Baseline, LaterReadings } from './baseline.ts'
import { promptsBehind, usualInterval } from './bins.ts'
import { type FindingFigures, figuresOf } from './finding.ts'
import { habitsOf, prepare } from './habits.ts'
import { type ObservedRate, perRate } from './observation.ts'
import { rateAt } from './scale.ts'
import type { DetectorState, OpenChange } from './state.ts'
import { leastAfterChange, leastBaseline, roundingError, stepAt } from './step.ts'
import { unrestIn } from './unrest.ts'

/**
 * The readings from a time on (milliseconds since the epoch) against the baseline before it, judged as every step is. The
 * time was not chosen for what they show, so nothing is corrected for that. Undefined if there are too few of either.
 * `since`: the first reading from that time on. Pure.
 */
export function changeSince(
  state: DetectorState,
  rate: ObservedRate,
  from: number,
): { direction: 1 | -1; since: number; figures: FindingFigures } | undefined {
  const habits = habitsOf(state)
  const prepared = perRate((one) => prepare(state, one, habits))
  const { points, middle, noise } = prepared[rate]
  const least = state.charts[rate].from > 0 ? leastAfterChange : leastBaseline
  const base = new Baseline(middle, noise.single)
  const rest = new LaterReadings(points)
  const n = promptsBehind(state, rate)
  for (const point of points) {
    if (point.bin.to < from) {
      rest.remove(point)
      base.add(point)
      continue
    }
    if (base.readings < least) return undefined
    const noises = perRate((one) => prepared[one].noise)
    const step = stepAt(point, base.compare(rest.mean, rest.day), {
      rate,
      base,
      rest,
      noise,
      unrest: unrestIn(state, noises)[point.index]?.[rate] ?? 1,
      unfinished: habits.unfinished * (state.bins.at(-1)?.weight[rate] ?? 0),
      rounding: roundingError(state.grid[rate], rateAt(middle, n), noise.single / n),
    })
    const baselineFrom = points[0]?.bin.from ?? step.since
    const whole = { ...step, baselineFrom, threshold: Number.POSITIVE_INFINITY, margin: 0, dependence: 0 }
    const figures = figuresOf(state, whole, usualInterval(state.bins))
    return { direction: step.direction, since: step.since, figures }
  }
  return undefined
}

/** The state with the baselines that a change found ended: it can be judged again. */
export function withBaselinesBefore(state: DetectorState, { covers }: OpenChange): DetectorState {
  const charts = perRate((rate) => ({
    ...state.charts[rate],
    from: covers[rate] ?? state.charts[rate].from,
  }))
  return { ...state, charts }
}
