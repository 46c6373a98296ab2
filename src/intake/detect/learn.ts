import { judge } from './detect.ts'
import { withScans } from './find.ts'
import type { Finding } from './finding.ts'
import { firstNoise } from './noise.ts'
import {
  type Observation,
  type ObservedRate,
  type PerRate,
  perRate,
  rateNames,
  readObservation,
} from './observation.ts'
import { type DetectorState, emptyState } from './state.ts'
import { noveltyOf, withTaken } from './take.ts'

/** Steps of a grid on which a service may write its rates, and from how many readings that can be seen. */
const grids = [0.1, 0.05, 0.02, 0.01, 0.005]
const leastForGrid = 20

/**
 * A detector that has seen a history, in any order; a year of it teaches the noise best. The changes that are in it
 * come with it, oldest first: to be summed up, not to be alerted as news. Points without a readable time are left out.
 */
export function learn(history: readonly Observation[]): { state: DetectorState; findings: Finding[] } {
  const points = history
    .filter(({ at }) => !Number.isNaN(Date.parse(at)))
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map((point) => ({ ...point, lastUpdated: point.at }))
  const first = emptyState()
  const noises = firstLook(points)
  let state: DetectorState = {
    ...first,
    grid: perRate((rate) => gridOf(points, rate)),
    charts: perRate((rate) => ({ ...first.charts[rate], ...noises[rate] })),
  }
  const findings: Finding[] = []
  for (const point of points) {
    const judged = judge(state, point, new Map())
    findings.push(...judged.findings)
    // A point of a history is complete: none is more of the one before it.
    state = { ...judged.after, begun: 0 }
  }
  // A live reading may be the last point again, under a time that the history rounds: then its rates tell.
  const last = state.last && { ...state.last, updated: null }
  return { state: { ...state, last, live: 0, parts: [], arrivals: [], troubles: {} }, findings }
}

/** What all readings differ by from those before them, whatever changes there are among them. */
function firstLook(points: readonly Observation[]): PerRate<ReturnType<typeof firstNoise>> {
  const squares = perRate((): number[][] => [])
  let state = emptyState()
  for (const point of points) {
    const { reading } = readObservation(point)
    if (reading === null || noveltyOf(state, reading, reading.time) !== 'new') continue
    if (rateNames.every((rate) => reading.rates[rate] === null)) continue
    state = withScans(withTaken(state, reading, false)).state
    for (const rate of rateNames) {
      for (const [index, square] of state.charts[rate].pending.entries()) {
        squares[rate][index] ??= []
        if (square !== null) squares[rate][index].push(square)
      }
    }
  }
  return perRate((rate) => firstNoise(squares[rate]))
}

/** The coarsest grid on which all rates of the history lie, where that is coarser than the prompts are; else 0. */
function gridOf(points: readonly Observation[], rate: ObservedRate): number {
  const readings = points.flatMap(({ rates, counts }) => {
    const value = rates[rate]
    return typeof value === 'number' && value > 0 && value < 1 ? [{ value, n: counts[rate] ?? 100 }] : []
  })
  if (readings.length < leastForGrid) return 0
  const finest = 1.5 / Math.min(...readings.map(({ n }) => n))
  const lie = (grid: number) =>
    readings.every(({ value }) => Math.abs(value / grid - Math.round(value / grid)) < 1e-6)
  return grids.find((grid) => grid > finest && lie(grid)) ?? 0
}
