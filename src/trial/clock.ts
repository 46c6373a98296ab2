import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../platform/clock.ts'

/**
 * A time that passes as fast as what happens in it can be computed. Sleepers wake in the order of their times, each at
 * its own. Nothing waits for what is asked of the machine itself meanwhile (a file, a socket).
 */
export interface MovedClock extends Clock {
  /** Lets the time pass until then, milliseconds since the epoch; a time that has passed already changes nothing. */
  passTo(at: number): Promise<void>
  /** Lets the time pass until the promise is settled, and answers as it does. Rejects if nobody sleeps any more. */
  during<T>(work: Promise<T>): Promise<T>
}

interface Sleeper {
  at: number
  wake(): void
}

export function createMovedClock(startMs: number): MovedClock {
  /** In the order in which they wake. A trial has few: a queue for each channel, and the digests. */
  const sleepers: Sleeper[] = []
  let now = startMs

  function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const at = now + (milliseconds > 0 ? milliseconds : 0)
      const sleeper: Sleeper = { at, wake }
      function wake(): void {
        sleepers.splice(sleepers.indexOf(sleeper), 1)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      // Of two at the same time, the first to sleep wakes first.
      sleepers.splice(sleepers.findLastIndex((other) => other.at <= at) + 1, 0, sleeper)
      signal?.addEventListener('abort', wake, { once: true })
    })
  }

  /** Wakes the next sleeper that is due by then, and lets what follows from it happen. Returns whether there was one. */
  async function step(until: number): Promise<boolean> {
    const [next] = sleepers
    if (next === undefined || next.at > until) return false
    now = Math.max(now, next.at)
    next.wake()
    await turn()
    return true
  }

  return {
    now: () => now,
    sleep,
    async passTo(at) {
      await turn()
      while (await step(at));
      now = Math.max(now, at)
    },
    async during(work) {
      let isSettled = false
      const settled = work.finally(() => {
        isSettled = true
      })
      settled.catch(() => undefined)
      await turn()
      while (!isSettled) {
        if (!(await step(Number.MAX_VALUE)))
          throw new Error('it waits for something that never happens in a trial')
      }
      return settled
    },
  }
}
