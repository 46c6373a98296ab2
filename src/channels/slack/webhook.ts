import { createHash } from 'node:crypto'
import type { Message } from '../../message/message.ts'
import type { Attempt, Channel, CheckRow, SendResult } from '../channel.ts'
import { formatSlack } from './format.ts'
import { exchange, readableCode, type SlackReply, SlackTrouble, troubleOf } from './transport.ts'
import { verdictOn } from './verdict.ts'

export interface WebhookChannel {
  name: string
  /** Everybody who knows it can post: it is a secret, and appears in no text. */
  url: string
  paceMs: number
  timeoutMs: number
}

/**
 * A channel that is reached through an incoming webhook, without Slack's client. Nothing can be read through a
 * webhook, so what ended without an answer is sent again as a repeat, after minutes and then hours.
 */
export function openWebhook({ name, url, paceMs, timeoutMs }: WebhookChannel): Channel {
  async function send(message: Message, attempt: Attempt): Promise<SendResult> {
    try {
      // Metadata only serves to find a message again.
      const { metadata: _, ...payload } = formatSlack(message)
      const reply = await exchange(
        url,
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(payload) },
        { signal: attempt.signal, timeoutMs },
      )
      if (isOk(reply))
        return { result: 'sent', receipt: { text: 'accepted by the webhook, which returns no id' } }
      throw refusal(reply)
    } catch (error) {
      return verdictOn(troubleOf(error), {
        channel: "the webhook's channel",
        bot: 'the webhook',
        key: 'webhookUrl',
      })
    }
  }

  async function check(): Promise<CheckRow[]> {
    return [checkAddress(name, url)]
  }

  const destination = createHash('sha256').update(url).digest('hex')
  return {
    name,
    type: 'slack',
    paceMs,
    tryMs: timeoutMs + spareMs,
    cannotVerifyDelivery: true,
    destination,
    send,
    check,
    close: async () => {},
  }
}

/** For what a try does beside its one request. */
const spareMs = 5_000

/** Slack answers `ok`; work-alikes also `{"ok":true}`. */
function isOk({ status, body }: SlackReply): boolean {
  return status === 200 && /^(ok|\{\s*"ok"\s*:\s*true\s*\})$/.test(body.trim())
}

/** A webhook's error is one word in the body, with a fitting status. */
function refusal({ status, body, afterMs }: SlackReply): SlackTrouble {
  const code = readableCode(body)
  if (status === 200 && code === undefined) return new SlackTrouble({ kind: 'unreadable' })
  const more = { ...(code !== undefined && { code }), ...(afterMs !== undefined && { afterMs }) }
  return new SlackTrouble({ kind: 'status', status, ...more })
}

function checkAddress(name: string, url: string): CheckRow {
  const what = 'webhook'
  const { hostname, pathname } = new URL(url)
  const unseen = `Only a test alert shows whether it works: "test-alert ${name}".`
  if (!/^hooks\.slack(-gov)?\.com$/.test(hostname)) {
    return {
      level: 'warn',
      what,
      text: `The address is not on hooks.slack.com; Bluepencil uses it all the same. ${unseen}`,
    }
  }
  if (/^\/services\/[^/]+\/[^/]+\/[^/]+$/.test(pathname)) {
    return { level: 'ok', what, text: `The address looks like an incoming webhook. ${unseen}` }
  }
  const text =
    'The address is not an incoming webhook: copy the whole one, https://hooks.slack.com/services/…/…/…, from "Incoming Webhooks" in the app.'
  return { level: 'fail', what, text }
}
