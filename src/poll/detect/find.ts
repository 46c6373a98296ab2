import { dayMs, promptsBehind, usualInterval } from './bins.ts'
import { coveredBy, fateOf, together, withJoined, withoutChange, withStep } from './changes.ts'
import { type Figures, type Finding, sentenceOf } from './finding.ts'
import { rateNames } from './observation.ts'
import { rateAt } from './scale.ts'
import type { Change, DetectorState, VersionChange } from './state.ts'
import { type Step, steps } from './step.ts'
import { threshold } from './threshold.ts'

/** Standard errors from which on the reading with which a step began is hardly ever taken for its neighbour. */
const dated = 6

export interface Found {
  state: DetectorState
  findings: Finding[]
}

/** Steps that end at the newest reading and exceed their threshold, the clearest first; each is one change. */
export function findSteps(given: DetectorState, version: VersionChange | null): Found {
  let state = given
  const findings: Finding[] = []
  const interval = usualInterval(state.bins)
  const covered = new Set<string>()
  for (const step of clearSteps(state, interval)) {
    if (covered.has(step.rate)) continue
    const known = state.changes.find((change) => isPartOf(step, change, interval))
    if (known !== undefined) {
      state = withJoined(state, known, step)
      continue
    }
    const finding = findingOf(state, step, version, interval)
    findings.push(finding)
    state = withStep(state, step, finding.kind, given.bins.at(-1)?.to ?? step.since)
    for (const rate of coveredBy(step.rate)) covered.add(rate)
  }
  return { state, findings }
}

/** What has become of the changes found before: over, or here to stay. */
export function followChanges(given: DetectorState): Found {
  let state = given
  const findings: Finding[] = []
  for (const change of given.changes) {
    if (change.settled) continue
    const { fate, over } = fateOf(state, change)
    if (fate === 'over') state = withoutChange(state, change, over ?? change.since)
    if (fate !== 'stays') continue
    if (change.kind === 'spike') findings.push(stayed(state, change))
    const changes = state.changes.map((one) => (one === change ? { ...change, settled: true } : one))
    state = { ...state, changes }
  }
  return { state, findings }
}

/** A new version label with no step yet. Back to the label before it within days is more about the same change. */
export function newVersion(before: DetectorState, version: VersionChange): Finding {
  const near = together(usualInterval(before.bins))
  const earlier = before.versionChange
  const isBack = earlier !== null && earlier.from === version.to && version.at - earlier.at <= near
  const step = before.changes.find(({ since }) => Math.abs(since - version.at) <= near)
  return {
    kind: 'policy_change',
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
function isPartOf(step: Step, change: Change, interval: number): boolean {
  if (change.direction !== step.direction) return false
  if (change.covers[step.rate] !== undefined) return step.since <= change.foundAt
  if (step.since > change.foundAt && step.standardErrors >= dated) return false
  return Math.abs(change.since - step.since) <= together(interval)
}

function clearSteps(state: DetectorState, interval: number): Step[] {
  return rateNames
    .flatMap((rate) => steps(state.bins, rate, state.charts[rate], promptsBehind(state, rate)))
    .filter((step) => step.standardErrors >= threshold(step.rate, step.direction, interval, step.readings))
    .sort((one, other) => other.standardErrors - one.standardErrors)
}

function findingOf(
  state: DetectorState,
  step: Step,
  version: VersionChange | null,
  interval: number,
): Finding {
  const { versionChange } = state
  const byVersion =
    versionChange !== null && Math.abs(versionChange.at - step.since) <= together(interval)
      ? versionChange
      : null
  const figures = figuresOf(state, step, interval)
  return {
    kind: step.direction === 1 && byVersion === null ? 'spike' : 'policy_change',
    category: step.rate,
    direction: step.direction === 1 ? 'rise' : 'fall',
    since: iso(step.since),
    foundAt: iso(state.bins.at(-1)?.to ?? step.since),
    version: version === null ? null : { from: version.from, to: version.to },
    figures,
    completes: version === null && byVersion !== null ? aboutVersion(byVersion) : null,
    sentence: sentenceOf(figures, version),
  }
}

function stayed(state: DetectorState, change: Change): Finding {
  const interval = usualInterval(state.bins)
  const since = state.bins.filter((bin) => bin.from >= change.since && bin.weight[change.rate] > 0)
  const prompts = since.reduce((total, bin) => total + bin.weight[change.rate], 0)
  const after = since.reduce((total, bin) => total + bin.sum[change.rate], 0) / prompts
  const variance = change.noise * (1 / prompts + 1 / change.baselinePrompts)
  const step: Step = {
    ...change,
    index: 0,
    readings: since.reduce((total, bin) => total + bin.readings, 0),
    prompts,
    after,
    standardErrors: Math.abs(after - change.before - change.drift) / Math.sqrt(variance),
  }
  const figures = figuresOf(state, step, interval)
  const now = state.bins.at(-1)?.to ?? change.foundAt
  return {
    kind: 'policy_change',
    category: change.rate,
    direction: change.direction === 1 ? 'rise' : 'fall',
    since: iso(change.since),
    foundAt: iso(now),
    version: null,
    figures,
    completes: aboutStep(change),
    sentence: sentenceOf(
      figures,
      null,
      `; it has stayed for ${Math.round((now - change.since) / dayMs)} days`,
    ),
  }
}

function figuresOf(state: DetectorState, step: Step, interval: number): Figures {
  const n = promptsBehind(state, step.rate)
  return {
    rate: rateAt(step.after, n),
    baseline: rateAt(step.before, n),
    readings: step.readings,
    n: state.charts[step.rate].n,
    baselineReadings: step.baselineReadings,
    baselineDays: Math.max(1, Math.round((step.since - step.baselineFrom) / dayMs)),
    standardErrors: step.standardErrors,
    threshold: threshold(step.rate, step.direction, interval, step.readings),
    readingsPerYear: Math.round((365 * dayMs) / Math.max(interval, 1_000)),
    noise: step.noise,
    drift: rateAt(step.before + step.drift, n) - rateAt(step.before, n),
  }
}

function aboutVersion({ at }: VersionChange): Finding['completes'] {
  return { kind: 'policy_change', category: null, since: iso(at) }
}

function aboutStep({ kind, rate, since }: Change): Finding['completes'] {
  return { kind, category: rate, since: iso(since) }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
