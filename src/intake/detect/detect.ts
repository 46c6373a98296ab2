import { findSteps, followChanges, newVersion } from './find.ts'
import type { Finding } from './finding.ts'
import { withGlitches } from './glitches.ts'
import { isRestless, withVersion } from './label.ts'
import { type Absence, type Observation, rateNames, readObservation } from './observation.ts'
import { outOfReach } from './reach.ts'
import { type Remark, type RemarkKind, remember } from './remark.ts'
import type { DetectorState } from './state.ts'
import { noveltyOf, withTaken } from './take.ts'

export interface DetectorResult {
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
  // Also where the reading is not new: what cannot be judged cannot be judged until there is another, and what can still can.
  const isAsBefore = after.bins === state.bins && state.live > 0 && state.troubles.unjudged === undefined
  const unjudged = isAsBefore ? undefined : outOfReach(after)
  if (unjudged !== undefined) troubles.set('unjudged', unjudged)
  const at = Date.parse(observation.at)
  const { troubles: remembered, remarks } = remember(state, troubles, Number.isNaN(at) ? null : at)
  return { state: { ...after, troubles: remembered }, findings, remarks }
}

/** The same without what operators are told, which nobody is of a history. What is amiss is added to `troubles`. */
export function judge(
  state: DetectorState,
  observation: Observation | Absence,
  troubles: Map<RemarkKind, string>,
): { after: DetectorState; findings: Finding[] } {
  const nothing = { after: state, findings: [] }
  if ('gone' in observation) {
    troubles.set('gone', '')
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
  if (isEmpty) troubles.set('empty', '')
  const lost = missing.filter((rate) => !isEmpty && typeof state.last?.rates[rate] === 'number')
  if (lost.length > 0) troubles.set('missing', lost.join(', '))
  if (isEmpty || novelty === 'repeated') {
    const last = versioned.last && { ...versioned.last, updated: versioned.last.updated ?? reading.updated }
    return { after: { ...versioned, last }, findings: version === null ? [] : [newVersion(state, version)] }
  }

  // Other rates under a time that does not move were measured when they are first seen.
  const isStuck = reading.updated !== null && reading.updated === state.last?.updated
  const own = isStuck ? { ...reading, time: Date.parse(observation.at) } : reading
  if (isStuck) troubles.set('revised', '')
  const isMore = novelty === 'part' || novelty === 'revised'
  const followed = followChanges(withTaken(versioned, own, isMore))
  const found = findSteps(followed.state, version)
  const findings = [...followed.findings, ...found.findings]
  if (version !== null && found.findings.length === 0) findings.push(newVersion(state, version))
  return { after: isMore ? found.state : withGlitches(state, found.state), findings }
}
