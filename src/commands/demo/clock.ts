import { type Clock, systemClock } from '../../platform/clock.ts'

/** Time that passes at its usual pace, and that you can move forward. Sleepers whose time has come wake. */
export interface DemoClock extends Clock {
  /** By so many milliseconds. */
  move(milliseconds: number): void
}

/** Begins so many milliseconds before the system's time. */
export function createMovedClock(behindMs: number, system: Clock = systemClock): DemoClock {
  let ahead = 0
  let moved = new AbortController()
  const now = () => system.now() - behindMs + ahead

  return {
    now,
    // A machine that has just begun has no time behind it that could be taken off.
    uptime: () => (system.uptime?.() ?? system.now()) + ahead,
    async sleep(milliseconds, signal) {
      const dueAt = now() + milliseconds
      do {
        await system.sleep(dueAt - now(), AbortSignal.any([moved.signal, ...(signal ? [signal] : [])]))
      } while (now() < dueAt && !signal?.aborted)
    },
    move(milliseconds) {
      ahead += milliseconds
      moved.abort()
      moved = new AbortController()
    },
  }
}
