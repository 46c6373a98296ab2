import { dayMs } from '../../platform/durations.ts'
import { findSteps, followChanges, newVersion, withScans } from './find.ts'
import type { Finding } from './finding.ts'
import { withGlitches } from './habits.ts'
import { noveltyOf, withMeasurement } from './measurement.ts'
import { firstNoise } from './noise.ts'
import {
  type Absence,
  type Observation,
  type ObservedRate,
  type PerRate,
  perRate,
  rateNames,
  readObservation,
  type UsableReading,
} from './observation.ts'
import { outOfReach } from './reach.ts'
import { type DetectorState, emptyState } from './state.ts'

interface DetectorResult {
  state: DetectorState
  /** What is new, and what completes an earlier finding (`completes`). */
  findings: Finding[]
  remarks: Remark[]
}

/**
 * One more observation of a model. Deterministic: the same state and observation give the same answer, on any machine
 * and however often. Observations come in the order in which they were made; the method is in docs/internals/detection.md.
 */
export function observe(state: DetectorState, observation: Observation | Absence): DetectorResult {
  const troubles = new Map<RemarkKind, string>()
  const { after, findings } = judge(state, observation, troubles)
  // Without a new reading nothing changes: a model that could be judged still can, and one that could not still cannot.
  const isAsBefore = after.bins === state.bins && state.live > 0 && state.troubles.unjudged === undefined
  const unjudged = isAsBefore ? undefined : outOfReach(after)
  if (unjudged !== undefined) troubles.set('unjudged', unjudged)
  const at = Date.parse(observation.at)
  const { troubles: remembered, remarks } = remember(state, troubles, Number.isNaN(at) ? null : at)
  return { state: { ...after, troubles: remembered }, findings, remarks }
}

/** The same without remarks for operators, who get none about a history. What is amiss is added to `troubles`. */
function judge(
  state: DetectorState,
  observation: Observation | Absence,
  troubles: Map<RemarkKind, string>,
): { after: DetectorState; findings: Finding[] } {
  const nothing = { after: state, findings: [] }
  if ('gone' in observation) {
    troubles.set(observation.misnamed === true ? 'misnamed' : 'gone', '')
    return nothing
  }
  const { reading, unreadable } = readObservation(observation)
  if (unreadable.length > 0) troubles.set('unreadable', unreadable.join(', '))
  if (reading === null) return nothing

  const novelty = noveltyOf(state, reading, Date.parse(observation.at))
  if (novelty !== 'new' && novelty !== 'part') troubles.set(novelty, '')
  if (novelty === 'backward') return nothing

  const versioned = withVersion(state, reading)
  const version = versioned.versionChange === state.versionChange ? null : versioned.versionChange
  if (isRestless(versioned)) troubles.set('labels', '')
  const missing = rateNames.filter((rate) => reading.rates[rate] === null)
  const isEmpty = missing.length === rateNames.length
  if (isEmpty && !rateNames.some((rate) => unreadable.includes(rate))) troubles.set('empty', '')
  const lost = missing.filter((rate) => !isEmpty && typeof state.last?.rates[rate] === 'number')
  if (lost.length > 0) troubles.set('missing', lost.join(', '))
  if (isEmpty || novelty === 'repeated') {
    const last = versioned.last && { ...versioned.last, updated: versioned.last.updated ?? reading.updated }
    return { after: { ...versioned, last }, findings: version === null ? [] : [newVersion(state, version)] }
  }

  // Other rates under a time that does not move were measured when they are first seen.
  const isStuck = reading.updated !== null && reading.updated === state.last?.updated
  const dated = isStuck ? { ...reading, time: Date.parse(observation.at) } : reading
  if (isStuck) troubles.set('revised', '')
  const isMore = novelty === 'part' || novelty === 'revised'
  const followed = followChanges(withMeasurement(versioned, dated, isMore))
  const scanned = findSteps(followed.state, version)
  const findings = [...followed.findings, ...scanned.findings]
  if (version !== null && scanned.findings.length === 0) findings.push(newVersion(state, version))
  return { after: isMore ? scanned.state : withGlitches(state, scanned.state), findings }
}

/** A label that did not stand for so long says nothing by its going. */
const standsMs = 7 * dayMs
/** Changes of the label are counted for about so long, */
const countedMs = 60 * dayMs
/** and so many are no versions: a build number, or two servers in turn. */
const tooMany = 2.5

/**
 * The version label, and whether it is another one that says something. A missing label says nothing; nor does other
 * case or spacing.
 */
function withVersion(state: DetectorState, { version, time }: UsableReading): DetectorState {
  const { label } = state
  if (version === null) return state
  if (state.version === null) return { ...state, version, label: { since: time, changes: 0 } }
  if (plain(version) === plain(state.version)) return state
  const changes = label.changes * Math.exp(-Math.max(0, time - label.since) / countedMs) + 1
  const next = { ...state, version, label: { since: time, changes } }
  const isBack = state.versionChange?.from === version
  const isRare = changes < tooMany && (isBack || time - label.since >= standsMs)
  return isRare ? { ...next, versionChange: { from: state.version, to: version, at: time } } : next
}

