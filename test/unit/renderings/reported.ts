import { readDelivery } from '../../../src/event/delivery.ts'
import type { AlertEvent } from '../../../src/event/event.ts'
import { noFigures } from '../../support/fakes/events.ts'

/** The time of all examples: what is made from them is the same on every day and machine. */
export const receivedAt = '2026-11-21T14:05:33.000Z'
export const methodology = 'https://monitor.example/methodology'

/** A spike as the service reports it. The figures do not show it. */
export function reported(delta = '+12pp', detected_at = '2026-11-21T14:02:10Z'): AlertEvent {
  const payload = {
    id: 'evt_01J9ZK3T7M',
    type: 'censorship_spike',
    model: 'claude',
    data: { category: 'political', delta, detected_at },
    methodology,
  }
  const cameAt = new Date(Math.max(Date.parse(receivedAt), Date.parse(detected_at))).toISOString()
  const event = readDelivery(Buffer.from(JSON.stringify(payload)), { source: 'webhook', receivedAt: cameAt })
  return { ...event, figures: { ...noFigures, state: 'not-shown' } }
}
