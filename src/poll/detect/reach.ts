import { promptsBehind, usualInterval } from './bins.ts'
import { at, factor, noiseOf } from './noise.ts'
import { rateAt } from './scale.ts'
import type { DetectorState } from './state.ts'
import { leastBaseline } from './step.ts'
import { firstThreshold, threshold } from './threshold.ts'

/** Readings of which a step is to be found; a change that takes more is as good as not found. */
const within = 8
/** Percentage points that should be found, or operators are to know. */
const worthKnowing = 15

/**
 * Why a rise of all prompts by so many points would not be found within some readings, in words; undefined where it
 * would be.
 */
export function outOfReach(state: DetectorState): string | undefined {
  const newest = state.bins.findLast(({ weight }) => weight.overall > 0)
  if (newest === undefined) return undefined
  const readings = state.bins.reduce((sum, bin) => sum + (bin.weight.overall > 0 ? bin.readings : 0), 0)
  if (readings < leastBaseline)
    return `only ${readings} readings are known so far; ${leastBaseline} are needed`
  const n = promptsBehind(state, 'overall')
  const first = firstThreshold('overall', 1, usualInterval(state.bins))
  const level = newest.sum.overall / newest.weight.overall
  const noise = noiseOf(state.charts.overall, rateAt(level, n), n)
  let least = Number.POSITIVE_INFINITY
  for (let count = 1; count <= within; count *= 2) {
    const multiple = factor(noise, count)
    const dependence = (noise.ratios.at(-1) ?? 1) - 1
    const learnt = Math.abs(multiple - 1) / Math.max(multiple, 1)
    const limit = threshold(first, {
      readings: count,
      skew: 0,
      learnt,
      pieces: at(noise.pieces, count),
      dependence,
    })
    const up = Math.min(Math.PI, level + limit * Math.sqrt(multiple / (n * count)))
    least = Math.min(least, 100 * (rateAt(up, n) - rateAt(level, n)))
  }
  // Near the end of the scale there is no room for it.
  if (least <= worthKnowing || rateAt(level, n) > 0.8) return undefined
  const why = noise.ratios.at(-1) === 1 ? 'they vary so much' : 'they hang together from one to the next'
  return `changes of less than ${Math.round(least)} points are not found, since ${why}; more prompts or rarer, separate readings would help`
}
