import type { webApi } from '@slack/bolt'
import { SlackTrouble } from './trouble.ts'

export interface Reply {
  status: number
  headers: Headers
  body: string
  /** What Retry-After asks for, in milliseconds. */
  afterMs: number | undefined
}

export interface Patience {
  signal: AbortSignal
  /** For the whole exchange, in milliseconds. */
  timeoutMs: number
}

/** A page of a channel's history is the longest answer: some hundred messages of about 20 kB. */
const longestAnswer = 16 * 1024 * 1024

/** Failures in which nothing of the request was sent. */
const notSent = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/**
 * One request and its whole answer, or a `SlackTrouble` that tells whether the request may have arrived.
 * Redirects are not followed: the token or the webhook's address would go with them.
 */
export async function exchange(url: string | URL, init: RequestInit, patience: Patience): Promise<Reply> {
  const timeout = AbortSignal.timeout(patience.timeoutMs)
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.any([patience.signal, timeout]),
    })
    const body = await readBounded(response)
    return { status: response.status, headers: response.headers, body, afterMs: retryAfter(response.headers) }
  } catch (cause) {
    if (cause instanceof SlackTrouble) throw cause
    if (patience.signal.aborted) throw new SlackTrouble({ kind: 'stopped' }, { cause })
    if (timeout.aborted)
      throw new SlackTrouble({ kind: 'unreached', code: 'time-out', uncertain: true }, { cause })
    const code = codeOf(cause)
    throw new SlackTrouble({ kind: 'unreached', code, uncertain: !notSent.has(code) }, { cause })
  }
}

/**
 * The `fetch` for Slack's own client. What is not a JSON object with status 200 becomes a `SlackTrouble` here:
 * the client would repeat a whole HTML page as the name of an error, and knows no fractional Retry-After.
 */
export function slackFetch(patience: Patience): webApi.FetchFunction {
  return async (url, init) => {
    const { method = 'POST', headers = {}, body = null } = init ?? {}
    const reply = await exchange(url, { method, headers, body }, patience)
    const { status, afterMs } = reply
    if (status !== 200) {
      throw new SlackTrouble({ kind: 'status', status, ...(afterMs === undefined ? {} : { afterMs }) })
    }
    if (!isJsonObject(reply.body)) throw new SlackTrouble({ kind: 'unreadable' })
    return new Response(reply.body, { status, headers: reply.headers })
  }
}

/**
 * Retry-After in milliseconds: seconds, whole or fractional, or a date (RFC 9110, 10.2.3). Not bounded; that is
 * the retry policy's part.
 */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  // A date has letters; `Date.parse` would also take "-5" for one, long past.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > longestAnswer) throw new SlackTrouble({ kind: 'unreadable' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** The system's or undici's code; never the message, which may repeat the address or a header. */
function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(at.code)) return at.code
  }
  return 'connection failed'
}
