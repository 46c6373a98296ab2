import { observe } from './detect.ts'
import type { Finding } from './finding.ts'
import { learnNoise, squaredDifferences } from './noise.ts'
import { type Observation, perRate } from './observation.ts'
import { type DetectorState, emptyState } from './state.ts'

/**
 * A detector that has seen a history, in any order; a year of it teaches the noise best. The changes that are in it
 * come with it, oldest first: to be summed up, not to be alerted as news. Points without a readable time are left out.
 */
export function learn(history: readonly Observation[]): { state: DetectorState; findings: Finding[] } {
  const points = history
    .filter(({ at }) => !Number.isNaN(Date.parse(at)))
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  const first = emptyState()
  const noises = perRate((rate) => learnNoise(squaredDifferences(points, rate)))
  let state: DetectorState = {
    ...first,
    charts: perRate((rate) => ({ ...first.charts[rate], ...noises[rate] })),
  }
  const findings: Finding[] = []
  for (const point of points) {
    const observed = observe(state, { ...point, lastUpdated: point.at })
    findings.push(...observed.findings)
    state = observed.state
  }
  // A live reading may be the last point again, under a time that the history rounds: then its rates tell.
  const last = state.last && { ...state.last, updated: null }
  // The replay has counted every difference twice.
  const charts = perRate((rate) => ({ ...state.charts[rate], ...noises[rate] }))
  return { state: { ...state, charts, last, troubles: {} }, findings }
}
