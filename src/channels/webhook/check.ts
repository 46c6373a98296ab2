import { isIP, connect as overTcp, type Socket } from 'node:net'
import { connect as overTls } from 'node:tls'
import { codeOf } from '../../platform/outbound/exchange.ts'
import {
  AddressNotAllowed,
  type AddressRule,
  guardedLookup,
  literalOf,
} from '../../platform/outbound/guarded.ts'
import { isLoopback } from '../../platform/outbound/loopback.ts'
import type { CheckRow } from '../channel.ts'
import { notAllowed } from './verdict.ts'

interface WebhookCheckLimits {
  guard: AddressRule
  timeoutMs: number
}

/** Connects as a message would, and says nothing: nobody gets anything. */
export async function checkReceiver(
  name: string,
  url: URL,
  patience: WebhookCheckLimits,
): Promise<CheckRow[]> {
  const what = 'address'
  const isSafe = url.protocol === 'https:'
  try {
    await reach(url, patience)
  } catch (error) {
    return [{ level: 'fail', what, text: reasonOf(error, url.hostname) }]
  }
  const text = `${url.host} accepts a connection${isSafe ? ', and its certificate is valid' : ''}.`
  return [
    { level: 'ok', what, text: `${text} Whether it accepts messages is seen by "test-alert ${name}".` },
    ...(isSafe || isLoopback(url.hostname) ? [] : [unprotected]),
  ]
}

const unprotected: CheckRow = {
  level: 'warn',
  what: 'encryption',
  text: 'Messages go there unencrypted: signed, but readable on the way.',
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
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) return `DNS knows no ${host}: correct \`to\`.`
  if (/CERT|UNABLE_TO|TLS|SSL/.test(code)) return `${host} has no certificate that is trusted (${code}).`
  return `${host} accepts no connection (${code}).`
}
