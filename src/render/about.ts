import type { AboutAlert, AboutDigest, AboutNotice, Later } from '../channels/about.ts'
import type { Digest } from '../event/digest.ts'
import { type AlertEvent, isFinding, type Notice, type ShownAlert } from '../event/event.ts'
import type { Levels } from '../event/levels.ts'
import { levelsOf } from './levels.ts'
import type { Confirmed, OtherWay, Revised } from './words.ts'

/** What is known of an alert beside the event itself. */
interface Beside {
  levels: Levels | undefined
  other?: OtherWay | undefined
  revision?: Revised | undefined
  confirmation?: Confirmed | undefined
}

/** The figures of an alert as they stand, for a message about it. */
export function aboutAlert(
  event: ShownAlert & Partial<Pick<AlertEvent, 'methodology'>>,
  { levels, other, revision, confirmation }: Beside,
): AboutAlert {
  const { id, type, model, category, delta, detectedAt, receivedAt, methodology = null, unrecognised } = event
  return {
    kind: kindOf(event),
    id,
    type,
    model,
    category,
    delta,
    detectedAt,
    receivedAt,
    methodology,
    reportedBy: isFinding(event) ? 'figures' : 'service',
    levels: levels ?? null,
    before: event.before ?? null,
    alsoReportedAs: other?.id ?? null,
    revisedBy: laterOf(revision),
    confirmedBy: laterOf(confirmation),
    unrecognised,
  }
}

function kindOf(event: ShownAlert): AboutAlert['kind'] {
  if (event.revises === undefined || event.before === undefined) return 'alert'
  return isFinding(event) ? 'withdrawal' : 'correction'
}

function laterOf(said: Revised | undefined): Later | null {
  if (said === undefined) return null
  const { id, by, type, model, category, delta, detectedAt, receivedAt } = said
  return { id, by, type, model, category, delta, detectedAt, receivedAt }
}

export function aboutDigest({ id, of, from, until, items }: Digest): AboutDigest {
  const alerts = items.map((item) => aboutAlert(item, { levels: levelsOf(item) }))
  return { kind: 'digest', id, of, from, until, alerts }
}

/** What a notice is about; `phase` as it is by now. */
export function aboutNotice({ id, channel }: Notice, phase: AboutNotice['phase']): AboutNotice {
  return { kind: 'notice', id, phase, channel }
}
