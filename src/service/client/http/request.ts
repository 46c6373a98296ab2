import * as z from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import { type ReadBounds, readWithin } from '../../../platform/outbound/exchange.ts'
import { plain } from '../../../platform/text.ts'
import type { Budget } from '../budget.ts'
import { BadRequest, NotFound, RateLimited, Unauthenticated, Unintelligible } from '../errors.ts'
import { errorFor, failureOf, type Secrets } from './failure.ts'
import { withRetries } from './retry.ts'
import { dateOf } from './service-time.ts'

/** What follows `Bearer` in each request ("Authentication", 1). */
export interface Credential {
  /** Its name in the configuration. */
  readonly name: 'monitor.apiKey' | 'monitor.oauth'
  /** Rejects with a `MonitorError` if there is none to be had. */
  current(signal?: AbortSignal): Promise<string>
  /** Another one in place of a stale one that the service answered 401 to; undefined if there is none. */
  renew(stale: string, signal?: AbortSignal): Promise<string | undefined>
  /** All that nobody may see, as it stands now. */
  secrets(): Secrets
}

/** What every request of one client shares. */
export interface ServiceConnection {
  /** Ends in the version segment `/v1` ("What the service does", 5). */
  baseUrl: URL
  credential: Credential
  budget: Budget
  fetch: (address: URL, init: RequestInit) => Promise<Response>
  /** The IP addresses of a host's name. */
  resolve: (host: string) => Promise<string[]>
  /** For one try from its start to the last byte of its answer; for a download, without a byte. Milliseconds. */
  timeoutMs: number
  /** How often a request that is safe to repeat is tried, the first time included. */
  tries: number
  clock: Clock
  /** The `Date` of an answer, in milliseconds since the epoch. */
  onDate?: ((date: number) => void) | undefined
  /** The service did what it was asked. */
  onSuccess?: (() => void) | undefined
  /** From 0 up to, not including, 1. */
  random: () => number
}

export interface ClientCall {
  method: 'GET' | 'POST' | 'DELETE'
  /** Path below the base address, its segments made by `segment`. */
  path: string
  /** Parameters of the query; one that is undefined is left out. */
  query?: Readonly<Record<string, string | undefined>>
  /** Sent as JSON. */
  body?: unknown
  signal?: AbortSignal | undefined
}

/** A successful answer, and the way to say that it is not the expected one. */
export interface ServiceAnswer {
  status: number
  headers: Headers
  /** The body as JSON; undefined if there was none. Throws `Unintelligible` if it is something else. */
  json(): unknown
  /** Parses what was read; a mismatch is `Unintelligible` and names the fields. */
  parse<Shape extends z.ZodType>(value: unknown, shape: Shape): z.infer<Shape>
  unintelligible(problem: string, cause?: unknown): Unintelligible
}

/**
 * One request and its answer. GET and DELETE are tried again if the service failed or was not reached; POST
 * never, since its effect is not known. Rejects with a `MonitorError` and with nothing else.
 */
export async function request(connection: ServiceConnection, call: ClientCall): Promise<ServiceAnswer> {
  const { method, signal } = call
  return await withRetries(connection, { repeatable: method !== 'POST', signal }, async (tries) => {
    try {
      return await attempt(connection, call)
    } catch (error) {
      // A deletion whose answer was lost has been carried out.
      const isGone = method === 'DELETE' && tries > 1 && error instanceof NotFound
      if (!isGone) throw error
      return answerOf(new Response(null, { status: 204 }), '', place(connection.baseUrl, call).callName)
    }
  })
}

/** GET, and what `read` makes of the JSON. If that is undefined, `Unintelligible` says which shape was `missing`. */
export async function get<T>(
  connection: ServiceConnection,
  call: Omit<ClientCall, 'method' | 'body'>,
  read: (body: unknown) => T | undefined,
  missing: string,
): Promise<T> {
  const answer = await request(connection, { ...call, method: 'GET' })
  const value = read(answer.json())
  if (value !== undefined) return value
  throw answer.unintelligible(`unexpected JSON (${missing})`)
}

/** One segment of a path. An empty one, or dots, would name the collection or what is above it. */
export function segment(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new BadRequest(`"${value}" is not a valid id.`)
  return encodeURIComponent(value)
}

/** Where a call goes, and how an error names it: without its query. */
export function place(baseUrl: URL, call: Pick<ClientCall, 'method' | 'path' | 'query'>) {
  const address = new URL(baseUrl)
  address.pathname = baseUrl.pathname.replace(/\/+$/, '') + call.path
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) address.searchParams.set(name, value)
  }
  return { address, callName: `${call.method} ${address.origin}${address.pathname}` }
}

