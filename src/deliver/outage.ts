import type { DueNotification } from '../store/store.ts'
import { elapsed, type RetryPolicy } from './policy.ts'

/** Since when a channel lets nothing through, and for how long, whatever the clock was set to meanwhile. */
export interface Outage {
  /** Milliseconds since the epoch; undefined where something does get through. */
  since(): number | undefined
  /** The same, as far back as this process or, from an earlier one, the message remembers. */
  sinceOf(owed: DueNotification): number | undefined
  /** Milliseconds until now. */
  lasted(owed: DueNotification, now: number): number
  /** A try at `now` failed, after so much silence; the next is so many milliseconds later. */
  goesOn(owed: DueNotification, now: number, lastedMs: number, pauseMs: number): void
  /** Something got through. */
  ends(): void
  /** The next try is made now: what is left of the pause was not silence. */
  cutShort(now: number): void
  /** The clock may have been set back. */
  noLater(now: number): void
}

export function createOutage(policy: RetryPolicy): Outage {
  let since: number | undefined
  /** Until the next try. */
  let plannedMs = 0
  let nextTry = 0
  /** By this process. */
  let wasReached = false

  function sinceOf({ waiting }: DueNotification): number | undefined {
    if (since !== undefined) return since
    if (wasReached || waiting.firstAttemptAt === undefined) return undefined
    return Date.parse(waiting.firstAttemptAt)
  }

  return {
    since: () => since,
    sinceOf,
    lasted(owed, now) {
      if (since !== undefined) return elapsed(plannedMs, nextTry, now, policy)
      return sinceOf(owed) === undefined ? 0 : (owed.waiting.triedMs ?? 0)
    },
    goesOn(owed, now, lastedMs, pauseMs) {
      since = sinceOf(owed) ?? now
      plannedMs = lastedMs + pauseMs
      nextTry = now + pauseMs
    },
    ends() {
      wasReached = true
      since = undefined
    },
    cutShort(now) {
      plannedMs -= Math.max(0, nextTry - now)
      nextTry = Math.min(nextTry, now)
    },
    noLater(now) {
      if (since !== undefined) since = Math.min(since, now)
    },
  }
}
