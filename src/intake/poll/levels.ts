import type { Level, Levels, ShownByFigures } from '../../event/levels.ts'
import { dayMs, minuteMs } from '../../platform/durations.ts'
import { promptsBehind } from '../detect/bins.ts'
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
/** Readings before it that it is compared with. */
const before = 28
/** What is there of it must be at least this part of what was reported, or a step without a size so many standard errors. */
const partOf = 0.5
const clear = 3

/** What the figures that polling has read show of a step; `unknown` before it has begun. Pure. */
export function seenIn(
  { decision, figures }: Pick<PollingState, 'decision' | 'figures'>,
  step: AlertedChange,
): ShownByFigures {
  if (decision === null) return { state: 'unknown' }
  if (decision.mode === 'off') return { state: 'not-read' }
  const known = figures.models[step.model ?? '']
  return known?.detector ? corroborates(known.detector, step, known.firstRead) : { state: 'not-shown' }
}

/**
 * What the figures that polling has show of a step that was reported, by the readings that are not older than it: with the
 * levels before and after it if they show it and there is enough to judge by. Pure.
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
  const [now, then] = [meanOf(since, rate), meanOf(earlier, rate)]
  const n = promptsBehind(detector, rate)
  if (delta === null) {
    const standardError = Math.sqrt(1 / now.prompts + 1 / then.prompts)
    return asShown(Math.abs(now.value - then.value) >= clear * standardError, levels)
  }
  const base = rateAt(then.value, n)
  // On the scale on which noise is even, half of a step up is as far as half of a step down.
  const wanted = stabilise(Math.min(Math.max(base + delta / 100, 0), 1), n) - then.value
  return asShown((now.value - then.value) / wanted >= partOf, levels)
}

function asShown(isVisible: boolean, levels: Levels | null): ShownByFigures {
  return isVisible ? { state: 'visible', levels } : { state: 'not-yet' }
}

function isMost({ now, before: then }: Levels, delta: number | null): boolean {
  return delta === null || (now.rate - then.rate) / delta >= partOf
}

function rateOf(category: string | null): ObservedRate | undefined {
  const name = category?.toLowerCase() === 'all' ? 'overall' : category?.toLowerCase()
  return rateNames.find((one) => one === name)
}

function meanOf(bins: DetectorState['bins'], rate: ObservedRate): { value: number; prompts: number } {
  const prompts = bins.reduce((total, bin) => total + bin.weight[rate], 0)
  return { value: bins.reduce((total, bin) => total + bin.sum[rate], 0) / prompts, prompts }
}

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
function takenAt(time: number, firstRead: readonly FirstRead[]): number {
  return firstRead.find((reading) => reading.time === time)?.at ?? time
}

/** The time of the oldest reading in a bin. Of a measurement that came in parts, the last part stands for all. */
function timeOf({ readings, from, to }: Bin): number {
  return readings === 1 ? to : from
}

/**
 * The levels before and after a change that was reported, by the readings that are not older than it: at its own time, or
 * at that of a change that the detector found in them, whichever is clearer. Null if there is neither, or none in its
 * direction. Pure.
 */
function levelsAt(
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
