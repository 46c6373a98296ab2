import type { Clock } from '../../../../src/platform/clock.ts'

export interface HoppingClock extends Clock {
  /** Time jumps ahead by so many milliseconds; every timer that is due by then runs. */
  hop(milliseconds: number): void
  /** How many sleep now. */
  sleeping(): number
}

const longestTimer = 2 ** 31 - 1

/**
 * Runs at the pace of the real one, so that sockets and files get the time that they take, and hops ahead in between,
 * so that weeks pass.
 */
export function createHoppingClock(): HoppingClock {
  const sleepers = new Map<() => void, number>()
  let ahead = 0
  const now = () => Date.now() + ahead

  return {
    now,
    sleep(milliseconds, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const wake = () => {
          clearTimeout(timer)
          sleepers.delete(wake)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, Math.min(Math.max(milliseconds, 0), longestTimer))
        sleepers.set(wake, now() + milliseconds)
        signal?.addEventListener('abort', wake, { once: true })
      })
    },
    hop(milliseconds) {
      ahead += milliseconds
      const due = [...sleepers]
        .filter(([, dueAt]) => dueAt <= now())
        .sort(([, one], [, other]) => one - other)
      for (const [wake] of due) wake()
    },
    sleeping: () => sleepers.size,
  }
}
