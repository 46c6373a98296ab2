import type { Clock } from '../../../platform/clock.ts'
import { BudgetSpent, RateLimited, ServiceFailed, Unreachable } from '../errors.ts'

/** First wait; doubles with every try. Milliseconds, as all below. */
const firstMs = 500
const longestMs = 8_000
/** If a service asks for a longer wait than this, the call fails and its error says how long. */
const longestAskedMs = 10_000
/** As above, for a limit. */
const longestLimitMs = 2_000

interface FailedTry {
  error: unknown
  /** How often it was tried, this time included. */
  tries: number
  /** Whether two requests do the same as one: GET and DELETE, never POST. */
  repeatable: boolean
  /** From 0 up to, not including, 1: spreads the tries of many clients. */
  random: number
}

/** Milliseconds until the next try of a request that failed; undefined if there is none. */
export function waitBeforeNext(
  { error, tries, repeatable, random }: FailedTry,
  mostTries: number,
): number | undefined {
  if (tries >= mostTries) return undefined
  // The only failure that is sure to have happened before anything left this machine.
  if (error instanceof BudgetSpent) return atMost(longestLimitMs, error.retryAfterMs)
  if (!repeatable) return undefined
  if (error instanceof RateLimited) return atMost(longestLimitMs, error.retryAfterMs)
  // Exponential, the upper half of it spread at random.
  const backoffMs = Math.round(Math.min(firstMs * 2 ** (tries - 1), longestMs) * (0.5 + random / 2))
  if (error instanceof Unreachable) return backoffMs
  if (!(error instanceof ServiceFailed)) return undefined
  const askedMs = atMost(longestAskedMs, error.retryAfterMs ?? 0)
  return askedMs === undefined ? undefined : Math.max(backoffMs, askedMs)
}

function atMost(limitMs: number, waitMs: number | undefined): number | undefined {
  return waitMs === undefined || waitMs > limitMs ? undefined : waitMs
}

/** Tries until it succeeds or no try is left; rejects with the last error. The signal ends it. */
export async function withRetries<T>(
  { clock, random, tries: mostTries }: { clock: Clock; random: () => number; tries: number },
  { repeatable, signal }: { repeatable: boolean; signal: AbortSignal | undefined },
  attempt: (tries: number) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(tries)
    } catch (error) {
      const waitMs = waitBeforeNext({ error, tries, repeatable, random: random() }, mostTries)
      if (waitMs === undefined || signal?.aborted) throw error
      await clock.sleep(waitMs, signal)
      if (signal?.aborted) throw error
    }
  }
}
