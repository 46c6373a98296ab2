import { createHash } from 'node:crypto'
import type { Finding } from '../detect/finding.ts'
import type { AlertEvent } from '../event/event.ts'
import { levelsOf } from './levels.ts'

/**
 * Whether a finding is something to tell. One that says more about a change that was told is not: a spike that stayed,
 * a version label that followed its step. The step that follows a new version is: only now is it known which way.
 */
export function isNews({ completes, figures }: Finding): boolean {
  return completes === null || (completes.category === null && figures !== null)
}

/** Whether it says what an earlier finding, which was told, turned out to be. */
export function isVerdict({ judges }: Finding): boolean {
  return judges !== undefined
}

/**
 * The event of a finding. Its id is made from what was seen, so that no restart and no second process makes another:
 * model, category, kind, and the time of the reading that decided. A new version label alone is no change of a rate. What
 * is withdrawn `revises` the event of the finding, and says that nothing changed; what is confirmed says by how much.
 */
export function alertOf(model: string, finding: Finding, receivedAt: string): AlertEvent {
  const { figures, foundAt, judges, status } = finding
  const kind = judges?.kind ?? finding.kind
  const category = finding.category ?? 'overall'
  const delta = figures === null || status === 'withdrawn' ? 0 : changeIn(figures)
  const judged = judges && idOf([model, category, kind, judges.foundAt])
  return {
    kind: 'alert',
    id: judged === undefined ? idOf([model, category, kind, foundAt]) : idOf([judged, status]),
    ...(judged !== undefined && (status === 'withdrawn' ? { revises: judged } : { confirms: judged })),
    type: kind === 'spike' ? 'censorship_spike' : 'policy_change',
    model,
    category,
    delta,
    detectedAt: finding.since,
    methodology: null,
    source: 'poll',
    found: true,
    receivedAt,
    unrecognised: [],
    body: { encoding: 'utf8', text: JSON.stringify({ model, ...finding }) },
    figures: {
      state: 'visible',
      sentence: finding.sentence,
      rate: figures === null ? null : rounded(figures.rate * 100, 2),
      sampleSize: figures?.n ?? null,
      baseline: figures === null ? null : rounded(figures.baseline * 100, 2),
      baselineDays: figures?.baselineDays ?? null,
      standardErrors: figures === null ? null : rounded(figures.standardErrors, 2),
      readAt: foundAt,
      ...(figures !== null && { levels: levelsOf(category, finding.since, figures, finding) }),
    },
    sameAs: null,
  }
}

/** What was found and taken back in the same look, as when polling catches up, is neither told nor taken back. */
export function withoutTakenBack(events: readonly AlertEvent[]): AlertEvent[] {
  const takenBack = new Set(events.flatMap(({ revises }) => revises ?? []))
  const found = new Set(events.map(({ id }) => id))
  return events.filter(
    ({ id, revises }) => !takenBack.has(id) && (revises === undefined || !found.has(revises)),
  )
}

function idOf(seen: readonly string[]): string {
  return `poll_${createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 32)}`
}

/** In percentage points, to a tenth where that leaves something of it. */
function changeIn({ size }: NonNullable<Finding['figures']>): number {
  const exact = size * 100
  return rounded(exact, 1) || exact
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
