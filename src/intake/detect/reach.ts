import { dayMs } from '../../platform/durations.ts'
import { promptsBehind, usualInterval } from './bins.ts'
import { agreeingIn, habitsOf, prepare, windowIn } from './habits.ts'
import { at, factor, type Noise } from './noise.ts'
import { perRate } from './observation.ts'
import { rateAt, stabilise } from './scale.ts'
import type { DetectorState } from './state.ts'
import { leastBaseline, longestBack, roundingError } from './step.ts'
import { firstThreshold, normalThreshold } from './threshold.ts'
import { unrestNow } from './unrest.ts'

/** Percentage points that should be found one time in two, or operators are to know, */
const worthKnowing = 10
/** and within how many days. A change that takes more is as good as not found. */
const withinDays = 14
/** Nearer to an end of the scale there is no room for it: fraction. */
const room = 0.13
/** What raises the variance by half is named as the reason. */
const clearly = 0.5

/** What all prompts' readings are, and what stands in the way of a change of them. */
interface DetectionReach {
  level: number
  n: number
  noise: Noise
  interval: number
  /** Rates are rounded to multiples of this; 0 if that is not known. And the error of that, on the stabilised scale. */
  grid: number
  rounding: number
  unrest: number
  /** Readings in which one measurement stands. */
  window: number
}

/**
 * A sentence if a change of all prompts by ten points would be found within a fortnight less than half of the time: why, and
 * what would help. Undefined if it would be found.
 */
export function outOfReach(state: DetectorState): string | undefined {
  const newest = state.bins.findLast(({ weight }) => weight.overall > 0)
  if (newest === undefined) return undefined
  const readings = state.bins.reduce((sum, bin) => sum + (bin.weight.overall > 0 ? bin.readings : 0), 0)
  if (readings < leastBaseline)
    return `only ${readings} of its readings are known; detection starts with ${leastBaseline}`

  const n = promptsBehind(state, 'overall')
  const habits = habitsOf(state)
  const noises = perRate((rate) => prepare(state, rate, habits).noise)
  const { overall: noise } = noises
  const level = newest.sum.overall / newest.weight.overall
  const rate = rateAt(level, n)
  const sight: DetectionReach = {
    level,
    n,
    noise,
    interval: usualInterval(state.bins),
    grid: state.grid.overall,
    rounding: roundingError(state.grid.overall, rate, noise.single / n),
    unrest: unrestNow(state, noises).overall,
    window: windowIn(state.bins, noise),
  }
  const rise = rate > 1 - room ? 0 : leastFound(sight, 1, agreeingIn(1, habits))
  const fall = rate < room ? 0 : leastFound(sight, -1, agreeingIn(-1, habits))
  if (Math.max(rise, fall) <= worthKnowing) return undefined
  const [what, direction, least] =
    rise <= worthKnowing
      ? (['falls', -1, fall] as const)
      : fall <= worthKnowing
        ? (['rises', 1, rise] as const)
        : (['changes', 1, Math.min(rise, fall)] as const)
  const size = least === Number.POSITIVE_INFINITY ? '' : ` of less than ${Math.ceil(least)} points`
  return `${what}${size} are not found within a fortnight, since ${reasonFor(sight, agreeingIn(direction, habits), direction)}`
}

/** Percentage points of a change that every other time is found in time. */
function leastFound(
  { level, n, noise, interval, rounding, unrest, window }: DetectionReach,
  direction: 1 | -1,
  agreeing: number,
): number {
  const first = firstThreshold('overall', direction, interval)
  const dependence = (noise.ratios.at(-1) ?? 1) - 1
  const most = (Math.min(withinDays, longestBack(interval)) * dayMs) / interval
  let least = Number.POSITIVE_INFINITY
  for (let count = 1; count <= most; count = Math.max(count + 1, Math.round(1.4 * count))) {
    // The first reading shows it and others bear it out, or all do together.
    const isFirst = count === 1 && agreeing > 1 && window === 1
    if (isFirst ? agreeing > most : count < agreeing) continue
    const multiple = factor(noise, count) * unrest
    const learnt = Math.abs(multiple - 1) / Math.max(multiple, 1)
    const pieces = at(noise.pieces, count)
    const doubted = isFirst ? 0 : dependence
    const limit = normalThreshold(first, count, { learnt, pieces, dependence: doubted })
    const step = rounding + limit * Math.sqrt(multiple / (n * count))
    const reached = level + direction * step
    if (reached < stabilise(0, n) || reached > stabilise(1, n)) continue
    least = Math.min(least, 100 * Math.abs(rateAt(reached, n) - rateAt(level, n)))
  }
  return least
}

/** What stands most in the way, and what would help. */
function reasonFor(
  { interval, grid, rounding, n, noise, unrest }: DetectionReach,
  agreeing: number,
  direction: 1 | -1,
): string {
  const days = interval / dayMs
  if (agreeing * days > withinDays)
    return `its readings are ${Math.round(days)} days apart; more frequent readings would help`
  if (rounding * Math.sqrt(n / noise.single) > firstThreshold('overall', direction, interval))
    return `its rates are multiples of ${Math.round(grid * 100)} %; more digits would help`
  if ((noise.ratios.at(-1) ?? 1) >= 1 + clearly)
    return 'each of its readings depends on the one before; rarer, separate readings would help'
  if (unrest >= 1 + clearly)
    return `its latest readings vary ${unrest.toFixed(1)} times as much as before; this passes, or becomes normal`
  if (agreeing > agreeingIn(direction, { agreeing: 1 }))
    return `it had outliers, so ${agreeing} readings must agree; a year without outliers would help`
  return 'its readings vary so much; more prompts would help'
}
