import { REST, type RESTOptions } from 'discord.js'
import * as z from 'zod'
import { hourMs } from '../../platform/durations.ts'
import { exchange } from '../../platform/outbound/exchange.ts'
import type { DiscordAccount } from './config.ts'

/** What the retry policy cuts a longer wait to. A limit that is kept for longer would outlast its next try. */
const longestLimitMs = hourMs

/** Node's longest timer, about 24 days. */
const longestTimerMs = 2 ** 31 - 1

/** The longest answer is a page of a hundred messages, of at most some 50 kB and some hundred values each. */
const longest = { mostBytes: 8 * 1024 * 1024, mostValues: 60_000 }

/** Seconds, with a fraction (https://docs.discord.com/developers/topics/rate-limits). */
const RateLimited = z.object({ retry_after: z.number().positive() })

/** One bot, or one webhook, as discord.js' REST manager: it keeps the rate limits of the answers' headers. */
export interface RestSettings {
  /** Without the version: https://discord.com/api. */
  api: string
  /** For the whole of one request, its answer's body included. */
  timeoutMs: number
}

/**
 * discord.js keeps its limits by the time of day: if the clock is set back, each would last until the old time is
 * reached again. So they are forgotten then, and Discord states them anew.
 */
export function openRest(settings: RestSettings) {
  let rest = createRest(settings)
  let last = Date.now()
  return {
    /** For one request, or several of one try. */
    now(): REST {
      const now = Date.now()
      if (now < last) {
        closeRest(rest)
        rest = createRest(settings)
      }
      last = now
      return rest
    },
    /** REST's timers would otherwise sweep for as long as the process lives. */
    close: (): void => closeRest(rest),
  }
}

function createRest(settings: RestSettings): REST {
  return new REST(restOptions(settings))
}

/** How discord.js is to ask Discord: once, and within bounds. */
export function restOptions({ api, timeoutMs }: RestSettings): Partial<RESTOptions> {
  return {
    api: api.replace(/\/+$/, ''),
    // Ours is the only timer: see `wholeAnswer`.
    timeout: longestTimerMs,
    // The retry policy is ours alone: one try is one request, and a limit is reported, not waited for.
    retries: 0,
    rejectOnRateLimit: () => true,
    makeRequest: (url, init) => wholeAnswer(url, init, timeoutMs),
  }
}

export type Bot = ReturnType<typeof openBot>

export function openBot(account: DiscordAccount, token: string, timeoutMs: number) {
  const rest = openRest({ api: account.apiUrl, timeoutMs })
  return {
    /** discord.js forgets the token at the first 401, so it is given again for every request. */
    rest: (): REST => rest.now().setToken(token),
    close: rest.close,
    applicationId: account.applicationId,
  }
}

function closeRest(rest: REST): void {
  rest.clearHashSweeper()
  rest.clearHandlerSweeper()
}

/**
 * discord.js stops its timer when the headers are there, reads a body of any length, and does not read that of a 429
 * (@discordjs/rest 2.6). A body that never ends would block the channel, and an unread one its connection. So we read the
 * body here, within bounds. It also has the wait to the millisecond; the header has whole seconds, or is missing.
 */
async function wholeAnswer(
  url: string,
  init: Parameters<RESTOptions['makeRequest']>[1],
  timeoutMs: number,
): ReturnType<RESTOptions['makeRequest']> {
  const request = {
    method: init.method ?? 'GET',
    headers: new Headers(Object.entries(init.headers ?? {})),
    // JSON, or a form if a file goes with it.
    body: typeof init.body === 'string' || init.body instanceof FormData ? init.body : null,
  }
  const answer = await exchange(url, request, { timeoutMs, ...longest, signal: init.signal })
  const { status, statusText, body } = answer
  const headers = new Headers(answer.headers)
  // discord.js would try to read nothing as JSON, and fail without the status.
  if (body === '') headers.delete('Content-Type')
  const wait = status === 429 ? secondsToWait(body) : undefined
  if (wait !== undefined) headers.set('Retry-After', String(wait))
  for (const name of ['Retry-After', 'X-RateLimit-Reset-After']) {
    if (Number(headers.get(name)) * 1_000 > longestLimitMs) headers.set(name, String(longestLimitMs / 1_000))
  }
  return new Response(body === '' ? null : body, { status, statusText, headers })
}

function secondsToWait(body: string): number | undefined {
  try {
    return RateLimited.parse(JSON.parse(body)).retry_after
  } catch {
    return undefined
  }
}

/** discord.js adds a listener to the signal of every request and never removes it, so each try has its own. */
export async function withOwnSignal<T>(
  signal: AbortSignal,
  run: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await run(controller.signal)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
