import { promptsBehind, usualInterval } from './bins.ts'
import { habitsOf } from './habits.ts'
import { at, factor } from './noise.ts'
import { perRate } from './observation.ts'
import { rateAt } from './scale.ts'
import type { DetectorState } from './state.ts'
import { leastBaseline, partOfThreshold, prepare, roundingError } from './step.ts'
import { firstThreshold, normalThreshold } from './threshold.ts'
import { unrestNow } from './unrest.ts'

/** Readings of which a step is to be found; a change that takes more is as good as not found. */
const within = [1, 2, 3, 4, 6, 8]
/** Percentage points that should be found, or operators are to know: what the first reading shows where nothing is amiss. */
const worthKnowing = 10
/** What raises the variance by half is named as the reason. */
const clearly = 0.5

/**
 * Why a rise of all prompts by so many points would not be found within some readings, and what would help, in words;
 * undefined where it would be found.
 */
export function outOfReach(state: DetectorState): string | undefined {
  const newest = state.bins.findLast(({ weight }) => weight.overall > 0)
  if (newest === undefined) return undefined
  const readings = state.bins.reduce((sum, bin) => sum + (bin.weight.overall > 0 ? bin.readings : 0), 0)
  if (readings < leastBaseline)
    return `only ${readings} of its readings are known; from ${leastBaseline} on it is judged`

  const n = promptsBehind(state, 'overall')
  const habits = habitsOf(state)
  const noises = perRate((rate) => prepare(state, rate, habits).noise)
  const { overall: noise } = noises
  const level = newest.sum.overall / newest.weight.overall
  // Near the end of the scale there is no room for it.
  if (rateAt(level, n) > 0.8) return undefined
  const first = firstThreshold('overall', 1, usualInterval(state.bins))
  const rounding = roundingError(state.grid.overall, rateAt(level, n), noise.single / n)
  const { overall: unrest } = unrestNow(state, noises)
  const dependence = (noise.ratios.at(-1) ?? 1) - 1
  // Where several readings must agree, no single one counts for more than this.
  const most = first * partOfThreshold[habits.agreeing] * Math.sqrt(noise.single / n)
  let least = Number.POSITIVE_INFINITY
  for (const count of within) {
    const multiple = factor(noise, count) * unrest
    const learnt = Math.abs(multiple - 1) / Math.max(multiple, 1)
    const pieces = at(noise.pieces, count)
    const limit = normalThreshold(first, count, { learnt, pieces, dependence })
    const step = rounding + limit * Math.sqrt(multiple / (n * count))
    if (step > most) continue
    least = Math.min(least, 100 * (rateAt(Math.min(Math.PI, level + step), n) - rateAt(level, n)))
  }
  if (least <= worthKnowing) return undefined
  const what =
    least === Number.POSITIVE_INFINITY
      ? `no change is found within ${within.at(-1)} readings`
      : `changes of less than ${Math.round(least)} points are not found`
  const grid = rounding * Math.sqrt(n / noise.single) > first ? state.grid.overall : 0
  return `${what}, since ${reasonFor({ grid, dependence, agreeing: habits.agreeing, unrest })}`
}

interface Obstacles {
  /** Rates are rounded to multiples of this, more than noise hides; else 0. */
  grid: number
  dependence: number
  agreeing: number
  unrest: number
}

/** What stands most in the way, and what would help. */
function reasonFor({ grid, dependence, agreeing, unrest }: Obstacles): string {
  if (grid > 0) return `its rates are multiples of ${Math.round(grid * 100)} %; more digits would help`
  if (dependence >= clearly)
    return 'its readings hang together from one to the next; rarer, separate readings would help'
  if (unrest >= 1 + clearly)
    return `its readings lately vary ${unrest.toFixed(1)} times as much as they did; it passes, or becomes what is usual`
  if (agreeing > 1)
    return `single readings were far off, so that ${agreeing} must agree; a year without such would help`
  return 'its readings vary so much; more prompts would help'
}
