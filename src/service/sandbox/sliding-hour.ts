import { hourMs } from '../../platform/durations.ts'

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

  /** Milliseconds until the oldest is an hour old; 0 where there is none. */
  untilOldestLeaves(now: number): number {
    this.#forget(now)
    const oldest = this.#times[this.#first]
    return oldest === undefined ? 0 : oldest + hourMs - now
  }

  /** Cuts the array only when half of it is old, so that a busy hour of 100,000 requests costs nothing to speak of. */
  #forget(now: number): void {
    while ((this.#times[this.#first] ?? now) <= now - hourMs) this.#first++
    if (this.#first * 2 <= this.#times.length) return
    this.#times = this.#times.slice(this.#first)
    this.#first = 0
  }
}
