import type { Levels, ShownByFigures } from '../../event/levels.ts'
import { minuteMs } from '../../platform/durations.ts'
import { promptsBehind } from '../detect/bins.ts'
import { type ObservedRate, rateNames } from '../detect/observation.ts'
import { rateAt, stabilise } from '../detect/scale.ts'
import type { Bin, DetectorState } from '../detect/state.ts'
import { levelsAt, takenAt, timeOf } from './levels.ts'
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
