import { createHash } from 'node:crypto'
import type { AlertEvent, PublishedFigures } from '../../event/event.ts'
import type { Finding, FindingFigures } from '../detect/finding.ts'
import type { ObservedRate } from '../detect/observation.ts'
import { firstReadAt, levelsOf } from './levels.ts'
import type { FirstRead } from './state.ts'

/**
 * Whether a finding is an alert. One that says more about an earlier change is not: a spike that stayed, a version label
 * that followed its step. The step that follows a new version is: only now it is known which way.
 */
export function isAlert({ completes, figures }: Finding): boolean {
  return completes === null || (completes.category === null && figures !== null)
}

/** Whether it confirms or withdraws an earlier finding. */
export function isVerdict({ judges }: Finding): boolean {
  return judges !== undefined
}

/**
 * The event of a finding. Its id is made from model, category, kind and the time of the deciding reading, so a restart or a second
 * process makes the same. A new version label alone has no category and no size. A withdrawal `revises` the event of the
 * finding, and says that nothing changed; a confirmation says by how much.
 */
export function alertOf(
  model: string,
  finding: Finding,
  receivedAt: string,
  firstRead: readonly FirstRead[] = [],
): AlertEvent {
  const { figures, foundAt, judges, status, category, version } = finding
  const kind = judges?.kind ?? finding.kind
  const judged = judges && idOf([model, category ?? 'version', kind, judges.foundAt])
  return {
    kind: 'alert',
    id: judged === undefined ? idOf([model, category ?? 'version', kind, foundAt]) : idOf([judged, status]),
    ...(judged !== undefined && (status === 'withdrawn' ? { revises: judged } : { confirms: judged })),
    ...(version !== null && category === null && { version }),
    type: category === null ? 'version_change' : kind === 'spike' ? 'censorship_spike' : 'policy_change',
    model,
    category,
    delta: status === 'withdrawn' ? 0 : figures && changeIn(figures),
    detectedAt: finding.since,
    methodology: null,
    source: 'poll',
    found: true,
    receivedAt,
    unrecognised: [],
    body: { encoding: 'utf8', text: JSON.stringify({ model, ...finding }) },
    figures: category === null || figures === null ? null : figuresOf(category, figures, finding, firstRead),
    sameAs: null,
  }
}

/** Leaves out what was found and withdrawn in the same round, as when polling catches up. */
export function withoutWithdrawn(events: readonly AlertEvent[]): AlertEvent[] {
  const withdrawn = new Set(events.flatMap(({ revises }) => revises ?? []))
  const ids = new Set(events.map(({ id }) => id))
  return events.filter(
    ({ id, revises }) => !withdrawn.has(id) && (revises === undefined || !ids.has(revises)),
  )
}

function idOf(seen: readonly string[]): string {
  return `poll_${createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 32)}`
}

function figuresOf(
  category: ObservedRate,
  figures: FindingFigures,
  finding: Finding,
  firstRead: readonly FirstRead[],
): PublishedFigures {
  const oldest = Date.parse(figures.readings === 1 ? finding.foundAt : finding.since)
  return {
    state: 'visible',
    sentence: finding.sentence,
    rate: rounded(figures.rate * 100, 2),
    sampleSize: figures.n,
    baseline: rounded(figures.baseline * 100, 2),
    baselineDays: figures.baselineDays,
    standardErrors: rounded(figures.standardErrors, 2),
    readAt: finding.foundAt,
    levels: levelsOf(category, finding.since, figures, {
      ...finding,
      firstRead: firstReadAt(oldest, firstRead),
    }),
  }
}

/**
 * The difference that the figures show, in percentage points, to a tenth unless that is 0. If a drift turned it round, the
 * estimate that is corrected for having been selected (`levels.size`).
 */
function changeIn({ rate, baseline, size }: FindingFigures): number {
  const shown = rate - baseline
  const exact = 100 * (shown > 0 === size > 0 ? shown : size)
  return rounded(exact, 1) || exact
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
