import { askedToWait } from '../../service/client/errors.ts'

/** When nothing is asked: for a moment after the start, and for longer with each round that fails. */
export interface PollBackoff {
  /** Nothing is asked before. A clock that is set back makes no pause longer. Milliseconds since the epoch. */
  until(now: number): number
  succeeded(): void
  /** For how long rounds fail at least, from the first to when the service may be asked again: milliseconds. */
  failed(error: unknown, now: number, longestMs: number): number
}

/** What makes the subscription goes first; and a process that ends at once again and again asks nothing. */
const startMs = 15_000
/** After a round that failed; doubles with each, up to the plan's interval. */
const firstPauseMs = 15_000

export function createBackoff(now: number): PollBackoff {
  let failures = 0
  let failingSince: number | undefined
  let pause = { until: now + startMs, lengthMs: startMs }

  return {
    until(now) {
      pause = { ...pause, until: Math.min(pause.until, now + pause.lengthMs) }
      return pause.until
    },
    succeeded() {
      failures = 0
      failingSince = undefined
      pause = { until: 0, lengthMs: 0 }
    },
    failed(error, now, longestMs) {
      failures += 1
      failingSince ??= now
      const doubled = Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 10), longestMs)
      const askedMs = askedToWait(error)
      const lengthMs = Math.max(doubled, askedMs)
      pause = { until: now + lengthMs, lengthMs }
      return now + askedMs - failingSince
    },
  }
}
