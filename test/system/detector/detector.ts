import { learn, observe } from '../../../src/intake/detect/detect.ts'
import type { Finding } from '../../../src/intake/detect/finding.ts'
import {
  type Observation,
  type ObservedRate,
  type PerRate,
  rateNames,
} from '../../../src/intake/detect/observation.ts'

export interface Detection {
  direction: 'rise' | 'fall' | null
  category: ObservedRate | null
  /** More about an earlier one, which is not reported anew. */
  completes: boolean
  version: boolean
  status: Finding['status']
  /** Of the change that it is about. */
  since: string
  /** As announced, percentage points; null where none is. */
  points: number | null
}

/** Learns a history once; each call then watches from its end. */
export type Detector = (history: readonly Observation[]) => () => (observation: Observation) => Detection[]

export const ours: Detector = (history) => {
  const learnt = learn(history).state
  return () => {
    let state = learnt
    return (observation) => {
      const observed = observe(state, observation)
      state = observed.state
      return observed.findings.map(({ direction, category, completes, version, figures, status, since }) => ({
        status,
        since: completes?.since ?? since,
        direction,
        category,
        completes: completes !== null,
        version: version !== null,
        points: figures === null ? null : 100 * figures.size,
      }))
    }
  }
}

/** Days for which a rival says nothing more in the same direction: without, each day of a lasting step would be an alarm. */
const silentDays = 7
const dayMs = 86_400_000
const prompts: PerRate<number> = { overall: 500, political: 200, safety: 200, social: 100 }

/**
 * A fixed threshold against the mean of the last so many readings: 1 compares two readings, 7 a reading with a week. In
 * points of the overall rate; a category of n prompts needs √(500/n) times as many, which is kinder than one for all.
 */
export function fixedThreshold(readings: number, points: number): Detector {
  return (history) => () => {
    let before: Observation[] = history.slice(-readings)
    const quietUntil = { rise: 0, fall: 0 }
    return (observation) => {
      const at = Date.parse(observation.at)
      // The history has no times of the service's own; live readings that are not newer are no readings.
      if ((observation.lastUpdated ?? '') <= (before.at(-1)?.lastUpdated ?? '')) return []
      const detections: Detection[] = []
      for (const category of rateNames) {
        const change = changeOf(observation, before, category)
        const direction = change > 0 ? 'rise' : 'fall'
        const limit = (points / 100) * Math.sqrt(500 / prompts[category])
        // A value that is not a number is no alarm here either.
        if (!(Math.abs(change) >= limit) || at < quietUntil[direction]) continue
        detections.push({
          direction,
          category,
          completes: false,
          version: false,
          status: 'found',
          since: observation.at,
          points: change * 100,
        })
        quietUntil[direction] = at + silentDays * dayMs
      }
      before = [...before, observation].slice(-readings)
      return detections
    }
  }
}

/** NaN if that cannot be determined. */
function changeOf(observation: Observation, before: readonly Observation[], category: ObservedRate): number {
  const rates = before
    .map(({ rates: { [category]: rate } }) => rate ?? Number.NaN)
    .filter((rate) => !Number.isNaN(rate))
  const rate = observation.rates[category]
  if (rate === null || rates.length === 0) return Number.NaN
  return rate - rates.reduce((sum, one) => sum + one, 0) / rates.length
}
