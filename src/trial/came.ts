import { readDelivery } from '../event/delivery.ts'
import { type AlertEvent, isFinding } from '../event/event.ts'

/**
 * A stored alert as it came in, without what was decided of it then: what it is to others, and under which id it is kept.
 * What the published figures showed of it stays.
 */
export function asItCame(event: AlertEvent): AlertEvent {
  const { before: _, story: _story, ...came } = event
  // Polling itself says which finding it withdraws or confirms.
  if (isFinding(event)) return { ...came, sameAs: null }
  const { source, receivedAt, body, figures } = event
  return { ...readDelivery(Buffer.from(body.text, body.encoding), { source, receivedAt }), figures }
}
