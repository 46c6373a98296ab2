import type { AddressRule } from './guarded.ts'
import { acceptedCodings, type ReadBounds, readWithin } from './read.ts'

/** How far one exchange may go. */
export interface ExchangeBounds extends ReadBounds {
  /** From its start to the answer's last byte, in milliseconds. */
  timeoutMs: number
  /** Ends it early. */
  signal?: AbortSignal | null | undefined
  /** Which addresses may be connected to; all of them where it is absent. */
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
export type NoAnswerReason =
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

/** An error's status and headers say nearly all; where its body is longer than this, or does not end, it counts as empty. */
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
