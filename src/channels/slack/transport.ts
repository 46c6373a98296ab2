import type { webApi } from '@slack/bolt'
import { exchange as exchangeWithin, NoAnswer } from '../../platform/outbound/exchange.ts'
import { retryAfter } from '../../platform/outbound/retry-after.ts'
import { type SlackCallFailure, SlackTrouble } from './trouble.ts'

export interface SlackReply {
  status: number
  headers: Headers
  body: string
  /** What Retry-After asks for, in milliseconds, an hour at most. */
  afterMs: number | undefined
}

export interface ExchangeTimeout {
  signal: AbortSignal
  /** For the whole exchange, in milliseconds. */
  timeoutMs: number
}

/** A page of a channel's history is the longest answer: some hundred messages of about 20 kB, each of some hundred values. */
const longest = { mostBytes: 16 * 1024 * 1024, mostValues: 250_000 }

/** One request and its whole answer, or a `SlackTrouble` that tells whether the request may have arrived. */
export async function exchange(
  url: string | URL,
  init: RequestInit,
  patience: ExchangeTimeout,
): Promise<SlackReply> {
  try {
    const { status, headers, body } = await exchangeWithin(url, init, { ...patience, ...longest })
    // Slack redirects nothing that is asked of it.
    if (status >= 300 && status < 400) throw new SlackTrouble({ kind: 'unreadable' })
    return { status, headers, body, afterMs: retryAfter(headers) }
  } catch (error) {
    throw error instanceof NoAnswer ? new SlackTrouble(troubleWith(error), { cause: error }) : error
  }
}

function troubleWith({ reason, code, uncertain }: NoAnswer): SlackCallFailure {
  switch (reason) {
    case 'stopped':
      return { kind: 'stopped' }
    case 'too slow':
      return { kind: 'unreached', code: 'time-out', uncertain }
    case 'too long':
      return { kind: 'unreached', code: 'an answer without end', uncertain: true }
    case 'broken':
      return { kind: 'unreached', code: code ?? 'connection failed', uncertain }
  }
}

/**
 * The `fetch` for Slack's own client. What is not a JSON object with status 200 becomes a `SlackTrouble` here:
 * the client would repeat a whole HTML page as the name of an error, and knows no fractional Retry-After.
 */
export function slackFetch(patience: ExchangeTimeout): webApi.FetchFunction {
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

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
