import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../../src/platform/clock.ts'

export interface ManualClock extends Clock {
  /**
   * Moves the time and runs each timer that is due by then, earliest first, at its own time. Timers that they
   * set meanwhile run too if they fall due. Promises and callbacks that are ready run in between. Real
   * input and output (sockets, files) takes real time: a test waits for its result before it moves on.
   */
  advance(milliseconds: number): Promise<void>
  /** Sets the time of day, as an operator would: sleepers go on for as long as they were to. */
  set(milliseconds: number): void
  /** How many sleep now. */
  sleeping(): number
}

/**
 * Stands still at `startMs` (milliseconds since the epoch) until a test moves it. `settled`: waits for what takes real time,
 * between any two who are woken.
 */
export function createManualClock(startMs: number, settled?: () => Promise<void>): ManualClock {
  const sleepers = new Set<{ dueAt: number; wake: () => void }>()
  let time = startMs

  function earliest(until: number) {
    let first: { dueAt: number; wake: () => void } | undefined
    for (const sleeper of sleepers) {
      if (sleeper.dueAt <= until && sleeper.dueAt < (first?.dueAt ?? Number.POSITIVE_INFINITY))
        first = sleeper
    }
    return first
  }

  return {
    now: () => time,
    sleep(milliseconds, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        if (milliseconds <= 0) return void setImmediate(resolve)
        const wake = () => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { dueAt: time + milliseconds, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      })
    },
    async advance(milliseconds) {
      const settle = async () => {
        await someTurns()
        await settled?.()
      }
      const until = time + milliseconds
      await settle()
      for (let next = earliest(until); next !== undefined; next = earliest(until)) {
        time = next.dueAt
        next.wake()
        await settle()
      }
      time = until
    },
    set(milliseconds) {
      for (const sleeper of sleepers) sleeper.dueAt += milliseconds - time
      time = milliseconds
    },
    sleeping: () => sleepers.size,
  }
}

/** A few turns of the event loop: enough for chains of promises and `setImmediate`, none for real waiting. */
async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn()
}
