import { MonitorError, RateLimited, Unauthenticated, Unreachable } from '../errors.ts'
import { readText } from './answer.ts'
import type { ServiceConnection } from './connection.ts'
import { errorFor } from './failure.ts'
import { bareError, errorCode, type Secrets } from './redact.ts'
import { dateOf } from './service-time.ts'

export interface ServiceRequest {
  method: 'GET' | 'POST' | 'DELETE'
  address: URL
  /** Path below the base address. */
  path: string
  /** "GET https://service.example/v1/webhooks". */
  asked: string
  headers?: Record<string, string>
  body?: string | undefined
  /** A status from 400 on that is an answer all the same. */
  alsoFine?: number
  signal: AbortSignal
  /** Called off: by the caller. `signal` may also be a time-out. */
  cancelled?: AbortSignal | undefined
}

/**
 * One request with the credential, once more with another one after a 401. Answers what is not an error of the
 * service's (2xx, 3xx), its body not read yet; rejects with a `MonitorError` or what `fetch` threw.
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
  const { method, address, headers, body, signal, asked, path } = sending
  await budget.take()
  const response = await connection.fetch(address, {
    method,
    // Followed, a redirect could take the key to another host.
    redirect: 'manual',
    signal,
    headers: { authorization: `Bearer ${key}`, 'user-agent': 'bluepencil', ...headers },
    ...(body === undefined ? {} : { body }),
  })
  const date = dateOf(response.headers)
  if (date !== undefined) connection.onDate?.(date)
  if (response.ok) connection.onSuccess?.()
  if (response.status < 400 || response.status === sending.alsoFine) return response
  const text = (await readText(response)) ?? ''
  const error = errorFor({
    response,
    text,
    asked,
    secrets: credential.secrets(),
    credential: credential.name,
    path,
    now: date ?? clock.now(),
  })
  if (error instanceof RateLimited) await budget.told(error.retryAfterMs)
  throw error
}

/** What `fetch` threw, as `Unreachable`; a `MonitorError` stays what it is. `waitedMs`: the time-out, where it was that. */
export function failureOf(
  error: unknown,
  asked: string,
  secrets: Secrets,
  waitedMs: number | undefined,
): MonitorError {
  if (error instanceof MonitorError) return error
  const cause = bareError(error, secrets)
  if (waitedMs !== undefined) {
    const message = `${asked} had no full answer within ${waitedMs / 1_000} s. The service is slow or away; try again later.`
    return new Unreachable(message, { cause, timedOut: true })
  }
  const inner = error instanceof Error ? error.cause : undefined
  const reason =
    errorCode(inner) ?? errorCode(error) ?? (cause.cause instanceof Error ? cause.cause : cause).message
  const message = `${asked} could not be completed (${reason}). Check monitor.baseUrl and the way to the network.`
  return new Unreachable(message, { cause, timedOut: false })
}
