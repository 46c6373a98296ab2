import type { AlertEvent } from '../../event/event.ts'

interface IngestParts {
  /** Resolves when the event is on disk. */
  take(event: AlertEvent): Promise<'new' | 'duplicate'>
  incidents: {
    once(key: string, episode: string, report: { title: string; text: string }): Promise<void>
  }
  /** It is new: where webhooks are healthy, the service will deliver it too. */
  onNew(event: AlertEvent): void
  /** A finding says that an earlier one, by its id, does not stand. */
  onTakenBack(id: string): void
}

/**
 * Hands on what a round found, in the order in which it happened. What was missed for a while is announced to operators
 * first, where it is more than one. Rejects where the store accepts nothing: what was found is then found again.
 */
export async function ingest(events: readonly AlertEvent[], parts: IngestParts): Promise<void> {
  const [first, ...more] = events.flatMap(({ missedSince }) => missedSince ?? []).toSorted()
  if (first !== undefined && more.length > 0) {
    const title = `${more.length + 1} changes were found in what was missed`
    const text = `Polling had seen nothing since ${first}. The alerts say when each change was detected.`
    await parts.incidents.once('polling:missed', first, { title, text })
  }
  for (const event of events.toSorted(byTime)) {
    const verdict = await parts.take(event)
    if (event.revises !== undefined) parts.onTakenBack(event.revises)
    else if (verdict === 'new' && event.confirms === undefined) parts.onNew(event)
  }
}

function byTime(one: AlertEvent, other: AlertEvent): number {
  return (one.detectedAt ?? '').localeCompare(other.detectedAt ?? '')
}
