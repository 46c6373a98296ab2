import { dayMs } from '../../platform/durations.ts'
import { counted } from '../../platform/text.ts'
import { pooled, promptsBehind, usualInterval } from './bins.ts'
import {
  coveredBy,
  dated,
  endedBy,
  fateOf,
  lasted,
  sameChangeMs,
  storyOf,
  withJoined,
  withoutChange,
  withStep,
} from './changes.ts'
import { driftOf } from './drift.ts'
import { type Finding, figuresOf, sentenceOf } from './finding.ts'
import { habitsOf, prepare } from './habits.ts'
import { withWait } from './noise.ts'
import { type PerRate, perRate, rateNames } from './observation.ts'
import type { Bin, DetectorState, OpenChange, VersionChange } from './state.ts'
import { type RateStep, scan } from './step.ts'
import { firstThreshold } from './threshold.ts'
import { unrestIn } from './unrest.ts'

interface DetectedChanges {
  state: DetectorState
  findings: Finding[]
}

/** Steps that end at the newest reading and exceed their threshold, the clearest first; each is one change. */
export function findSteps(before: DetectorState, version: VersionChange | null): DetectedChanges {
  let state = before
  const findings: Finding[] = []
  const interval = usualInterval(state.bins)
  const covered = new Set<string>()
  // Each round but the last ends a change.
  for (let round = 0; round <= before.changes.length; round++) {
    const scanned = withScans(state)
    state = scanned.state
    let hasEnded = false
    for (const step of scanned.steps) {
      if (covered.has(step.rate)) continue
      const ended = endedBy(state, step)
      if (ended !== undefined) {
        findings.push(endOf(state, ended, step.since))
        state = withoutChange(state, ended, step.since)
        hasEnded = true
        break
      }
      const earlier = state.changes.find((change) => isPartOf(step, change, interval))
      if (earlier !== undefined) {
        state = withJoined(state, earlier, step)
        continue
      }
      const finding = findingOf(state, step, version, interval)
      findings.push(finding)
      const drifts = finding.status === 'drift'
      const foundAt = before.bins.at(-1)?.to ?? step.since
      state = withStep(state, step, { kind: finding.kind, drifts }, foundAt)
      for (const rate of coveredBy(step.rate)) covered.add(rate)
    }
    if (!hasEnded) break
  }
  return { state, findings }
}

/** What has become of the changes found before: over, or here to stay. */
export function followChanges(before: DetectorState): DetectedChanges {
  let state = before
  const findings: Finding[] = []
  for (const change of before.changes) {
    if (change.settled) continue
    const { fate, over } = fateOf(state, change)
    if (fate === 'over') {
      findings.push(endOf(state, change, over ?? change.since))
      state = withoutChange(state, change, over ?? change.since)
      continue
    }
    if (change.provisional && isBorneOut(state, change)) {
      findings.push(followUp(state, change, 'confirmed'))
      state = withChange(state, change, { provisional: false })
    }
    if (fate !== 'stays') continue
    if (change.kind === 'spike') findings.push(followUp(state, change, 'stayed'))
    state = withChange(state, change, { settled: true })
  }
  return { state, findings }
}

/** Whether the readings after the first show most of what it showed. */
function isBorneOut(state: DetectorState, { rate, since, before, after, direction }: OpenChange): boolean {
  const next = state.bins.filter((bin) => bin.from > since && bin.weight[rate] > 0)
  return direction * (pooled(next, rate).mean - (before + after) / 2) > 0
}

/** A change is known by its date, rate and direction, since each round makes it anew. */
function withChange(state: DetectorState, change: OpenChange, facts: Partial<OpenChange>): DetectorState {
  const isIt = (one: OpenChange) =>
    one.since === change.since && one.rate === change.rate && one.direction === change.direction
  return { ...state, changes: state.changes.map((one) => (isIt(one) ? { ...one, ...facts } : one)) }
}

/** A new version label with no step yet. Back to the label before it within days is more about the same change. */
export function newVersion(before: DetectorState, version: VersionChange): Finding {
  const near = sameChangeMs(usualInterval(before.bins))
  const earlier = before.versionChange
  const isBack = earlier !== null && earlier.from === version.to && version.at - earlier.at <= near
  const step = before.changes.find(({ since }) => Math.abs(since - version.at) <= near)
  return {
    kind: 'policy_change',
    status: 'found',
    category: null,
    direction: null,
    since: iso(version.at),
    foundAt: iso(version.at),
    version: { from: version.from, to: version.to },
    figures: null,
    completes: isBack ? aboutVersion(earlier) : step === undefined ? null : aboutStep(step),
    sentence: sentenceOf(null, version),
  }
}

/**
 * A change shows in each rate at its own time; what one rate dates too early shows again in another. A step of another
 * rate that is clear enough to be dated, and began after the change was found, is another change.
 */
function isPartOf(step: RateStep, change: OpenChange, interval: number): boolean {
  if (change.direction !== step.direction) return false
  if (change.covers[step.rate] !== undefined) return step.since <= change.foundAt
  if (step.since > change.foundAt && step.standardErrors >= dated) return false
  return Math.abs(change.since - step.since) <= sameChangeMs(interval)
}

