import type { Level, Levels, ShownByFigures } from '../../event/levels.ts'
import { dayMs, minuteMs } from '../../platform/durations.ts'
import { pooled, promptsBehind } from '../detect/bins.ts'
import type { Finding, FindingFigures } from '../detect/finding.ts'
import { type ObservedRate, rateNames } from '../detect/observation.ts'
import { rateAt, stabilise } from '../detect/scale.ts'
import { changeSince, withBaselinesBefore } from '../detect/since.ts'
import type { Bin, DetectorState } from '../detect/state.ts'
import type { FirstRead, PollingState } from './state.ts'

export interface AlertedChange {
  model: string | null
  category: string | null
  /** Percentage points. */
  delta: number | null
  /** ISO 8601. */
  detectedAt: string | null
}

/** If the newest reading is that close before the change, the change is yet to be seen. */
const earlyMs = 5 * minuteMs
/** It is compared with so many readings before it. */
const before = 28
/** The readings must show this part of the reported size; a step without a size, so many standard errors. */
const partOf = 0.5
const clear = 3

/** What the figures that polling has read show of a step; `unknown` before it has begun. Pure. */
export function seenIn(
  { decision, figures }: Pick<PollingState, 'decision' | 'figures'>,
  step: AlertedChange,
): ShownByFigures {
  if (decision === null) return { state: 'unknown' }
  if (decision.mode === 'off') return { state: 'not-read' }
  const followed = figures.models[step.model ?? '']
  if (!followed?.detector) return { state: 'not-shown' }
  const shown = corroborates(followed.detector, step, followed.firstRead)
  // Nobody has looked since: that it is not there yet cannot be said.
  const isRead = (followed.askedAt ?? 0) >= Date.parse(step.detectedAt ?? '')
  return shown.state === 'not-yet' && !isRead ? { state: 'not-read' } : shown
}

/**
 * What the figures that polling has show of a reported step, by the readings that are not older than it. With the levels
 * before and after it if these can be judged. Pure.
 */
export function corroborates(
  detector: DetectorState,
  { category, delta, detectedAt }: Omit<AlertedChange, 'model'>,
  firstRead: readonly FirstRead[] = [],
): ShownByFigures {
  const rate = rateOf(category)
  const at = Date.parse(detectedAt ?? '')
  if (rate === undefined || Number.isNaN(at) || delta === 0) return { state: 'not-shown' }
  const readings = detector.bins.filter(({ weight }) => weight[rate] > 0)
  const isSince = (bin: Bin) => takenAt(timeOf(bin), firstRead) >= at
  const since = readings.filter(isSince)
  const earlier = readings.filter((bin) => !isSince(bin)).slice(-before)
  const shown = levelsAt(detector, { rate, delta, at }, firstRead)
  const levels = shown !== null && isMost(shown.levels, delta) ? shown.levels : null
  // The service may date it before the reading that shows it.
  if (shown?.isFound && levels !== null) return { state: 'visible', levels }
  if (since.length === 0) {
    const isNear = readings.some(({ to }) => to >= at - earlyMs)
    return { state: isNear ? 'not-yet' : 'not-shown' }
  }
  if (earlier.length === 0) return { state: 'not-shown' }
  const [now, then] = [pooled(since, rate), pooled(earlier, rate)]
  const n = promptsBehind(detector, rate)
  if (delta === null) {
    const standardError = Math.sqrt(1 / now.prompts + 1 / then.prompts)
    return asShown(Math.abs(now.mean - then.mean) >= clear * standardError, levels)
  }
  const base = rateAt(then.mean, n)
  // On the scale on which noise is even, half of a step up is as far as half of a step down.
  const expected = stabilise(Math.min(Math.max(base + delta / 100, 0), 1), n) - then.mean
  return asShown((now.mean - then.mean) / expected >= partOf, levels)
}

function asShown(isVisible: boolean, levels: Levels | null): ShownByFigures {
  return isVisible ? { state: 'visible', levels } : { state: 'not-yet' }
}

function isMost({ now, before: then }: Levels, delta: number | null): boolean {
  return delta === null || (now.rate - then.rate) / delta >= partOf
}

function rateOf(category: string | null): ObservedRate | undefined {
  const name = category?.toLowerCase()
  return name === 'all' ? 'overall' : rateNames.find((rate) => rate === name)
}

/** The same change may be dated so far apart by the detector and by the service. */
const apartMs = dayMs

/** The figures that led to a finding as they are stored with its event: rates in percent, and no more exact than anybody needs. */
export function levelsOf(
  category: string,
  since: string,
  figures: FindingFigures,
  { driftSince, version, alike, firstRead }: Partial<Finding> & { firstRead?: string | undefined },
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

/** When a reading that has a date and no time of day was first read; ISO 8601, UTC. */
export function firstReadAt(time: number, firstRead: readonly FirstRead[]): string | undefined {
  const first = firstRead.find((reading) => reading.time === time)
  return first && new Date(first.at).toISOString()
}

/** When a reading was taken, or first read if it has no time of day; milliseconds since the epoch. */
function takenAt(time: number, firstRead: readonly FirstRead[]): number {
  return firstRead.find((reading) => reading.time === time)?.at ?? time
}

/** The time of the oldest reading in a bin. Of a measurement that came in parts, the last part stands for all. */
function timeOf({ readings, from, to }: Bin): number {
  return readings === 1 ? to : from
}

/**
 * The levels before and after a reported change, by the readings that are not older than it. They are taken at its own time
 * or at that of a change that the detector found (`isFound`): the clearer one. Null if neither has its direction. `delta`
 * in percentage points, `at` in milliseconds since the epoch.
 */
function levelsAt(
  detector: DetectorState,
  { rate, delta, at }: { rate: ObservedRate; delta: number | null; at: number },
  firstRead: readonly FirstRead[],
): { levels: Levels; isFound: boolean } | null {
  const isIts = (direction: number) => delta === null || delta > 0 === direction > 0
  const first = detector.bins.find((bin) => bin.weight[rate] > 0 && takenAt(timeOf(bin), firstRead) >= at)
  if (first === undefined) return null
  const atItsTime = changeSince(detector, rate, first.to)
  const change = detector.changes.findLast(
    ({ over, covers, since, foundAt, direction }) =>
      over === null &&
      covers[rate] !== undefined &&
      Math.abs(since - at) <= apartMs &&
      takenAt(foundAt, firstRead) >= at &&
      isIts(direction),
  )
  const atFoundChange =
    change && changeSince(withBaselinesBefore(detector, change), rate, Math.max(change.since, first.to))
  const clearest = [atItsTime, atFoundChange]
    .filter((one) => one !== undefined)
    .filter(({ direction }) => isIts(direction))
    .toSorted((one, other) => other.figures.standardErrors - one.figures.standardErrors)[0]
  if (clearest === undefined) return null
  const oldest = timeOf(detector.bins.find(({ from }) => from === clearest.since) ?? first)
  const levels = levelsOf(rate, new Date(oldest).toISOString(), clearest.figures, {
    firstRead: firstReadAt(oldest, firstRead),
  })
  return { levels, isFound: atFoundChange !== undefined }
}

function percent(fraction: number): number {
  return rounded(fraction * 100, 2)
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits)) + 0
}
