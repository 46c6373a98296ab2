import type { Clock } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'

/** Between two words of the same thing. */
const againMs = minuteMs

/**
 * For what goes wrong again and again: said at once, and then each minute with how often it has been by then. A sick
 * disk is no reason for a line in each second. `times` is undefined at the first.
 */
export function createComplaint(
  clock: Clock,
  say: (error: unknown, times: number | undefined) => void,
): (error: unknown) => void {
  let times = 0
  let saidAt = Number.NEGATIVE_INFINITY
  return (error) => {
    times += 1
    const now = clock.now()
    if (Math.abs(now - saidAt) < againMs) return
    saidAt = now
    say(error, times === 1 ? undefined : times)
  }
}
