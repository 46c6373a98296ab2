import type { webApi } from '@slack/bolt'
import * as z from 'zod'
import { exchange as exchangeWithin, NoAnswer } from '../../platform/outbound/exchange.ts'
import { retryAfter } from '../../platform/outbound/retry-after.ts'
import { isMapping } from '../../platform/unknown.ts'

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

/** One request and its whole answer, or a `SlackTrouble` that says whether the request may have arrived. */
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
 * The `fetch` for Slack's own client. Anything but a JSON object with status 200 becomes a `SlackTrouble` here. The client
 * itself would use a whole HTML page as the name of an error, and cannot read a fractional Retry-After.
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
    return isMapping(JSON.parse(text))
  } catch {
    return false
  }
}

/** The client's log lines repeat Slack's answers; what matters of them comes back as a result. */
export function silent(level: webApi.LogLevel): NonNullable<webApi.WebClientOptions['logger']> {
  const nothing = () => {}
  return {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    setLevel: nothing,
    setName: nothing,
    getLevel: () => level,
  }
}

/** Why a call to Slack did not end well: a closed set, free of anything secret. */
export type SlackCallFailure =
  /** Slack answered, and said no: its error code, and the scope that is missing. */
  | { kind: 'refused'; code: string; needed?: string; afterMs?: number }
  /** An answer with another status than 200. A webhook's error code stands in `code`. */
  | { kind: 'status'; status: number; code?: string; afterMs?: number }
  /** Status 200, and not an answer of Slack: the page of a proxy, half an answer. */
  | { kind: 'unreadable' }
  /** No answer. `uncertain` if the request may have arrived all the same. */
  | { kind: 'unreached'; code: string; uncertain: boolean }
  /** Stopped by our own side. */
  | { kind: 'stopped' }

/** Carries a `SlackCallFailure` through Slack's client, which wraps what its fetch throws and keeps it as `cause`. */
export class SlackTrouble extends Error {
  override readonly name = 'SlackTrouble'
  readonly trouble: SlackCallFailure

  constructor(trouble: SlackCallFailure, options?: ErrorOptions) {
    super(`Slack: ${trouble.kind}`, options)
    this.trouble = trouble
  }
}

/** WebAPIPlatformError of @slack/web-api: `{"ok": false, "error": …}`. */
const PlatformError = z.object({
  code: z.literal('slack_webapi_platform_error'),
  data: z.object({
    error: z.string(),
    needed: z.string().optional(),
    response_metadata: z.object({ retryAfter: z.number().optional() }).optional(),
  }),
})

/** Reads what a call threw. */
export function troubleOf(error: unknown): SlackCallFailure {
  if (error instanceof SlackTrouble) return error.trouble
  if (error instanceof Error && error.cause instanceof SlackTrouble) return error.cause.trouble
  const platform = PlatformError.safeParse(error)
  if (!platform.success) return { kind: 'unreached', code: 'unexpected error', uncertain: true }
  const { data } = platform.data
  const seconds = data.response_metadata?.retryAfter
  return {
    kind: 'refused',
    code: readableCode(data.error) ?? 'an error without a code',
    ...(data.needed !== undefined && /^[a-z:.,|_ -]{1,200}$/.test(data.needed)
      ? { needed: data.needed }
      : {}),
    ...(seconds === undefined ? {} : { afterMs: seconds * 1000 }),
  }
}

/** Slack's codes are lower-case words with underscores; anything else is not repeated to a person. */
export function readableCode(text: string): string | undefined {
  return /^[a-z][a-z0-9_]{0,79}$/.exec(text.trim())?.[0]
}

/** True if Slack asks us to slow down. */
export function isRateLimit(trouble: SlackCallFailure): boolean {
  return (
    (trouble.kind === 'status' && trouble.status === 429) ||
    (trouble.kind === 'refused' && /^(ratelimited|rate_limited)$/.test(trouble.code))
  )
}
