import type { Clock } from '../../platform/clock.ts'
import { deliveryBegun } from './announcements.ts'
import type { ServiceDialect } from './dialect.ts'
import { type PostResult, post } from './post.ts'
import { sign } from './signature.ts'
import { isServed, type SandboxSubscription } from './subscriptions.ts'

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
  /** ISO 8601, UTC; null where it succeeded, was the last, or its subscription is no longer served. */
  willRetryAt: string | null
}

/** The specification says "exponential backoff" and gives no numbers. These spread 12 tries over 18 minutes. */
const tries = 12
const firstDelayMs = 1_000
const longestDelayMs = 300_000
/** Attempts that the log keeps. */
const logged = 10_000

/** Milliseconds from the end of a failed try to the next: 1 s, 2 s, 4 s, … 5 min; undefined after the last. */
function retryDelay(attempt: number): number | undefined {
  if (attempt >= tries) return undefined
  return Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs)
}

/** Delivers each event to each subscription by itself; none waits for another. */
export class Deliveries {
  readonly #clock: Clock
  readonly #dialect: ServiceDialect
  readonly #onAttempt: (attempt: DeliveryAttempt) => void
  readonly #log: DeliveryAttempt[] = []
  readonly #underWay = new Set<Promise<void>>()
  readonly #closing = new AbortController()

  constructor(clock: Clock, dialect: ServiceDialect, onAttempt: (attempt: DeliveryAttempt) => void) {
    this.#clock = clock
    this.#dialect = dialect
    this.#onAttempt = onAttempt
  }

  /** Begins to deliver; the same bytes with each try. */
  begin(subscription: SandboxSubscription, eventId: string, body: Buffer): void {
    const delivery = this.#deliver(subscription, eventId, body)
    this.#underWay.add(delivery)
    void delivery.finally(() => this.#underWay.delete(delivery))
  }

  /** Oldest first. */
  log(): readonly DeliveryAttempt[] {
    return this.#log
  }

  /** Ends what is under way, without another try. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#underWay)
  }

  async #deliver(subscription: SandboxSubscription, eventId: string, body: Buffer): Promise<void> {
    const stop = AbortSignal.any([this.#closing.signal, subscription.removed.signal])
    const goesOn = () => isServed(subscription) && !this.#closing.signal.aborted
    for (let number = 1; goesOn(); number++) {
      const began = this.#clock.now()
      const result = await this.#post(subscription, body)
      const now = this.#clock.now()
      const delay = succeeded(result) || !goesOn() ? undefined : retryDelay(number)
      const attempt: DeliveryAttempt = {
        eventId,
        subscription: subscription.id,
        attempt: number,
        at: new Date(began).toISOString(),
        ...result,
        durationMs: now - began,
        willRetryAt: delay === undefined ? null : new Date(now + delay).toISOString(),
      }
      this.#record(attempt)
      if (delay === undefined) return
      await this.#clock.sleep(delay, stop)
      if (!goesOn()) attempt.willRetryAt = null
    }
  }

  #post(subscription: SandboxSubscription, body: Buffer): Promise<PostResult> {
    const headers = {
      'Content-Type': 'application/json',
      'X-Service-Signature': sign(body, subscription.secret, this.#dialect),
    }
    deliveryBegun.publish({ dialect: this.#dialect, headers, body })
    return post(subscription.url, headers, body, { clock: this.#clock, signal: this.#closing.signal })
  }

  #record(attempt: DeliveryAttempt): void {
    this.#log.push(attempt)
    if (this.#log.length > logged) this.#log.shift()
    this.#onAttempt(attempt)
  }
}

function succeeded(result: PostResult): boolean {
  return 'status' in result && result.status >= 200 && result.status < 300
}
