import { createHash } from 'node:crypto'
import { isIP, connect as overTcp, type Socket } from 'node:net'
import { connect as overTls } from 'node:tls'
import { Webhook } from 'standardwebhooks'
import type { Receipt } from '../../event/outcome.ts'
import { isLoopback, isPublicAddress } from '../../platform/outbound/address.ts'
import { codeOf, exchange, NoAnswer } from '../../platform/outbound/exchange.ts'
import {
  AddressNotAllowed,
  type AddressRule,
  guardedLookup,
  literalOf,
} from '../../platform/outbound/guarded.ts'
import type { Channel, CheckRow, SendResult } from '../channel.ts'
import { signingSecrets, unquotable, type WebhookSettings } from './config.ts'
import { formatEdit, formatWebhook, type WebhookPayload } from './format.ts'
import { notAllowed, verdictOn, withoutAnswer } from './verdict.ts'

/** Standard Webhooks asks senders to wait for 15 to 30 seconds. */
const usual = { timeoutMs: 30_000 }
/** For what a try does beside its one request. */
const spareMs = 5_000

/** Of an answer, the first words may be quoted; the rest is not read. */
const longest = { mostBytes: 16 * 1024, mostValues: 4_000, statusAlone: true } as const

interface WebhookLimits extends Pick<AddressRule, 'resolve'> {
  timeoutMs: number
}

/** Opens all webhook channels. `limits` is for tests. */
export async function openWebhooks(
  channels: readonly WebhookSettings[],
  limits: WebhookLimits = usual,
): Promise<Channel[]> {
  return channels.map((settings) => openOne(settings, limits))
}

function openOne(settings: WebhookSettings, { timeoutMs, ...resolving }: WebhookLimits): Channel {
  const url = new URL(settings.to)
  const signers = signingSecrets(settings).map((secret) => new Webhook(secret))
  const unspoken = unquotable(settings)
  const guard = { ...ruleOf(settings, url), ...resolving }

  async function post({ id, body }: WebhookPayload, signal: AbortSignal): Promise<SendResult> {
    const text = JSON.stringify(body)
    const at = new Date()
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Bluepencil',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      // Receivers accept any one of several, so that the secret can be changed on both sides in turn.
      'webhook-signature': signers.map((signer) => signer.sign(id, at, text)).join(' '),
    }
    try {
      const bounds = { timeoutMs, signal, guard, ...longest }
      const answer = await exchange(url, { method: 'POST', headers, body: text }, bounds)
      const accepted: Receipt = { id, text: `accepted with status ${answer.status} as ${id}` }
      return verdictOn(answer, unspoken) ?? { result: 'sent', receipt: accepted }
    } catch (error) {
      if (error instanceof NoAnswer) return withoutAnswer(error)
      return { result: 'retry', why: 'The request to the receiver failed.', uncertain: true }
    }
  }

  return {
    name: settings.name,
    type: settings.type,
    paceMs: 0,
    tryMs: timeoutMs + spareMs,
    // A receiver that drops repeats by their id gets no duplicate, but not all are known to.
    cannotVerifyDelivery: true,
    // Its path may be a secret.
    destination: createHash('sha256').update(settings.to).digest('hex'),
    send: (message, { signal }) => post(formatWebhook(message), signal),
    edit: (message, _receipt, signal, since = '') =>
      post(formatEdit(message, { since, now: Date.now() }), signal),
    check: () => checkReceiver(url, { guard, timeoutMs }),
    async close() {},
  }
}

/** Over the internet with TLS alone, and into private networks if that is allowed. */
function ruleOf({ allowPrivate }: Pick<WebhookSettings, 'allowPrivate'>, { protocol }: URL): AddressRule {
  return {
    allows: (address) => (isPublicAddress(address) ? protocol === 'https:' : allowPrivate),
  }
}

interface WebhookCheckLimits {
  guard: AddressRule
  timeoutMs: number
}

/** Connects as a message would, and says nothing: nobody gets anything. */
async function checkReceiver(url: URL, patience: WebhookCheckLimits): Promise<CheckRow[]> {
  const what = 'address'
  const isSafe = url.protocol === 'https:'
  try {
    await reach(url, patience)
  } catch (error) {
    return [{ level: 'fail', what, text: reasonOf(error, url.hostname) }]
  }
  const text = `${url.host} accepts a connection${isSafe ? ', and its certificate is valid' : ''}.`
  return [
    { level: 'ok', what, text: `${text} Only a test alert shows whether it accepts messages.` },
    ...(isSafe || isLoopback(url.hostname) ? [] : [unprotected]),
  ]
}

const unprotected: CheckRow = {
  level: 'warn',
  what: 'encryption',
  text: 'Messages go there without encryption: signed, but others in the network can read them.',
}

async function reach(url: URL, { guard, timeoutMs }: WebhookCheckLimits): Promise<void> {
  const literal = literalOf(url)
  if (literal !== undefined && !guard.allows(literal)) throw new AddressNotAllowed(literal)
  const host = literal ?? url.hostname
  const isSafe = url.protocol === 'https:'
  const port = url.port === '' ? (isSafe ? 443 : 80) : Number(url.port)
  const to = { host, port, lookup: guardedLookup(guard) }
  const socket: Socket = isSafe
    ? overTls({ ...to, ...(isIP(host) === 0 && { servername: host }) })
    : overTcp(to)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(isSafe ? 'secureConnect' : 'connect', resolve)
      socket.on('error', reject)
      socket.setTimeout(timeoutMs, () => reject(new Error('no answer in time')))
    })
  } finally {
    socket.destroy()
  }
}

function reasonOf(error: unknown, host: string): string {
  if (error instanceof AddressNotAllowed) return notAllowed(error)
  const code = codeOf(error) ?? 'no answer in time'
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) return `The name ${host} does not exist: correct \`to\`.`
  if (/CERT|UNABLE_TO|TLS|SSL/.test(code)) return `The certificate of ${host} is not trusted (${code}).`
  return `${host} cannot be reached (${code}).`
}
