import { dayMs } from '../../platform/durations.ts'
import { signed } from '../../platform/text.ts'
import { pooled, promptsBehind, usualInterval } from '../detect/bins.ts'
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

/** So many other models must have been read since. */
const leastOthers = 3
/** What the others did since is compared with so many readings before. */
const before = 28
/** Changes that began within so many readings of each other may be the same. An earlier one is another model's own. */
const nearReadings = 3
/** The others together must have moved by so many standard errors, and their median by so many of its own. */
const clear = 3
const clearInMiddle = 2
/** The error of a median of independent values, as a multiple of that of their mean. */
const errorOfMedian = 1.25
/** A model that moved by this part of it moved alike. */
const alikeFrom = 0.5
/** A change of the measurement shows in each model within so many days. */
const sameChangeMs = 14 * dayMs

/**
 * The findings that are alerts of their own. A change of the measurement shows in all models and is one alert, about the model
 * that shows it first. `known`: the last such change. Pure.
 */
export function withoutSharedMoves(
  found: readonly ModelFinding[],
  detectors: ReadonlyMap<string, DetectorState>,
  known: Measurement | null,
): { found: ModelFinding[]; measurement: Measurement | null } {
  let measurement = known
  const alerts: ModelFinding[] = []
  for (const modelFinding of found) {
    const rises = modelFinding.finding.direction === 'rise'
    const since = Date.parse(modelFinding.finding.since)
    const isSame = measurement?.rises === rises && Math.abs(since - measurement.since) <= sameChangeMs
    const alike = movedAlike(
      modelFinding,
      detectors,
      isSame ? Math.min(since, measurement?.since ?? since) : since,
    )
    if (alike === null) alerts.push(modelFinding)
    else if (!isSame) {
      measurement = { since, rises }
      alerts.push({ ...modelFinding, finding: asMeasurement(modelFinding.finding, alike) })
    }
  }
  return { found: alerts, measurement }
}

type SimilarMoves = NonNullable<Finding['alike']>

/** How the other models moved, if they moved as this one did at the same time; null if they did not, or were not read since. */
function movedAlike(
  { model, finding }: ModelFinding,
  detectors: ReadonlyMap<string, DetectorState>,
  at: number,
): SimilarMoves | null {
  const { category, direction, figures } = finding
  if (category === null || figures === null) return null
  const change = 100 * (figures.rate - figures.baseline)
  const others = [...detectors].flatMap(([name, detector]) => {
    const move = name === model ? undefined : moveSince(detector, category, at)
    return move === undefined ? [] : [{ name, ...move }]
  })
  if (others.length < leastOthers) return null
  const moves = others.map(({ points }) => points).toSorted((one, other) => one - other)
  const points = moves[Math.floor((moves.length - 1) / 2 + (direction === 'rise' ? 0 : 0.5))] ?? 0
  const sum = others.reduce((total, one) => total + one.points, 0)
  const error = Math.sqrt(others.reduce((total, one) => total + one.error ** 2, 0))
  // One that moves by much makes the sum clear. The median is clear only if most of them moved.
  const isMost =
    points / change > 0 &&
    Math.abs(points) >= (clearInMiddle * errorOfMedian * error) / others.length &&
    Math.abs(sum) >= clear * error
  // The rest is what the model itself may have done.
  const left = figures.standardErrors * (1 - points / change)
  if (!isMost || left >= figures.threshold) return null
  const moved = moves.filter((one) => one / points >= alikeFrom).length
  return { moved, others: others.length, points }
}

/** The change of a model's rate since a time, and its standard error; percentage points. */
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
  const newer = readings.filter(({ to }) => to >= at - early)
  const since = pooled(newer, rate)
  const earlier = pooled(readings.filter(({ to }) => to < at - early).slice(-before), rate)
  if (since.prompts === 0 || earlier.prompts === 0) return undefined
  const n = promptsBehind(detector, rate)
  const [now, then] = [rateAt(since.mean, n), rateAt(earlier.mean, n)]
  const noise = factor(noiseOf(detector.charts[rate], then, n), since.readings)
  const variance = noise * Math.max(then * (1 - then), 1 / n) * (1 / since.prompts + 1 / earlier.prompts)
  return { points: 100 * (now - then), error: 100 * Math.sqrt(variance) }
}

function asMeasurement(finding: Finding, alike: SimilarMoves): Finding {
  const { moved, others, points } = alike
  const sentence = `${finding.sentence}; ${moved} of ${others} other models changed alike (median ${signed(points)} points), so the measurement probably changed, not a model`
  return { ...finding, kind: 'policy_change', alike, sentence }
}