/** Every rate against its baseline: what the noise is to be learnt from, and the steps that are clear, the clearest first. */
export function withScans(state: DetectorState): { state: DetectorState; steps: RateStep[] } {
  const habits = habitsOf(state)
  const prepared = perRate((rate) => prepare(state, rate, habits))
  const noises = perRate((rate) => prepared[rate].noise)
  let cachedUnrest: PerRate<number>[] | undefined
  const unrest = () => (cachedUnrest ??= unrestIn(state, noises))
  const scans = perRate((rate) => scan(state, rate, prepared[rate], unrest, habits))
  const steps = rateNames
    .flatMap((rate) => scans[rate].steps)
    .filter(({ margin }) => margin >= 0)
    .sort((one, other) => other.standardErrors - one.standardErrors)
  const waits = rateNames.some((rate) => scans[rate].waits)
  const charts = perRate((rate) => withWait({ ...state.charts[rate], pending: scans[rate].squares }, waits))
  return { state: { ...state, charts }, steps }
}

function findingOf(
  state: DetectorState,
  step: RateStep,
  version: VersionChange | null,
  interval: number,
): Finding {
  const { versionChange } = state
  const byVersion =
    versionChange !== null && Math.abs(versionChange.at - step.since) <= sameChangeMs(interval)
      ? versionChange
      : null
  const figures = figuresOf(state, step, interval)
  const drifting = byVersion === null ? driftOf(state, step) : null
  const story = storyOf(state, step, drifting !== null)
  const isSpike = step.direction === 1 && byVersion === null && drifting === null
  return {
    kind: isSpike ? 'spike' : 'policy_change',
    status: drifting !== null ? 'drift' : step.readings === 1 ? 'provisional' : 'found',
    category: step.rate,
    direction: step.direction === 1 ? 'rise' : 'fall',
    since: iso(step.since),
    foundAt: iso(state.bins.at(-1)?.to ?? step.since),
    version: version === null ? null : { from: version.from, to: version.to },
    ...(drifting !== null && { driftSince: iso(drifting) }),
    figures,
    completes:
      version === null && byVersion !== null
        ? aboutVersion(byVersion)
        : story === undefined
          ? null
          : aboutStep(story),
    sentence: sentenceOf(
      figures,
      version,
      drifting !== null
        ? `; a gradual change since ${iso(drifting).slice(0, 10)}, not a step`
        : step.readings === 1
          ? '; provisional: one reading shows it'
          : '',
    ),
  }
}

const endings = {
  confirmed: () => '; confirmed by the readings after the first',
  withdrawn: () => '; later readings do not confirm it',
  ended: (days: number) => `; it ended after ${counted(days, 'day')}`,
  stayed: (days: number) => `; it has stayed for ${counted(days, 'day')}`,
}

/** More about a change that was found: what became of it. */
function followUp(
  state: DetectorState,
  change: OpenChange,
  status: keyof typeof endings,
  over?: number,
): Finding {
  const interval = usualInterval(state.bins)
  // Of what is withdrawn, the readings after it say what is so.
  const isOn = ({ from }: Bin) =>
    status === 'withdrawn'
      ? from >= (over ?? change.since)
      : from >= change.since && (over === undefined || from < over)
  const since = state.bins.filter((bin) => isOn(bin) && bin.weight[change.rate] > 0)
  const left = pooled(since, change.rate)
  // If the only measurement that showed it was amended, none is left.
  const prompts = left.prompts === 0 ? promptsBehind(state, change.rate) : left.prompts
  const after = left.prompts === 0 ? change.after : left.mean
  const variance = change.noise * (1 / prompts + 1 / change.baselinePrompts)
  const level = change.before + change.drift
  const step: RateStep = {
    ...change,
    direction: status !== 'withdrawn' ? change.direction : after < level ? -1 : 1,
    index: 0,
    readings: Math.max(1, left.readings),
    prompts,
    after,
    threshold: firstThreshold(change.rate, change.direction, interval),
    margin: 0,
    dependence: 0,
    standardErrors: Math.abs(after - level) / Math.sqrt(variance),
  }
  const figures = figuresOf(state, step, interval)
  const now = state.bins.at(-1)?.to ?? change.foundAt
  const days = Math.round(((over ?? now) - change.since) / dayMs)
  return {
    kind: 'policy_change',
    status,
    category: change.rate,
    direction: change.direction === 1 ? 'rise' : 'fall',
    since: iso(change.since),
    foundAt: iso(now),
    version: null,
    figures,
    completes: aboutStep(change),
    ...((status === 'confirmed' || status === 'withdrawn') && {
      judges: { kind: change.kind, foundAt: iso(change.foundAt) },
    }),
    sentence: sentenceOf(figures, null, endings[status](days)),
  }
}

/** It ends with this reading; what only one reading showed was none. */
function endOf(state: DetectorState, change: OpenChange, over: number): Finding {
  const isWithdrawn = change.provisional && lasted(state, change, over) <= 1
  return followUp(state, change, isWithdrawn ? 'withdrawn' : 'ended', over)
}

function aboutVersion({ at }: VersionChange): Finding['completes'] {
  return { kind: 'policy_change', category: null, since: iso(at) }
}

function aboutStep({ kind, rate, since }: OpenChange): Finding['completes'] {
  return { kind, category: rate, since: iso(since) }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
