import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../platform/clock.ts'
import { createHeap, type HeapItem } from './heap.ts'

/**
 * A time that passes as fast as what happens in it can be computed. Whoever sleeps by it is woken in the order of their
 * times, each at its own; what is asked of the machine itself meanwhile (a file, a socket) is not waited for.
 */
export interface MovedClock extends Clock {
  /** Lets the time pass until then, milliseconds since the epoch; a time that has passed already changes nothing. */
  passTo(at: number): Promise<void>
  /** Lets the time pass until the promise is settled, and answers as it does. Rejects where nobody sleeps any more. */
  during<T>(work: Promise<T>): Promise<T>
}

interface Sleeper extends HeapItem {
  at: number
  /** Of two at the same time, who lay down first is woken first. */
  order: number
  wake(): void
}

export function createMovedClock(startMs: number): MovedClock {
  const sleepers = createHeap<Sleeper>((one, other) =>
    one.at === other.at ? one.order < other.order : one.at < other.at,
  )
  let now = startMs
  let order = 0

  function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const at = now + (milliseconds > 0 ? milliseconds : 0)
      const sleeper: Sleeper = { at, order, place: -1, wake }
      order += 1
      function wake(): void {
        sleepers.remove(sleeper)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      sleepers.add(sleeper)
      signal?.addEventListener('abort', wake, { once: true })
    })
  }

  /** Wakes who is next, where that is by then, and lets whatever follows from it happen. Answers whether there was one. */
  async function step(until: number): Promise<boolean> {
    const next = sleepers.first()
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
        if (!(await step(Number.MAX_VALUE))) throw new Error('it waits for something that no clock brings')
      }
      return settled
    },
  }
}
