import { type AlertEvent, isFinding } from '../../event/event.ts'
import { otherContentId } from '../../event/ids.ts'
import { english } from '../../words/words.ts'
import type { ConsoleParts } from '../parts.ts'
import { alertPath } from '../parts-of-pages.ts'
import type { Cited } from './citation.ts'

type CitingParts = Pick<ConsoleParts, 'control' | 'report' | 'config' | 'clock'>

/** How an alert is cited as it stands now: that it was corrected or withdrawn is part of it. `root`: the console's own address. */
export async function citedOf(alert: AlertEvent, root: string, parts: CitingParts): Promise<Cited> {
  const { id, detectedAt, receivedAt, content } = alert
  const service = parts.config().monitor?.name ?? 'Censorship Monitoring Service'
  return {
    id,
    author: isFinding(alert) ? `Bluepencil, from figures of the ${service}` : service,
    headline: await headlineNow(alert, parts),
    issued: detectedAt ?? receivedAt,
    receivedAt,
    url: alertPath(root, id),
    content,
    accessed: new Date(parts.clock.now()).toISOString(),
  }
}

async function headlineNow(alert: AlertEvent, parts: CitingParts): Promise<string> {
  const { headline, about } = await parts.report(alert)
  const isKnown = about?.kind === 'alert' && about.revisedBy !== null
  if (isKnown || !(await wasCorrected(alert.id, parts))) return headline
  return english.say('correctedHeadline', { headline })
}

/** What the store knows of corrections is of some weeks. Those that came under the same id are found for good. */
async function wasCorrected(id: string, { control }: CitingParts): Promise<boolean> {
  for (let number = 2; ; number += 1) {
    const other = await control.event(otherContentId(id, number))
    if (other?.entry.kind !== 'alert') return false
    if (other.entry.revises !== undefined && other.entry.before !== undefined) return true
  }
}
