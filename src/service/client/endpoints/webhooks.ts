import * as z from 'zod'
import { pages } from '../http/pages.ts'
import { request, type ServiceAnswer, type ServiceConnection, segment } from '../http/request.ts'
import { listNames } from '../names.ts'
import { unwrapObject } from '../readers/fields.ts'

const text = z.string().nullable().catch(null)
const texts = z.array(z.string()).nullable().catch(null)

/**
 * A subscription ("Webhook subscription"). Only the id must be there: which of the other fields an answer
 * shows is not specified, so one that is absent, or of another form, is `null`.
 */
export const Webhook = z.object({
  /** `wh_…` */
  id: z.union([z.string().min(1), z.number().transform(String)]),
  /** Where deliveries go. */
  url: text,
  /** `policy_change`, `censorship_spike`. */
  events: texts,
  /** Model identifiers. */
  models: texts,
  /** `whsec_…`; shown when it is created, perhaps later too. */
  secret: z.string().min(1).nullable().catch(null),
  /** `active` when it is created; other values are not specified. */
  status: text,
})
export type Webhook = z.infer<typeof Webhook>

/** What to subscribe to ("Webhook subscription"). */
export interface NewWebhook {
  /** The address for deliveries; http or https. */
  url: string
  /** `policy_change`, `censorship_spike`. */
  events: readonly string[]
  /** Model identifiers. */
  models: readonly string[]
}

/** POST /webhooks ("Endpoints"). Not repeated by itself: a second one would be a second subscription. */
export async function createWebhook(
  connection: ServiceConnection,
  { url, events, models }: NewWebhook,
): Promise<Webhook> {
  return readWebhook(
    await request(connection, { method: 'POST', path: '/webhooks', body: { url, events, models } }),
  )
}

/** GET /webhooks ("Endpoints"): all of them, from every page. */
export async function listWebhooks(connection: ServiceConnection, signal?: AbortSignal): Promise<Webhook[]> {
  const webhooks: Webhook[] = []
  const listed = pages(connection, { path: '/webhooks', of: 'subscriptions', signal }, Webhook)
  for await (const webhook of listed) webhooks.push(webhook)
  return webhooks
}

/** GET /webhooks/{id} ("Endpoints"). `NotFound` if it is gone. */
export async function getWebhook(
  connection: ServiceConnection,
  id: string,
  signal?: AbortSignal,
): Promise<Webhook> {
  return readWebhook(await request(connection, { method: 'GET', path: `/webhooks/${segment(id)}`, signal }))
}

/** DELETE /webhooks/{id} ("Endpoints"). `NotFound` if it is gone already; the answer's body is not read. */
export async function deleteWebhook(connection: ServiceConnection, id: string): Promise<void> {
  await request(connection, { method: 'DELETE', path: `/webhooks/${segment(id)}` })
}

function readWebhook(answer: ServiceAnswer): Webhook {
  return answer.parse(unwrapObject(answer.json(), listNames.webhook), Webhook)
}
