import { createHmac } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import type { Clock } from '../../platform/clock.ts'
import type { ServiceDialect } from './dialect.ts'
import { isActive, type SandboxSubscription, secretPrefix } from './subscriptions.ts'

/** One try to deliver one event to one subscription, and what came of it. */
export type DeliveryAttempt = PostResult & {
  eventId: string
  /** `wh_…` */
  subscription: string
  /** 1 for the first. */
  attempt: number
  /** When it began; ISO 8601, UTC. */
  at: string
  durationMs: number
  /** ISO 8601, UTC; null after a success, after the last try, and if its subscription is no longer active. */
  willRetryAt: string | null
}

/** The specification says "exponential backoff" and gives no numbers. These spread 12 tries over 18 minutes. */
const mostTries = 12
const firstDelayMs = 1_000
const longestDelayMs = 300_000
const mostLogged = 10_000

/** Milliseconds from the end of a failed try to the next: 1 s, 2 s, 4 s, … 5 min; undefined after the last. */
function retryDelay(attempt: number): number | undefined {
  if (attempt >= mostTries) return undefined
  return Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs)
}

export type Deliveries = ReturnType<typeof createDeliveries>

/** Delivers each event to each subscription by itself; none waits for another. */
export function createDeliveries(
  clock: Clock,
  dialect: ServiceDialect,
  onAttempt: (attempt: DeliveryAttempt) => void,
) {
  const log: DeliveryAttempt[] = []
  const pending = new Set<Promise<void>>()
  const closing = new AbortController()

  async function deliver(subscription: SandboxSubscription, eventId: string, body: Buffer): Promise<void> {
    const stop = AbortSignal.any([closing.signal, subscription.removed.signal])
    const goesOn = () => isActive(subscription) && !closing.signal.aborted
    for (let number = 1; goesOn(); number++) {
      const began = clock.now()
      const headers = {
        'Content-Type': 'application/json',
        'X-Service-Signature': sign(body, subscription.secret, dialect),
      }
      const result = await post(subscription.url, headers, body, { clock, signal: closing.signal })
      const now = clock.now()
      const succeeded = 'status' in result && result.status >= 200 && result.status < 300
      const delay = succeeded || !goesOn() ? undefined : retryDelay(number)
      const attempt: DeliveryAttempt = {
        eventId,
        subscription: subscription.id,
        attempt: number,
        at: new Date(began).toISOString(),
        ...result,
        durationMs: now - began,
        willRetryAt: delay === undefined ? null : new Date(now + delay).toISOString(),
      }
      log.push(attempt)
      if (log.length > mostLogged) log.shift()
      onAttempt(attempt)
      if (delay === undefined) return
      await clock.sleep(delay, stop)
      if (!goesOn()) attempt.willRetryAt = null
    }
  }

  return {
    /** Begins to deliver; the same bytes with each try. */
    begin(subscription: SandboxSubscription, eventId: string, body: Buffer): void {
      const delivery = deliver(subscription, eventId, body)
      pending.add(delivery)
      void delivery.finally(() => pending.delete(delivery))
    },
    /** Oldest first. */
    log: (): readonly DeliveryAttempt[] => log,
    /** Ends what is under way, without another try. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.all(pending)
    },
  }
}

/** The value of `X-Service-Signature`: an HMAC of the raw body with the subscription's secret ("Events", 3). */
export function sign(body: Buffer, secret: string, dialect: ServiceDialect): string {
  const prefix = dialect['signature.prefix'] === 'none' ? '' : dialect['signature.prefix']
  const hmac = createHmac(dialect['signature.hash'], signingKey(secret, dialect)).update(body)
  return prefix + hmac.digest(dialect['signature.encoding'])
}

function signingKey(secret: string, dialect: ServiceDialect): string | Buffer {
  const text = secret.slice(secretPrefix.length)
  return { whole: secret, 'without-prefix': text, 'base64-decoded': Buffer.from(text, 'base64') }[
    dialect['signature.key']
  ]
}

/** A receiver that has not answered by then has not received. The specification does not say how long. */
const answerWithinMs = 10_000
/** No more of an answer's body is read, … */
const readBytes = 16 * 1024
/** … and so much of it is kept, to show what the receiver said. */
const keptCharacters = 500

/** The receiver's status and the beginning of its body, or why there is no status. */
export type PostResult = { status: number; answer: string } | { error: string }

/**
 * Sends one POST on a connection of its own and takes the answer as it comes: a redirect is not followed.
 * Never throws. `signal` ends it early.
 */
export async function post(
  url: string,
  headers: Record<string, string>,
  body: Buffer,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<PostResult> {
  const answered = new AbortController()
  const tooLate = new AbortController()
  void clock.sleep(answerWithinMs, answered.signal).then(() => tooLate.abort())
  try {
    const response = await send(url, headers, body, AbortSignal.any([signal, tooLate.signal]))
    return { status: response.statusCode ?? 0, answer: await readBeginning(response) }
  } catch (error) {
    if (tooLate.signal.aborted) return { error: `no answer within ${answerWithinMs / 1000} s` }
    return { error: signal.aborted ? 'the sandbox closed' : reason(error) }
  } finally {
    answered.abort()
  }
}

function send(
  url: string,
  headers: Record<string, string>,
  body: Buffer,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request } = new URL(url).protocol === 'https:' ? https : http
    const options = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': body.length },
      agent: false,
      signal,
    }
    request(url, options, resolve).on('error', reject).end(body)
  })
}

/** The status is the answer, even if the body breaks off or never ends. */
async function readBeginning(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) break
      chunks.push(chunk)
      length += chunk.length
      if (length >= readBytes) break
    }
  } catch {
    // What was read until then is kept.
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, keptCharacters).toWellFormed()
}

/** A failure to connect to any of several addresses has a code, such as ECONNREFUSED, but no message. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}
