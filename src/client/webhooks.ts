import * as z from 'zod'
import { unwrapList, unwrapObject } from './envelope.ts'
import { type Answer, type Connection, request, segment } from './request.ts'

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

export interface NewWebhook {
  url: string
  events: readonly string[]
  models: readonly string[]
}

/** POST /webhooks ("Endpoints"). Not repeated by itself: a second one would be a second subscription. */
export async function createWebhook(
  connection: Connection,
  { url, events, models }: NewWebhook,
): Promise<Webhook> {
  return one(await request(connection, { method: 'POST', path: '/webhooks', body: { url, events, models } }))
}

/** GET /webhooks ("Endpoints"): the first page, should there be pages. */
export async function listWebhooks(connection: Connection, signal?: AbortSignal): Promise<Webhook[]> {
  const answer = await request(connection, { method: 'GET', path: '/webhooks', signal })
  if (answer.status === 204) return []
  const list = unwrapList(answer.json())
  if (list === undefined) throw answer.unintelligible('no list of subscriptions that could be found in it')
  return answer.parse(list, z.array(Webhook))
}

/** GET /webhooks/{id} ("Endpoints"). `NotFound` where it is gone. */
export async function getWebhook(connection: Connection, id: string, signal?: AbortSignal): Promise<Webhook> {
  return one(await request(connection, { method: 'GET', path: `/webhooks/${segment(id)}`, signal }))
}

/** DELETE /webhooks/{id} ("Endpoints"). `NotFound` where it is gone already; the answer's body is not looked at. */
export async function deleteWebhook(connection: Connection, id: string): Promise<void> {
  await request(connection, { method: 'DELETE', path: `/webhooks/${segment(id)}` })
}

function one(answer: Answer): Webhook {
  return answer.parse(unwrapObject(answer.json(), ['data', 'webhook']), Webhook)
}
