import type { AddressRule } from './guarded.ts'

/** How far one exchange may go. */
interface ExchangeBounds extends ReadBounds {
  /** From its start to the answer's last byte, in milliseconds. */
  timeoutMs: number
  /** Ends it early. */
  signal?: AbortSignal | null | undefined
  /** Which addresses may be connected to; all of them if it is absent. */
  guard?: AddressRule
  /** The status says all: a body of success that is too long, too slow or cut off counts as empty. */
  statusAlone?: true
}

export interface ProviderAnswer {
  status: number
  statusText: string
  headers: Headers
  body: string
}

/** Why there is no whole answer; a closed set, free of addresses and of anything that was sent. */
type NoAnswerReason =
  /** Our own side ended it. */
  | 'stopped'
  | 'too slow'
  /** Its body went beyond a bound, or was packed in a way that nobody asked for. */
  | 'too long'
  /** There was no connection, or it broke. `code` says more. */
  | 'broken'

/** One exchange that ended without a whole answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly reason: NoAnswerReason
  /** The system's or undici's code, such as ECONNREFUSED; never a message, which may repeat the address or a header. */
  readonly code: string | undefined
  /** Whether the request may have arrived, and have been carried out. */
  readonly uncertain: boolean

  constructor(reason: NoAnswerReason, cause: unknown) {
    super(`no whole answer: ${reason}`, { cause })
    this.reason = reason
    this.code = reason === 'broken' ? codeOf(cause) : undefined
    this.uncertain = this.code === undefined || !neverSent.test(this.code)
  }
}

/** What stands before the provider passed the request on and had no answer in time (RFC 9110, 15.6.5; Cloudflare's 524). */
export const gaveUpWaiting: ReadonlySet<number> = new Set([504, 524])

/** Failures in which nothing of the request was sent: no connection, none that could be trusted, or none that may be. */
const neverSent =
  /^(ADDRESS_NOT_ALLOWED|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|UNABLE_TO_\w+|\w*CERT\w*)$/

/** An error's status and headers say nearly everything. If its body is longer than this, or does not end, it counts as empty. */
const ofError: ReadBounds = { mostBytes: 256 * 1024, mostValues: 50_000 }

/**
 * One request and its whole answer, in bounded time and memory, or a `NoAnswer`. Every request to a provider goes
 * through here. The headers are bounded by Node, at 16 kB. Redirects are answers, and are not followed: a token, or a
 * webhook's address, would go with them.
 */
export async function exchange(
  url: string | URL,
  init: RequestInit,
  bounds: ExchangeBounds,
): Promise<ProviderAnswer> {
  const timeOut = AbortSignal.timeout(bounds.timeoutMs)
  const signal = bounds.signal ? AbortSignal.any([bounds.signal, timeOut]) : timeOut
  try {
    const headers = new Headers(init.headers)
    if (!headers.has('accept-encoding')) headers.set('accept-encoding', acceptedCodings)
    const request = { ...init, headers, redirect: 'manual', signal } as const
    const response = await (bounds.guard === undefined
      ? fetch(url, request)
      : (await import('./guarded.ts')).guardedRequest(new URL(url), request, bounds.guard))
    const body = await bodyOf(response, bounds)
    return { status: response.status, statusText: response.statusText, headers: response.headers, body }
  } catch (cause) {
    if (cause instanceof NoAnswer) throw cause
    if (bounds.signal?.aborted) throw new NoAnswer('stopped', cause)
    throw new NoAnswer(timeOut.aborted ? 'too slow' : 'broken', cause)
  }
}

async function bodyOf(response: Response, bounds: ExchangeBounds): Promise<string> {
  const isError = response.status >= 400
  const isEnough = bounds.statusAlone === true
  try {
    const bytes = await readWithin(response, isError && !isEnough ? ofError : bounds)
    if (bytes !== undefined) return new TextDecoder().decode(bytes)
  } catch (error) {
    if (!isEnough && (!isError || bounds.signal?.aborted)) throw error
  }
  if (isError || isEnough) return ''
  throw new NoAnswer('too long', undefined)
}

/** The code of an error or of what caused it, such as ECONNREFUSED. */
export function codeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(at.code)) return at.code
  }
  return undefined
}

/**
 * Codings that need little memory to unpack, if an answer has only one. A window of zstd takes up to 128 MB, and `fetch`
 * unpacks as many codings on top of each other as an answer names.
 */
const modestCodings = new Set(['', 'identity', 'gzip', 'x-gzip', 'deflate', 'br'])

/** Whether an answer with these headers is unpacked in little memory. */
export function isModest(headers: Headers): boolean {
  return modestCodings.has(headers.get('content-encoding')?.trim().toLowerCase() ?? '')
}

/** What is asked for if the caller does not say. */
const acceptedCodings = 'gzip, deflate, br'

/** How much of an answer is read. */
export interface ReadBounds {
  /** Of the body, after decompression. */
  mostBytes: number
  /** Objects, lists and entries of them, if the body is JSON: each takes some 400 bytes when it is parsed, and but two to write. */
  mostValues: number
}

/**
 * The body of an answer, within bounds. Undefined if it goes beyond one, or is packed in a way that was not asked
 * for; it is then not read on. Rejects with what the connection broke with.
 */
export async function readWithin(response: Response, bounds: ReadBounds): Promise<Uint8Array | undefined> {
  if (response.body === null) return new Uint8Array()
  if (!isModest(response.headers)) {
    await response.body.cancel()
    return undefined
  }
  // One buffer, since an answer in chunks of a byte would cost a hundred times its length in objects.
  let body = Buffer.allocUnsafe(64 * 1024)
  let bytes = 0
  // Leaving the loop early cancels the body, and with it the connection.
  for await (const chunk of response.body) {
    if (bytes + chunk.byteLength > bounds.mostBytes) return undefined
    if (bytes + chunk.byteLength > body.byteLength) {
      body = Buffer.concat([body.subarray(0, bytes)], Math.max(2 * body.byteLength, bytes + chunk.byteLength))
    }
    body.set(chunk, bytes)
    bytes += chunk.byteLength
  }
  const read = body.subarray(0, bytes)
  return hasMoreValues(read, bounds.mostValues) ? undefined : read
}

const [quote, backslash, comma, bracket, brace] = Buffer.from('"\\,[{')

/** Counts what begins a value in JSON, outside its strings: 16 MB in some 50 ms. */
function hasMoreValues(body: Uint8Array, most: number): boolean {
  let values = 0
  let inString = false
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === quote) inString = !inString
    else if (inString) at += byte === backslash ? 1 : 0
    else if (byte === comma || byte === bracket || byte === brace) values += 1
  }
  return values > most
}
