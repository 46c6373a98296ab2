import { type AlertEvent, isFinding } from '../../event/event.ts'
import type { ConsoleParts } from '../parts.ts'
import { alertPath } from '../parts-of-pages.ts'
import type { Cited } from './citation.ts'

type CitingParts = Pick<ConsoleParts, 'report' | 'config' | 'clock'>

/** How an alert is cited as it stands now: that it was corrected or withdrawn is part of it. `root`: the console's own address. */
export async function citedOf(alert: AlertEvent, root: string, parts: CitingParts): Promise<Cited> {
  const { id, detectedAt, receivedAt, content } = alert
  const { headline } = await parts.report(alert)
  const service = parts.config().monitor?.name ?? 'Censorship Monitoring Service'
  return {
    id,
    author: isFinding(alert) ? `Bluepencil, from figures of the ${service}` : service,
    headline,
    issued: detectedAt ?? receivedAt,
    receivedAt,
    url: alertPath(root, id),
    content,
    accessed: new Date(parts.clock.now()).toISOString(),
  }
}
