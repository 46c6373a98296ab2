import { dayMs } from '../../platform/durations.ts'
import { signed } from '../../platform/text.ts'
import { promptsBehind, usualInterval } from '../detect/bins.ts'
import type { Finding } from '../detect/finding.ts'
import { factor, noiseOf } from '../detect/noise.ts'
import type { ObservedRate } from '../detect/observation.ts'
import { rateAt } from '../detect/scale.ts'
import type { DetectorState } from '../detect/state.ts'
import type { Measurement } from './state.ts'

/** What a model found, and the model. */
export interface ModelFinding {
  model: string
  finding: Finding
}

/** Models beside it that must have been read since, for anything to be common. */
const leastOthers = 3
/** Readings before the change that the others are compared with. */
const before = 28
/** Changes that began within so many readings of each other may be the same; an earlier one is another's own. */
const nearReadings = 3
/** The others together must have moved by so many standard errors, and the one in their middle by so many of its own, */
const clear = 3
const clearInMiddle = 2
/** which of independent values is wrong by so many times what their mean is. */
const errorOfMedian = 1.25
/** Who moved by this part of it moved alike. */
const alikeFrom = 0.5
/** What belongs to a change of the measurement shows in each model within so many days of it. */
const sameChangeMs = 14 * dayMs

/**
 * What remains to be alerted when what all models have in common is taken out: a change of the measurement is one
 * alert, with the model that shows it first, and what other models show of it is none. Pure.
 */
export function withoutSharedMoves(
  found: readonly ModelFinding[],
  detectors: ReadonlyMap<string, DetectorState>,
  known: Measurement | null,
): { found: ModelFinding[]; measurement: Measurement | null } {
  let measurement = known
  const rest: ModelFinding[] = []
  for (const one of found) {
    const rises = one.finding.direction === 'rise'
    const since = Date.parse(one.finding.since)
    const isKnown =
      measurement !== null &&
      measurement.rises === rises &&
      Math.abs(since - measurement.since) <= sameChangeMs
    const alike = movedAlike(one, detectors, isKnown ? Math.min(since, measurement?.since ?? since) : since)
    if (alike === null) {
      rest.push(one)
      continue
    }
    if (isKnown) continue
    measurement = { since, rises }
    rest.push({ ...one, finding: asMeasurement(one.finding, alike) })
  }
  return { found: rest, measurement }
}

interface SimilarMoves {
  /** Those that moved as this one did, of so many. */
  moved: number
  others: number
  /** Median of their moves, percentage points. */
  points: number
}

/** The other models, where they moved as this one did at the same time; null where they did not, or were not read since. */
function movedAlike(
  { model, finding }: ModelFinding,
  detectors: ReadonlyMap<string, DetectorState>,
  at: number,
): SimilarMoves | null {
  const { category, direction, figures } = finding
  if (category === null || figures === null) return null
  const own = 100 * (figures.rate - figures.baseline)
  const others = [...detectors].flatMap(([name, detector]) => {
    const move = name === model ? undefined : moveSince(detector, category, at)
    return move === undefined ? [] : [{ name, ...move }]
  })
  if (others.length < leastOthers) return null
  const moves = others.map(({ points }) => points).toSorted((one, other) => one - other)
  const points = moves[Math.floor((moves.length - 1) / 2 + (direction === 'rise' ? 0 : 0.5))] ?? 0
  const sum = others.reduce((total, one) => total + one.points, 0)
  const error = Math.sqrt(others.reduce((total, one) => total + one.error ** 2, 0))
  // One other that moves by much makes their sum clear; that in their middle is clear where most of them moved.
  const isMost =
    points / own > 0 &&
    Math.abs(points) >= (clearInMiddle * errorOfMedian * error) / others.length &&
    Math.abs(sum) >= clear * error
  // What is left when the common part is taken out is what the model itself may have done.
  const left = figures.standardErrors * (1 - points / own)
  if (!isMost || left >= figures.threshold) return null
  const moved = moves.filter((one) => one / points >= alikeFrom).length
  return { moved, others: others.length, points }
}

/** By how many percentage points the rate of a model differs since then from what it was, and the standard error of that. */
function moveSince(
  detector: DetectorState,
  rate: ObservedRate,
  at: number,
): { points: number; error: number } | undefined {
  const interval = usualInterval(detector.bins)
  const early = interval / 2
  // What it did before is no part of this.
  const begun = detector.changes
    .filter(
      ({ covers, over, since }) =>
        over === null && covers[rate] !== undefined && since < at - nearReadings * interval,
    )
    .reduce((latest, { since }) => Math.max(latest, since), 0)
  const readings = detector.bins.filter(({ weight, from }) => weight[rate] > 0 && from >= begun)
  const since = meanOf(
    readings.filter(({ to }) => to >= at - early),
    rate,
  )
  const earlier = meanOf(readings.filter(({ to }) => to < at - early).slice(-before), rate)
  if (since.prompts === 0 || earlier.prompts === 0) return undefined
  const n = promptsBehind(detector, rate)
  const [now, then] = [rateAt(since.value, n), rateAt(earlier.value, n)]
  const noise = factor(noiseOf(detector.charts[rate], then, n), since.readings)
  const variance = noise * Math.max(then * (1 - then), 1 / n) * (1 / since.prompts + 1 / earlier.prompts)
  return { points: 100 * (now - then), error: 100 * Math.sqrt(variance) }
}

function meanOf(bins: DetectorState['bins'], rate: ObservedRate) {
  const prompts = bins.reduce((total, bin) => total + bin.weight[rate], 0)
  const readings = bins.reduce((total, bin) => total + bin.readings, 0)
  return { prompts, readings, value: bins.reduce((total, bin) => total + bin.sum[rate], 0) / prompts }
}

function asMeasurement(finding: Finding, alike: SimilarMoves): Finding {
  const { moved, others, points } = alike
  const by = `${signed(points)} points`
  return {
    ...finding,
    kind: 'policy_change',
    alike,
    sentence: `${finding.sentence}; ${moved} of ${others} other models moved alike (${by} in the middle): more likely a change of the measurement than of a model`,
  }
}