/** Whether the label changes too often to be a version. */
function isRestless({ label }: DetectorState): boolean {
  return label.changes >= tooMany
}

function plain(version: string): string {
  return version.toLowerCase().replaceAll(/\s+/g, ' ').trim()
}

/** A problem with the readings. Operators are notified if it lasts; nobody gets an alert. */
export interface Remark {
  kind: RemarkKind
  /** "political, safety", or what else the trouble is about; empty if it is about the whole. */
  about: string
  /** Since when without interruption, ISO 8601 UTC, and in how many observations. */
  since: string
  times: number
}

export type RemarkKind =
  /** A rate that is not a number from 0 to 1, or a time that is no date or ahead of the clock. */
  | 'unreadable'
  /** A rate that the last reading had is missing. */
  | 'missing'
  /** No rate at all. */
  | 'empty'
  /** `last_updated` is before that of an earlier reading; nothing of the observation is used. */
  | 'backward'
  /** The same reading again; it counts once. */
  | 'repeated'
  /** Other rates under the same `last_updated`; they count as a reading of their own. */
  | 'revised'
  /** The version label changes too often to say anything. */
  | 'labels'
  /** A change that matters would not be found; `about` says why. */
  | 'unjudged'
  /** The service no longer knows the model. */
  | 'gone'
  /** The service answers with figures of another model. */
  | 'misnamed'

/**
 * The remarks on one observation, and the troubles to remember: those that it does not have are over. `time` in
 * milliseconds since the epoch, null if the observation has none.
 */
function remember(
  state: DetectorState,
  troubles: ReadonlyMap<RemarkKind, string>,
  time: number | null,
): { troubles: DetectorState['troubles']; remarks: Remark[] } {
  const remembered: DetectorState['troubles'] = {}
  const remarks: Remark[] = []
  for (const [kind, about] of troubles) {
    const before = state.troubles[kind]
    const now = { since: before?.since ?? time ?? state.last?.time ?? 0, times: (before?.times ?? 0) + 1 }
    remembered[kind] = now
    remarks.push({ kind, about, since: new Date(now.since).toISOString(), times: now.times })
  }
  return { troubles: remembered, remarks }
}

/** Steps of a grid on which a service may write its rates, and from how many readings that can be seen. */
const grids = [0.1, 0.05, 0.02, 0.01, 0.005]
const leastForGrid = 20

/**
 * A detector that has seen a history, in any order; a year of it teaches the noise best. The changes that are in it
 * come with it, oldest first: to be summed up, not to be alerted as news. Points without a readable time are left out.
 */
export function learn(history: readonly Observation[]): { state: DetectorState; findings: Finding[] } {
  const points = history
    .filter(({ at }) => !Number.isNaN(Date.parse(at)))
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map((point) => ({ ...point, lastUpdated: point.at }))
  const first = emptyState()
  const noises = firstLook(points)
  let state: DetectorState = {
    ...first,
    grid: perRate((rate) => gridOf(points, rate)),
    charts: perRate((rate) => ({ ...first.charts[rate], ...noises[rate] })),
  }
  const findings: Finding[] = []
  for (const point of points) {
    const judged = judge(state, point, new Map())
    findings.push(...judged.findings)
    // A point of a history is complete: none is more of the one before it.
    state = { ...judged.after, begun: 0 }
  }
  // A live reading may be the last point again, under a time that the history rounds: then its rates show it.
  const last = state.last && { ...state.last, updated: null }
  return { state: { ...state, last, live: 0, parts: [], arrivals: [], troubles: {} }, findings }
}

/** What all readings differ by from those before them, even if there are changes among them. */
function firstLook(points: readonly Observation[]): PerRate<ReturnType<typeof firstNoise>> {
  const squares = perRate((): number[][] => [])
  let state = emptyState()
  for (const point of points) {
    const { reading } = readObservation(point)
    if (reading === null || noveltyOf(state, reading, reading.time) !== 'new') continue
    if (rateNames.every((rate) => reading.rates[rate] === null)) continue
    state = withScans(withMeasurement(state, reading, false)).state
    for (const rate of rateNames) {
      for (const [index, square] of state.charts[rate].pending.entries()) {
        squares[rate][index] ??= []
        if (square !== null) squares[rate][index].push(square)
      }
    }
  }
  return perRate((rate) => firstNoise(squares[rate]))
}

/** The coarsest grid on which all rates of the history lie. 0 if it is no coarser than one prompt. */
function gridOf(points: readonly Observation[], rate: ObservedRate): number {
  const readings = points.flatMap(({ rates, counts }) => {
    const value = rates[rate]
    return typeof value === 'number' && value > 0 && value < 1 ? [{ value, n: counts[rate] ?? 100 }] : []
  })
  if (readings.length < leastForGrid) return 0
  const finest = 1.5 / Math.min(...readings.map(({ n }) => n))
  const lie = (grid: number) =>
    readings.every(({ value }) => Math.abs(value / grid - Math.round(value / grid)) < 1e-6)
  return grids.find((grid) => grid > finest && lie(grid)) ?? 0
}
