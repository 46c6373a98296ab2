import { learn } from '../detect/detect.ts'
import type { Observation, ObservedRate } from '../detect/observation.ts'

/** A step that past readings of a rate show. */
export interface PastStep {
  /** The first reading that shows it; milliseconds since the epoch. */
  at: number
  /** Percentage points, signed. */
  points: number
}

/** Readings of one rate in percent, oldest first. Times are milliseconds since the epoch. */
interface PastReading {
  at: number
  percent: number
  /** Prompts; null if they are not known. */
  sampleSize: number | null
}

const none = { overall: null, political: null, safety: null, social: null }

/** The steps that the detector sees in what was published, whether or not somebody reported them. What it took back is left out. Pure. */
export function pastSteps(readings: readonly PastReading[], rate: ObservedRate): PastStep[] {
  const history = readings.map(
    ({ at, percent, sampleSize }): Observation => ({
      at: new Date(at).toISOString(),
      lastUpdated: null,
      version: null,
      rates: { ...none, [rate]: percent / 100 },
      counts: { ...none, [rate]: sampleSize },
    }),
  )
  const steps = new Map<string, PastStep>()
  for (const { status, since, foundAt, figures, judges, completes } of learn(history).findings) {
    if (status === 'withdrawn' && judges !== undefined) steps.delete(judges.foundAt)
    if (figures === null || judges !== undefined || completes !== null || status === 'drift') continue
    steps.set(foundAt, { at: Date.parse(since), points: 100 * figures.size })
  }
  return [...steps.values()]
}
