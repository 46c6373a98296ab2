import type { Level, Levels } from '../../event/levels.ts'
import { dayMs } from '../../platform/durations.ts'
import type { Finding, FindingFigures } from '../detect/finding.ts'
import type { ObservedRate } from '../detect/observation.ts'
import { changeSince, withBaselinesBefore } from '../detect/since.ts'
import type { Bin, DetectorState } from '../detect/state.ts'
import type { FirstRead } from './state.ts'

/** A change that was found and one that is reported may be dated so far apart and be one. */
const apartMs = dayMs

/** The figures that led to a finding as they are stored with its event: in percent, and no more exact than anybody needs. */
export function levelsOf(
  category: string,
  since: string,
  figures: FindingFigures,
  {
    driftSince,
    version,
    alike,
    firstRead,
  }: Partial<Pick<Finding, 'driftSince' | 'version' | 'alike'>> & { firstRead?: string | undefined } = {},
): Levels {
  const { n, prompts, baselineN, interval } = figures
  const level = (rate: number, count: number, readings: number): Level => ({
    rate: percent(rate),
    prompts: n === null ? null : Math.round(count),
    readings,
  })
  return {
    category,
    since,
    ...(firstRead !== undefined && { firstRead }),
    before: level(figures.baseline, baselineN, figures.baselineReadings),
    now: level(figures.rate, prompts, figures.readings),
    size: percent(figures.size),
    interval: [percent(interval[0]), percent(interval[1])],
    standardErrors: rounded(figures.standardErrors, 2),
    noise: rounded(figures.noise, 3),
    besides: percent(figures.besides),
    drift: percent(figures.drift),
    ...(driftSince !== undefined && { driftSince }),
    ...(version && { version }),
    ...(alike !== undefined && { alike: { ...alike, points: rounded(alike.points, 2) } }),
  }
}

/** A change of a rate that was reported: percentage points, and when it was detected, in milliseconds since the epoch. */
interface ReportedRateChange {
  rate: ObservedRate
  delta: number | null
  at: number
}

/** What the figures show of a change that was reported. */
interface ShownLevels {
  levels: Levels
  /** Whether the detector had found it there. */
  isFound: boolean
}

/** When a reading that has a date and no time of day was first read; ISO 8601, UTC. */
export function firstReadAt(time: number, firstRead: readonly FirstRead[]): string | undefined {
  const known = firstRead.find((reading) => reading.time === time)
  return known && new Date(known.at).toISOString()
}

/** When a reading was taken, or first read if it has no time of day; milliseconds since the epoch. */
export function takenAt(time: number, firstRead: readonly FirstRead[]): number {
  return firstRead.find((reading) => reading.time === time)?.at ?? time
}

/** The time of the oldest reading in a bin. Of a measurement that came in parts, the last part stands for all. */
export function timeOf({ readings, from, to }: Bin): number {
  return readings === 1 ? to : from
}

/**
 * The levels before and after a change that was reported, by the readings that are not older than it: at its own time, or
 * at that of a change that the detector found in them, whichever is clearer. Null if there is neither, or none in its
 * direction. Pure.
 */
export function levelsAt(
  detector: DetectorState,
  reported: ReportedRateChange,
  firstRead: readonly FirstRead[],
): ShownLevels | null {
  const { rate, delta, at } = reported
  const isIts = (direction: number) => delta === null || delta > 0 === direction > 0
  const first = detector.bins.find((bin) => bin.weight[rate] > 0 && takenAt(timeOf(bin), firstRead) >= at)
  if (first === undefined) return null
  const own = changeSince(detector, rate, first.to)
  const change = detector.changes.findLast(
    ({ over, covers, since, foundAt, direction }) =>
      over === null &&
      covers[rate] !== undefined &&
      Math.abs(since - at) <= apartMs &&
      takenAt(foundAt, firstRead) >= at &&
      isIts(direction),
  )
  const found =
    change && changeSince(withBaselinesBefore(detector, change), rate, Math.max(change.since, first.to))
  const clearest = [own, found]
    .filter((one) => one !== undefined)
    .filter(({ direction }) => isIts(direction))
    .toSorted((one, other) => other.figures.standardErrors - one.figures.standardErrors)[0]
  if (clearest === undefined) return null
  const oldest = timeOf(detector.bins.find(({ from }) => from === clearest.since) ?? first)
  const levels = levelsOf(rate, new Date(oldest).toISOString(), clearest.figures, {
    firstRead: firstReadAt(oldest, firstRead),
  })
  return { levels, isFound: found !== undefined }
}

function percent(fraction: number): number {
  return rounded(fraction * 100, 2)
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits)) + 0
}