async function attempt(connection: ServiceConnection, call: ClientCall): Promise<ServiceAnswer> {
  const { timeoutMs, credential } = connection
  const { address, callName } = place(connection.baseUrl, call)
  const timeOut = AbortSignal.timeout(timeoutMs)
  try {
    const response = await sendWithKey(connection, {
      method: call.method,
      address,
      path: call.path,
      callName,
      headers: {
        accept: 'application/json',
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      signal: call.signal === undefined ? timeOut : AbortSignal.any([timeOut, call.signal]),
      cancelled: call.signal,
    })
    if (response.status >= 300) throw await redirected(response, address, callName)
    return answerOf(response, await readText(response), callName)
  } catch (error) {
    throw failureOf(error, callName, credential.secrets(), timeOut.aborted ? timeoutMs : undefined)
  }
}

async function redirected(response: Response, from: URL, callName: string): Promise<Unintelligible> {
  await response.body?.cancel()
  const location = response.headers.get('location')
  const to = location !== null && URL.canParse(location, from) ? new URL(location, from).host : 'no address'
  return new Unintelligible(
    `${callName} answered ${response.status}, a redirect to ${to}. Bluepencil did not follow, because the key goes to no ` +
      'other host. If the service has moved, write its new address in monitor.baseUrl.',
    { status: response.status },
  )
}

export interface ServiceRequest {
  method: ClientCall['method']
  address: URL
  /** Path below the base address. */
  path: string
  /** "GET https://service.example/v1/webhooks". */
  callName: string
  headers: Record<string, string>
  body?: string
  /** A status from 400 on that is an answer all the same. */
  alsoFine?: number
  signal: AbortSignal
  /** Aborts if the caller called it off. `signal` may also be a time-out. */
  cancelled: AbortSignal | undefined
}

/**
 * One request with the credential, and a second one with another credential after a 401. Returns an answer of 2xx or
 * 3xx, its body not read yet. Rejects with a `MonitorError` or what `fetch` threw.
 */
export async function sendWithKey(connection: ServiceConnection, sending: ServiceRequest): Promise<Response> {
  const { credential } = connection
  const key = await credential.current(sending.cancelled)
  try {
    return await send(connection, sending, key)
  } catch (error) {
    if (!(error instanceof Unauthenticated)) throw error
    const fresh = await credential.renew(key, sending.cancelled)
    if (fresh === undefined) throw error
    return await send(connection, sending, fresh)
  }
}

async function send(connection: ServiceConnection, sending: ServiceRequest, key: string): Promise<Response> {
  const { credential, budget, clock } = connection
  const { method, address, headers, body, signal, callName, path, alsoFine } = sending
  await budget.take()
  const response = await connection.fetch(address, {
    method,
    // Followed, a redirect could take the key to another host.
    redirect: 'manual',
    signal,
    headers: { authorization: `Bearer ${key}`, 'user-agent': 'bluepencil', ...headers },
    ...(body !== undefined && { body }),
  })
  const date = dateOf(response.headers)
  if (date !== undefined) connection.onDate?.(date)
  if (response.ok) connection.onSuccess?.()
  if (response.status < 400 || response.status === alsoFine) return response
  const text = (await readText(response)) ?? ''
  const now = date ?? clock.now()
  const secrets = credential.secrets()
  const error = errorFor({ response, text, callName, secrets, credential: credential.name, path, now })
  if (error instanceof RateLimited) await budget.told(error.retryAfterMs)
  throw error
}

/** Far above any answer that the client asks for; the rest of a longer one is not read. */
const longestAnswer: ReadBounds = { mostBytes: 5 * 1024 * 1024, mostValues: 500_000 }
const tooLong =
  'more than 5 MB, more than 500,000 values or an unexpected encoding, so Bluepencil did not read all of it'

/** Undefined if the body is longer than the bounds. */
export async function readText(response: Response, longest = longestAnswer): Promise<string | undefined> {
  const bytes = await readWithin(response, longest)
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

/** `text`: undefined if it was too long. */
function answerOf(response: Response, text: string | undefined, callName: string): ServiceAnswer {
  const { status, headers } = response
  function unintelligible(problem: string, cause?: unknown): Unintelligible {
    const advice = 'Check that monitor.baseUrl is the address of the API and ends in /v1.'
    return new Unintelligible(`${callName} answered ${status} with ${problem}. ${advice}`, { status, cause })
  }
  if (text === undefined) throw unintelligible(tooLong)
  return {
    status,
    headers,
    unintelligible,
    json() {
      if (text.trim() === '') return undefined
      try {
        return JSON.parse(text)
      } catch {
        // The parser's own error is not kept: it quotes the body, which may hold a secret.
        const type = /^[\w.+-]+\/[\w.+-]+/.exec(headers.get('content-type') ?? '')?.[0] ?? 'no content type'
        const isMarkup = /^\s*</.test(text)
        const what = isMarkup ? 'a page of HTML or XML' : `${text.length} characters that are not JSON`
        throw unintelligible(`${what} (${type})`)
      }
    },
    parse(value, shape) {
      const parsed = shape.safeParse(value)
      if (parsed.success) return parsed.data
      throw unintelligible(`unexpected JSON (${plain(z.prettifyError(parsed.error), 300)})`, parsed.error)
    },
  }
}
