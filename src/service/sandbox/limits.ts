import { hourMs } from '../../platform/durations.ts'
import type { ServiceDialect } from './dialect.ts'
import { ServiceError } from './errors.ts'
import type { Key } from './keys.ts'

/** What a key has left after a request. */
export interface Allowance {
  /** Requests per hour. */
  limit: number
  remaining: number
  /** Milliseconds until the window begins anew (fixed), or until one more request is free (sliding). */
  resetMs: number
  /** False if the request was one too many; it was not counted then. */
  granted: boolean
}

/** Counts each key's requests ("Limits"), in the hour of the clock (UTC) or in the last 60 minutes. */
export class HourlyLimits {
  readonly #window: ServiceDialect['limit-window']
  readonly #sliding = new Map<string, SlidingHour>()
  readonly #fixed = new Map<string, { hour: number; count: number }>()

  constructor(window: ServiceDialect['limit-window']) {
    this.#window = window
  }

  /** Counts one request, if one is left. `now` is milliseconds since the epoch. */
  count(key: Key, now: number): Allowance {
    return this.#window === 'fixed' ? this.#countFixed(key, now) : this.#countSliding(key, now)
  }

  #countFixed({ name, hourlyLimit: limit }: Key, now: number): Allowance {
    const hour = Math.floor(now / hourMs)
    const used = this.#fixed.get(name)
    const before = used?.hour === hour ? used.count : 0
    const granted = before < limit
    const count = granted ? before + 1 : before
    this.#fixed.set(name, { hour, count })
    return { limit, remaining: limit - count, resetMs: (hour + 1) * hourMs - now, granted }
  }

  #countSliding({ name, hourlyLimit: limit }: Key, now: number): Allowance {
    const used = this.#sliding.get(name) ?? new SlidingHour()
    this.#sliding.set(name, used)
    const granted = used.count(now) < limit
    if (granted) used.add(now)
    return { limit, remaining: limit - used.count(now), resetMs: used.untilOldestLeaves(now), granted }
  }
}

/** Times within the last 60 minutes, oldest first. Times are milliseconds since the epoch. */
export class SlidingHour {
  #times: number[] = []
  /** Those before this index are older than an hour. */
  #first = 0

  add(now: number): void {
    this.#times.push(now)
  }

  count(now: number): number {
    this.#forget(now)
    return this.#times.length - this.#first
  }

  /** Milliseconds until the oldest is an hour old; 0 if there is none. */
  untilOldestLeaves(now: number): number {
    this.#forget(now)
    const oldest = this.#times[this.#first]
    return oldest === undefined ? 0 : oldest + hourMs - now
  }

  /** Cuts the array only when half of it is old: a busy hour has 100,000 requests. */
  #forget(now: number): void {
    while ((this.#times[this.#first] ?? now) <= now - hourMs) this.#first++
    if (this.#first * 2 <= this.#times.length) return
    this.#times = this.#times.slice(this.#first)
    this.#first = 0
  }
}

/** The 429 of a key that has nothing left. The body's `retry_after` is the specification's; other places are not shown. */
export function limitExceeded(
  { limit, resetMs }: Allowance,
  form: ServiceDialect['retry-after'],
): ServiceError {
  const seconds = form === 'fractional' ? resetMs / 1000 : Math.ceil(resetMs / 1000)
  return new ServiceError(429, `This key's limit of ${limit} requests per hour is reached.`, {
    ...(form !== 'header' && { retryAfter: seconds }),
    ...(form !== 'body' && { headers: { 'Retry-After': String(seconds) } }),
  })
}

/**
 * What an answer says of the limit. GitHub's X-RateLimit headers give the reset in seconds since the epoch, those of
 * the IETF draft (draft-ietf-httpapi-ratelimit-headers-10) in seconds from now.
 */
export function rateHeaders(
  { limit, remaining, resetMs }: Allowance,
  now: number,
  form: ServiceDialect['rate-headers'],
): Record<string, string> {
  switch (form) {
    case 'none':
      return {}
    case 'x-ratelimit':
      return {
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': String(remaining),
        'X-RateLimit-Reset': String(Math.ceil((now + resetMs) / 1000)),
      }
    case 'ratelimit':
      return {
        'RateLimit-Policy': `"hour";q=${limit};w=3600`,
        RateLimit: `"hour";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
      }
  }
}
