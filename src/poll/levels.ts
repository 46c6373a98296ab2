import type { Finding, FindingFigures } from '../detect/finding.ts'
import type { RateName } from '../detect/observation.ts'
import { changeSince, type Since, withBaselinesBefore } from '../detect/since.ts'
import type { DetectorState } from '../detect/state.ts'
import { dayMs } from '../durations.ts'
import type { Level, Levels } from '../event/levels.ts'

/** A change that was found and one that is reported may be dated so far apart and be one. */
const apartMs = dayMs

/** The figures that led to a finding as they are stored with its event: in percent, and no more exact than anybody needs. */
export function levelsOf(
  category: string,
  since: string,
  figures: FindingFigures,
  { driftSince, version, alike }: Partial<Pick<Finding, 'driftSince' | 'version' | 'alike'>> = {},
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
interface Reported {
  rate: RateName
  delta: number | null
  at: number
}

/** What the figures show of a change that was reported. */
interface ShownLevels {
  levels: Levels
  /** Whether the detector had found it there. */
  isFound: boolean
}

/**
 * The levels before and after a change that was reported: at its own time, or at that of a change near it that the detector
 * found, whichever is clearer. Null where there is neither, or none in its direction. Pure.
 */
export function levelsAt(detector: DetectorState, reported: Reported): ShownLevels | null {
  const { rate, delta, at } = reported
  const isIts = (direction: number) => delta === null || delta > 0 === direction > 0
  const own = changeSince(detector, rate, at)
  const found = changeFound(detector, reported, isIts)
  const clearest = [own, found]
    .filter((one) => one !== undefined)
    .filter(({ direction }) => isIts(direction))
    .toSorted((one, other) => other.figures.standardErrors - one.figures.standardErrors)[0]
  if (clearest === undefined) return null
  const since = new Date(clearest.since).toISOString()
  return { levels: levelsOf(rate, since, clearest.figures), isFound: found !== undefined }
}

function changeFound(
  detector: DetectorState,
  { rate, at }: Reported,
  isIts: (direction: number) => boolean,
): Since | undefined {
  const change = detector.changes.findLast(
    ({ over, covers, since, direction }) =>
      over === null && covers[rate] !== undefined && Math.abs(since - at) <= apartMs && isIts(direction),
  )
  return change && changeSince(withBaselinesBefore(detector, change), rate, change.since)
}

function percent(fraction: number): number {
  return rounded(fraction * 100, 2)
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits)) + 0
}
