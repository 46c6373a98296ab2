import {
  type AlertEvent,
  type Digest,
  isFinding,
  type Notice,
  type ReportedAlert,
  type ShownAlert,
} from '../../event/event.ts'
import type { Levels } from '../../event/levels.ts'
import { plain } from '../../platform/text.ts'
import type { AboutAlert, AboutDigest, AboutNotice, FollowUp } from '../message.ts'
import { levelsOf } from './levels.ts'
import type { ConfirmedReport, OtherWay, RevisedReport } from './words.ts'

/** What is known of an alert beside the event itself. */
interface AlertContext {
  levels: Levels | undefined
  other?: OtherWay | undefined
  revision?: RevisedReport | undefined
  confirmation?: ConfirmedReport | undefined
}

/** The figures of an alert as they stand, for a message about it. */
export function aboutAlert(
  event: ShownAlert & Partial<Pick<AlertEvent, 'methodology'>>,
  { levels, other, revision, confirmation }: AlertContext,
): AboutAlert {
  const { id, delta, version, detectedAt, receivedAt, methodology = null, before, unrecognised } = event
  return {
    kind: kindOf(event),
    id,
    ...named(event),
    delta,
    ...(version !== undefined && { version: plainVersion(version) }),
    detectedAt,
    receivedAt,
    methodology,
    reportedBy: isFinding(event) ? 'figures' : 'service',
    levels: levels === undefined ? null : plainLevels(levels),
    before: before === undefined ? null : { ...before, ...named(before) },
    alsoReportedAs: other?.id ?? null,
    revisedBy: laterOf(revision),
    confirmedBy: laterOf(confirmation),
    unrecognised: unrecognised.map(({ field, problem }) => ({ field, problem: plain(problem) })),
  }
}

function kindOf(event: ShownAlert): AboutAlert['kind'] {
  if (event.revises === undefined || event.before === undefined) return 'alert'
  return isFinding(event) ? 'withdrawal' : 'correction'
}

function laterOf(said: RevisedReport | undefined): FollowUp | null {
  if (said === undefined) return null
  const { id, by, delta, detectedAt, receivedAt } = said
  return { id, by, ...named(said), delta, detectedAt, receivedAt }
}

/** What the service wrote, as one harmless line each: a receiver may show it without a thought. */
function named({ type, model, category }: Pick<ReportedAlert, 'type' | 'model' | 'category'>) {
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

/** What a digest tells of, each alert as it is known by then. */
export function aboutDigest({ id, of, from, until, items }: Digest): AboutDigest {
  const alerts = items.map((item) => aboutAlert(item, { levels: levelsOf(item) }))
  return { kind: 'digest', id, of, from, until, alerts }
}

/** What a notice is about; `phase` as it is by now. */
export function aboutNotice({ id, channel }: Notice, phase: AboutNotice['phase']): AboutNotice {
  return { kind: 'notice', id, phase, channel }
}
