import { alertPath, publicRoot } from '../../config/console.ts'
import type { Config } from '../../config/schema.ts'
import { version } from '../../config/version.ts'
import { type AlertEvent, isFinding } from '../../event/event.ts'
import type { Message } from '../../message/message.ts'
import { signedPoints } from '../../message/render/points.ts'
import { modelName, promptsOf } from '../../message/render/words.ts'
import { english } from '../../message/words/words.ts'
import { isLoopback } from '../../platform/outbound/loopback.ts'
import { hashesOf, receivedOf } from '../../record/evidence/link.ts'
import type { ConsoleParts } from '../parts.ts'
import type { CitedAlert } from './citation.ts'

type CitingParts = Pick<ConsoleParts, 'report' | 'config' | 'clock'>

/**
 * How an alert is cited as it stands now: that it was corrected or withdrawn is part of it. What the service reported is
 * cited in its own terms; sentences and levels of ours are none of its. What polling found is cited as ours.
 */
export async function citedOf(alert: AlertEvent, parts: CitingParts): Promise<CitedAlert> {
  const { id, detectedAt, receivedAt, methodology } = alert
  const report = await parts.report(alert)
  const config = parts.config()
  const service = config.monitor?.name ?? 'Censorship Monitoring Service'
  const program = `Bluepencil ${version()}`
  const url = pageOf(id, config)
  return {
    id,
    ...(isFinding(alert)
      ? {
          is: 'Finding',
          author: 'Bluepencil',
          title: report.headline.replace(/\.$/, ''),
          record: `Found by ${program} in the published figures of the ${service}`,
        }
      : {
          is: 'Event',
          author: service,
          title: titleOf(alert, report),
          record: `As recorded by ${program}`,
        }),
    detectedAt,
    receivedAt,
    methodology,
    sha256: hashesOf(receivedOf(alert, null)).body,
    ...(url !== undefined && { url }),
    accessed: new Date(parts.clock.now()).toISOString(),
  }
}

/** What the service said, and what became of it. */
function titleOf({ type, model, category, delta }: AlertEvent, { about }: Message): string {
  const { say } = english
  const size = delta === null ? 'size not readable' : signedPoints(delta, english)
  const of = [modelName(model), promptsOf(category, english), size].join(', ')
  const headline = say('labelled', { label: say('typeName', { type: type ?? '' }), value: of })
  if (about?.kind !== 'alert' && about?.kind !== 'correction') return headline
  if (about.revisedBy !== null) return say('correctedHeadline', { headline })
  return about.kind === 'correction' ? say('correctionHeadline', { headline }) : headline
}

/** Nobody else reaches an address of this machine. */
function pageOf(id: string, { console }: Config): string | undefined {
  const root = console && publicRoot(console)
  return root === undefined || isLoopback(new URL(root).hostname) ? undefined : alertPath(root, id)
}
