import type { AlertEvent } from '../../event/event.ts'
import { dayMs, hourMs } from '../../platform/durations.ts'
import type { VerifiedDelivery } from './delivery-log.ts'
import { type ComparedChange, noneRefused, type WebhookDeliveries } from './state.ts'

/** A delivery has so long to tell of what polling found: retries of the service included. */
const graceMs = hourMs / 2
/** The same change may be dated so far apart: by the event, and by the first reading that shows it. */
const apartMs = 3 * dayMs
/** What polling found counts for a day, unless a delivery tells of it before. */
const countedMs = dayMs
const mostKept = 100

/** After a delivery that was verified at that time, new or not. What is known already changes nothing. */
export function withDelivery(
  webhooks: WebhookDeliveries,
  { event, at }: VerifiedDelivery,
  now: number = at,
): WebhookDeliveries {
  const change = changeOf(event, at)
  const before = recent(webhooks.delivered, now).filter(({ id }) => id !== change.id)
  return {
    deliveredAt: Math.max(webhooks.deliveredAt ?? at, at),
    refused: at >= webhooks.refused.at ? noneRefused : webhooks.refused,
    delivered: [...before, change].slice(-mostKept),
    found: recent(webhooks.found, now).filter((one) => !isSame(one, change)),
  }
}

/** After a delivery that could not be verified. */
export function withRefusal(webhooks: WebhookDeliveries, outcome: string, now: number): WebhookDeliveries {
  const { refused } = webhooks
  const counted = {
    forged: refused.forged + Number(outcome === 'forged'),
    unsigned: refused.unsigned + Number(outcome === 'unsigned'),
    noSecret: refused.noSecret + Number(outcome === 'no_secret'),
    at: now,
  }
  const isOne = outcome === 'forged' || outcome === 'unsigned' || outcome === 'no_secret'
  return isOne ? { ...webhooks, refused: counted } : webhooks
}

/** After an event that polling found, where deliveries should tell of such. */
export function withFound(webhooks: WebhookDeliveries, event: AlertEvent, now: number): WebhookDeliveries {
  const change = changeOf(event, now)
  if (recent(webhooks.delivered, now).some((one) => isSame(one, change))) return webhooks
  return { ...webhooks, found: [...recent(webhooks.found, now), { ...change, at: now }].slice(-mostKept) }
}

/** What polling had found is withdrawn: no delivery will tell of it. */
export function withoutFound(webhooks: WebhookDeliveries, eventId: string): WebhookDeliveries {
  return { ...webhooks, found: webhooks.found.filter(({ id }) => id !== eventId) }
}

/** When changes were found for which a delivery should have come by now, and none did. */
export function untold({ found }: WebhookDeliveries, now: number): number[] {
  return found.map(({ at }) => at).filter((at) => now - at >= graceMs && now - at <= countedMs)
}

function changeOf(event: VerifiedDelivery['event'], now: number): ComparedChange {
  const rises = event.delta === null || event.delta === 0 ? null : event.delta > 0
  const at = event.detectedAt === null ? now : Date.parse(event.detectedAt)
  return { id: event.id, model: event.model, rises, at }
}

function isSame(one: ComparedChange, other: ComparedChange): boolean {
  if (one.id === other.id) return true
  const sameWay = one.rises === null || other.rises === null || one.rises === other.rises
  return one.model === other.model && sameWay && Math.abs(one.at - other.at) <= apartMs
}

function recent(changes: readonly ComparedChange[], now: number): ComparedChange[] {
  return changes.filter(({ at }) => now - at <= 2 * apartMs)
}
