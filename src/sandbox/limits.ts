import { ServiceError } from './errors.ts'
import type { Key } from './keys.ts'

const hour = 3_600_000

/** Counts each key's requests in the hour of the clock (UTC), starting anew with each hour. */
export class HourlyLimits {
  #hour = 0
  readonly #used = new Map<string, number>()

  /** Counts one request. Throws a 429 where the key has none left. `now` is milliseconds since the epoch. */
  take(key: Key, now: number): void {
    const current = Math.floor(now / hour)
    if (current !== this.#hour) {
      this.#hour = current
      this.#used.clear()
    }
    const used = this.#used.get(key.name) ?? 0
    if (used >= key.hourlyLimit) {
      throw new ServiceError(
        429,
        'RATE_LIMIT_EXCEEDED',
        `This key's limit of ${key.hourlyLimit} requests per hour is reached.`,
        Math.ceil(((current + 1) * hour - now) / 1000),
      )
    }
    this.#used.set(key.name, used + 1)
  }
}
