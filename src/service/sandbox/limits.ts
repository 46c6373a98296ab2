import { hourMs } from '../../platform/durations.ts'
import type { ServiceDialect } from './dialect.ts'
import { ServiceError } from './errors.ts'
import type { Key } from './keys.ts'
import { SlidingHour } from './sliding-hour.ts'

/** What a key has left after a request. */
export interface Allowance {
  /** Requests per hour. */
  limit: number
  remaining: number
  /** Milliseconds until the window begins anew (fixed), or until one more request is free (sliding). */
  resetMs: number
  /** False where the request was one too many; it was not counted then. */
  granted: boolean
}

/** Counts each key's requests ("Limits"), in the hour of the clock (UTC) or in the last 60 minutes. */
export class HourlyLimits {
  readonly #window: ServiceDialect['limit-window']
  readonly #used = new Map<string, SlidingHour>()
  readonly #usedInHour = new Map<string, { hour: number; count: number }>()

  constructor(window: ServiceDialect['limit-window']) {
    this.#window = window
  }

  /** Counts one request, if one is left. `now` is milliseconds since the epoch. */
  take(key: Key, now: number): Allowance {
    return this.#window === 'fixed' ? this.#takeFixed(key, now) : this.#takeSliding(key, now)
  }

  #takeFixed({ name, hourlyLimit: limit }: Key, now: number): Allowance {
    const hour = Math.floor(now / hourMs)
    const used = this.#usedInHour.get(name)
    const before = used?.hour === hour ? used.count : 0
    const granted = before < limit
    const count = granted ? before + 1 : before
    this.#usedInHour.set(name, { hour, count })
    return { limit, remaining: limit - count, resetMs: (hour + 1) * hourMs - now, granted }
  }

  #takeSliding({ name, hourlyLimit: limit }: Key, now: number): Allowance {
    const used = this.#used.get(name) ?? new SlidingHour()
    this.#used.set(name, used)
    const granted = used.count(now) < limit
    if (granted) used.add(now)
    return { limit, remaining: limit - used.count(now), resetMs: used.untilOldestLeaves(now), granted }
  }
}

/** The 429 of a key that has nothing left. The body's `retry_after` is the specification's; where else it stands is not shown. */
export function limitExceeded(
  { limit, resetMs }: Allowance,
  form: ServiceDialect['retry-after'],
): ServiceError {
  const seconds = form === 'fractional' ? resetMs / 1000 : Math.ceil(resetMs / 1000)
  return new ServiceError(
    429,
    'RATE_LIMIT_EXCEEDED',
    `This key's limit of ${limit} requests per hour is reached.`,
    {
      ...(form !== 'header' && { retryAfter: seconds }),
      ...(form !== 'body' && { headers: { 'Retry-After': String(seconds) } }),
    },
  )
}

/**
 * What an answer says of the limit: GitHub's X-RateLimit headers, whose reset is in seconds since the epoch, or
 * those of the IETF draft (draft-ietf-httpapi-ratelimit-headers-10), whose reset is in seconds from now.
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
