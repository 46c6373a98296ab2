import {
  type AlertEvent,
  type Digest,
  isFinding,
  type ReportedAlert,
  type ShownAlert,
} from '../../event/event.ts'
import type { Levels } from '../../event/levels.ts'
import { plain } from '../../platform/text.ts'
import type { AboutAlert, AboutDigest, FollowUp } from '../message.ts'
import { levelsOf } from './levels.ts'
import type { LaterReports } from './words.ts'

/** The figures of an alert as they stand, for a message about it. */
export function aboutAlert(
  event: ShownAlert & Partial<Pick<AlertEvent, 'methodology'>>,
  later: LaterReports = {},
): AboutAlert {
  const levels = levelsOf(event, later)
  const { id, delta, version, detectedAt, receivedAt, methodology = null, before, unrecognised } = event
  return {
    kind: kindOf(event),
    id,
    ...plainNames(event),
    delta,
    ...(version !== undefined && { version: plainVersion(version) }),
    detectedAt,
    receivedAt,
    methodology,
    reportedBy: isFinding(event) ? 'figures' : 'service',
    levels: levels === undefined ? null : plainLevels(levels),
    before: before === undefined ? null : { ...before, ...plainNames(before) },
    alsoReportedAs: later.other?.id ?? null,
    revisedBy: followUp(later.revision),
    confirmedBy: followUp(later.confirmation),
    unrecognised: unrecognised.map(({ field, problem }) => ({ field, problem: plain(problem) })),
  }
}

/** What says nothing new stands in nothing's place. */
export function kindOf(event: ShownAlert): AboutAlert['kind'] {
  if (event.revises === undefined || event.before === undefined) return 'alert'
  return isFinding(event) ? 'withdrawal' : 'correction'
}

function followUp(report: FollowUp | undefined): FollowUp | null {
  if (report === undefined) return null
  const { id, by, delta, detectedAt, receivedAt } = report
  return { id, by, ...plainNames(report), delta, detectedAt, receivedAt }
}

/** What the service wrote, as one harmless line each: a receiver may show it without a thought. */
export function plainNames({ type, model, category }: Pick<ReportedAlert, 'type' | 'model' | 'category'>) {
  return { type: line(type), model: line(model), category: line(category) }
}

function line(text: string | null): string | null {
  return text === null ? null : plain(text)
}

function plainLevels({ category, version, ...figures }: Levels): Levels {
  return {
    ...figures,
    category: plain(category),
    ...(version !== undefined && { version: plainVersion(version) }),
  }
}

function plainVersion({ from, to }: NonNullable<Levels['version']>) {
  return { from: plain(from), to: plain(to) }
}

/** The alerts of a digest, each as it is known by then. */
export function aboutDigest({ id, of, from, until, items }: Digest): AboutDigest {
  return { kind: 'digest', id, of, from, until, alerts: items.map((item) => aboutAlert(item)) }
}
