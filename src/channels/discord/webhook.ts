import { type REST, type RESTPostAPIWebhookWithTokenJSONBody, Routes } from 'discord.js'
import * as z from 'zod'
import type { Receipt } from '../../event/outcome.ts'
import type { Message } from '../../message/message.ts'
import type { Attempt, Channel, CheckRow, SendResult } from '../channel.ts'
import { readWebhookUrl, type WebhookAddress } from './config.ts'
import { changesBy } from './edit.ts'
import { failureOf, notDiscord } from './failure.ts'
import { formatDiscord } from './format.ts'
import { jumpLink } from './jump-link.ts'
import { openRest, withOwnSignal } from './rest.ts'

const Created = z.object({ id: z.string(), channel_id: z.string().optional().catch(undefined) })
const Webhook = z.object({ type: z.number(), name: z.string().nullish(), channel_id: z.string().nullish() })

/** Each webhook has limits of its own, and so a REST manager of its own. */
export function openWebhookChannel(
  name: string,
  url: string,
  { timeoutMs, pictures }: { timeoutMs: number; pictures: boolean },
): Channel {
  const address = readWebhookUrl(url)
  // The address is a secret, and so is not repeated here.
  if (address === undefined)
    throw new Error(`channel ${name}: webhookUrl is not the address of a Discord webhook`)
  const rest = openRest({ api: address.api, timeoutMs })
  return {
    name,
    type: 'discord',
    // Discord's headers set the pace, as for a bot.
    paceMs: 0,
    tryMs: timeoutMs + spareMs,
    cannotVerifyDelivery: true,
    send: (message, attempt) =>
      withOwnSignal(attempt.signal, (signal) => send(message, { ...attempt, signal }, address, rest.now())),
    ...changesBy(
      'webhook',
      (receipt, request) =>
        rest.now().patch(Routes.webhookMessage(address.id, address.token, receipt.id), {
          ...request,
          auth: false,
          query: threadOf(receipt, address),
        }),
      pictures,
    ),
    linkTo: (receipt, signal) =>
      withOwnSignal(signal, async (own) =>
        jumpLink(
          await rest.now().get(Routes.webhook(address.id, address.token), { auth: false, signal: own }),
          receipt,
        ),
      ),
    check: () => check(address, rest.now()),
    async close() {
      rest.close()
    },
  }
}

/**
 * `wait=true`: Discord then answers with the message, and with an error if it did not keep it. Execute Webhook
 * documents no nonce, and a webhook cannot read its channel. So what ended without an answer is sent again as a repeat,
 * after minutes and then hours.
 */
async function send(
  message: Message,
  attempt: Attempt,
  address: WebhookAddress,
  rest: REST,
): Promise<SendResult> {
  try {
    const { nonce: _, enforce_nonce: _none, ...body } = formatDiscord(message)
    body satisfies Omit<RESTPostAPIWebhookWithTokenJSONBody, 'allowed_mentions'>
    const query = new URLSearchParams({ wait: 'true' })
    if (address.threadId !== undefined) query.set('thread_id', address.threadId)
    const answer = await rest.post(Routes.webhook(address.id, address.token), {
      auth: false,
      body,
      query,
      signal: attempt.signal,
    })
    const created = Created.safeParse(answer)
    if (!created.success) return notDiscord()
    return { result: 'sent', receipt: receiptOf(created.data, address) }
  } catch (error) {
    return failureOf(error, 'webhook', attempt.signal)
  }
}

function receiptOf(
  { id, channel_id }: z.infer<typeof Created>,
  { threadId }: Pick<WebhookAddress, 'threadId'>,
): Receipt {
  return {
    ...(channel_id !== undefined && { place: channel_id }),
    id,
    ...(threadId !== undefined && { thread: threadId }),
    text: id,
  }
}

/** Messages from before places were kept stand in the channel of the address. */
function threadOf(
  { place, thread }: Receipt,
  { threadId }: Pick<WebhookAddress, 'threadId'>,
): URLSearchParams {
  const id = place === undefined ? threadId : thread
  return new URLSearchParams(id === undefined ? {} : { thread_id: id })
}

/** For what a try does beside its one request. */
const spareMs = 5_000

async function check(address: WebhookAddress, rest: REST): Promise<CheckRow[]> {
  try {
    const answer = await rest.get(Routes.webhook(address.id, address.token), { auth: false })
    const webhook = Webhook.safeParse(answer)
    if (!webhook.success) return [{ level: 'fail', what: 'webhook', text: notDiscord().why }]
    const { type, name, channel_id } = webhook.data
    const label = `“${(name ?? 'unnamed').replace(/\p{C}/gu, '')}”, for channel ${channel_id ?? 'unknown'}`
    const remedy = 'it is of a kind that does not accept messages: create a webhook in the channel’s settings'
    // 1 is an incoming webhook, the only kind that can be written to by its address.
    return type === 1
      ? [{ level: 'ok', what: 'webhook', text: label }]
      : [{ level: 'fail', what: 'webhook', text: `${label}: ${remedy}.` }]
  } catch (error) {
    return [{ level: 'fail', what: 'webhook', text: failureOf(error, 'webhook').why }]
  }
}
