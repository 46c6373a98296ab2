import { dayMs, minuteMs } from '../../platform/durations.ts'
import { promptsBehind, usualInterval } from '../detect/bins.ts'
import { learn, observe, type Remark } from '../detect/detect.ts'
import { findSteps } from '../detect/find.ts'
import type { Finding } from '../detect/finding.ts'
import type { Absence, Observation } from '../detect/observation.ts'
import { stabilise } from '../detect/scale.ts'
import type { DetectorState } from '../detect/state.ts'

/** What one round brought of one model. */
export interface FetchedModel {
  /** Null if it was not asked for. */
  reading: Observation | Absence | null
  /** Oldest first; null if it was not asked for, or did not come; empty if the service has none. */
  history: readonly Observation[] | null
}

interface FollowedModel<Detector = DetectorState | null> {
  detector: Detector
  findings: Finding[]
  remarks: Remark[]
}

/** Times of the same reading, as two endpoints write them. */
const sameMs = minuteMs
/** A detector remembers six weeks; after a longer absence it learns from the history anew. */
const longestGapMs = 40 * dayMs

/**
 * What is known of a model after a round, and what is new. In the first round the history is learnt, and only findings from `newsFrom`
 * (milliseconds since the epoch) on are new. Later a history fills what was missed since the last reading, and the rate for
 * `social`, which metrics do not have. Pure.
 */
export function follow(before: DetectorState | null, fetched: FetchedModel, newsFrom: number): FollowedModel {
  const { history } = fetched
  const last = before?.last?.time
  const end = timeOf(fetched.reading) ?? timeOf(history?.at(-1) ?? null)
  const isTooOld = last !== undefined && end !== undefined && end - last > longestGapMs
  if (before === null || (isTooOld && history !== null && history.length > 0)) {
    if (history === null) return { detector: before, findings: [], remarks: [] }
    const { state, findings } = learn(history)
    const from = last === undefined ? newsFrom : last + 1
    const newest = findings.filter(({ foundAt }) => Date.parse(foundAt) >= from)
    return withReading({ detector: state, findings: newest, remarks: [] }, fetched)
  }
  const caughtUp = withMissed(before, history ?? [], end)
  return withSocial(withReading(caughtUp, fetched), history ?? [])
}

/** Whether the newest reading still lacks the rate for social, though the model has had one. */
export function lacksSocial({ bins }: DetectorState): boolean {
  const newest = bins.at(-1)
  return newest !== undefined && isOpen(newest)
}

/** With what the history has between the last reading and this one, if there was time for more than one. */
function withMissed(
  before: DetectorState,
  history: readonly Observation[],
  end: number | undefined,
): FollowedModel<DetectorState> {
  const unchanged: FollowedModel<DetectorState> = { detector: before, findings: [], remarks: [] }
  const start = before.last?.time
  if (start === undefined || end === undefined) return unchanged
  if (end - start < 1.5 * usualInterval(before.bins)) return unchanged
  const missed = history.filter(({ at }) => Date.parse(at) > start + sameMs && Date.parse(at) < end - sameMs)
  if (missed.length === 0) return unchanged
  let detector = before
  const findings: Finding[] = []
  for (const point of missed) {
    const observed = observe(detector, { ...point, lastUpdated: point.at })
    detector = observed.state
    findings.push(...observed.findings)
  }
  // The reading that follows may be the last point again, under a time that the history rounds.
  const last = detector.last && { ...detector.last, updated: null }
  return { detector: { ...detector, last }, findings, remarks: [] }
}

function withReading(
  before: FollowedModel<DetectorState>,
  { reading, history }: FetchedModel,
): FollowedModel<DetectorState> {
  if (reading === null) return before
  const whole = 'gone' in reading ? reading : withSocialOf(reading, history ?? [])
  const { state, findings, remarks } = observe(before.detector, whole)
  return { detector: state, findings: [...before.findings, ...findings], remarks }
}

function withSocialOf(reading: Observation, history: readonly Observation[]): Observation {
  if (reading.rates.social !== null) return reading
  const time = timeOf(reading) ?? Number.NaN
  const last = history.at(-1)
  const point =
    history.findLast(({ at }) => Math.abs(Date.parse(at) - time) <= sameMs) ??
    (last !== undefined && isSameReading(last, reading) ? last : undefined)
  if (point === undefined) return reading
  return {
    ...reading,
    rates: { ...reading.rates, social: point.rates.social },
    counts: { ...reading.counts, social: reading.counts.social ?? point.counts.social },
  }
}

/** Readings without a rate for social get the history's, and are judged again with it. */
function withSocial(followed: FollowedModel<DetectorState>, history: readonly Observation[]): FollowedModel {
  const { detector } = followed
  const points = history.flatMap(({ at, rates: { social } }) =>
    social !== null && social >= 0 && social <= 1 ? [{ time: Date.parse(at), social }] : [],
  )
  const n = promptsBehind(detector, 'social')
  const bins = detector.bins.map((bin) => {
    const point = isOpen(bin) ? points.findLast(({ time }) => Math.abs(time - bin.to) <= sameMs) : undefined
    if (point === undefined) return bin
    const sum = { ...bin.sum, social: n * stabilise(point.social, n) }
    return { ...bin, weight: { ...bin.weight, social: n }, sum }
  })
  if (bins.every((bin, index) => bin === detector.bins[index])) return followed
  const scanned = findSteps({ ...detector, bins }, null)
  return { ...followed, detector: scanned.state, findings: [...followed.findings, ...scanned.findings] }
}

/** A reading without `social` of its own; one of a spike that is over has no rate at all and stays out. */
function isOpen({ readings, weight }: DetectorState['bins'][number]): boolean {
  return readings === 1 && weight.social === 0 && weight.overall > 0
}

function isSameReading(point: Observation, reading: Observation): boolean {
  const names = (['overall', 'political', 'safety'] as const).filter(
    (name) => point.rates[name] !== null && reading.rates[name] !== null,
  )
  return names.length > 0 && names.every((name) => point.rates[name] === reading.rates[name])
}

function timeOf(observation: Observation | Absence | null): number | undefined {
  if (observation === null || 'gone' in observation) return undefined
  const time = Date.parse(observation.lastUpdated ?? observation.at)
  return Number.isNaN(time) ? undefined : time
}
