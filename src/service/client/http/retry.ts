import { BudgetSpent, RateLimited, ServiceFailed, Unreachable } from '../errors.ts'
import type { ServiceConnection } from './connection.ts'

/** First wait; doubles with every try. Milliseconds, as all below. */
const firstMs = 500
const longestMs = 8_000
/** A service that asks for a longer wait than this is not waited for here: the caller hears when. */
const longestAskedMs = 10_000
/** A limit that is over so soon is waited for; a longer one is the caller's to wait for. */
const longestLimitMs = 2_000

export interface FailedTry {
  error: unknown
  /** How often it was tried, this time included. */
  tries: number
  /** Whether asking twice does what asking once does: GET and DELETE, never POST. */
  repeatable: boolean
  /** From 0 up to, not including, 1: spreads the tries of many clients. */
  random: number
}

/** Milliseconds until the next try of a request that failed; undefined where there is none. */
export function waitBeforeNext(
  { error, tries, repeatable, random }: FailedTry,
  most: number,
): number | undefined {
  if (tries >= most) return undefined
  // The one failure of which it is known that nothing left this machine.
  if (error instanceof BudgetSpent) return soon(error.retryAfterMs, longestLimitMs)
  if (!repeatable) return undefined
  if (error instanceof RateLimited) return soon(error.retryAfterMs, longestLimitMs)
  // Exponential, the upper half of it spread at random.
  const own = Math.round(Math.min(firstMs * 2 ** (tries - 1), longestMs) * (0.5 + random / 2))
  if (error instanceof Unreachable) return own
  if (!(error instanceof ServiceFailed)) return undefined
  const asked = soon(error.retryAfterMs ?? 0, longestAskedMs)
  return asked === undefined ? undefined : Math.max(own, asked)
}

function soon(asked: number | undefined, most: number): number | undefined {
  return asked === undefined || asked > most ? undefined : asked
}

/** Tries until it is done, or nothing is left to try; rejects with the last error. The signal ends it. */
export async function withRetries<T>(
  { clock, random, tries: most }: Pick<ServiceConnection, 'clock' | 'random' | 'tries'>,
  { repeatable, signal }: { repeatable: boolean; signal?: AbortSignal | undefined },
  attempt: (tries: number) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(tries)
    } catch (error) {
      const waitMs = waitBeforeNext({ error, tries, repeatable, random: random() }, most)
      if (waitMs === undefined || signal?.aborted) throw error
      await clock.sleep(waitMs, signal)
      if (signal?.aborted) throw error
    }
  }
}
