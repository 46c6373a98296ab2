import type { Channel } from '../channels/channel.ts'
import type { Clock } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'

/** When something was last sent to one place, by any of the channels that go there; milliseconds since the epoch. */
export interface Pace {
  last: number
}

/** Channels of one destination share its pace. Which one it is may show only when something is sent there. */
export function sharedPaces(): (channel: Pick<Channel, 'name' | 'type' | 'destination'>) => Pace {
  const paces = new Map<string, Pace>()
  /** By channel, the destination that it had. */
  const keys = new Map<string, string>()

  function at(key: string): Pace {
    const pace = paces.get(key) ?? { last: Number.NEGATIVE_INFINITY }
    paces.set(key, pace)
    return pace
  }

  return ({ name, type, destination }) => {
    const key = JSON.stringify(destination === undefined ? [name] : [type, destination])
    const before = keys.get(name) ?? key
    keys.set(name, key)
    const pace = at(key)
    if (before !== key) {
      // Two names of one place: a channel that still has the first gets the same pace.
      pace.last = Math.max(pace.last, at(before).last)
      paces.set(before, pace)
    }
    return pace
  }
}

/** Between two reports of one failure. */
const reportAgainMs = minuteMs

/**
 * Reports what fails again and again: at once, and then each minute with how often it has failed by then, so that a sick
 * disk does not fill the log. `times` is undefined at first.
 */
export function throttledReport(
  clock: Clock,
  report: (error: unknown, times: number | undefined) => void,
): (error: unknown) => void {
  let times = 0
  let reportedAt = Number.NEGATIVE_INFINITY
  return (error) => {
    times += 1
    const now = clock.now()
    if (Math.abs(now - reportedAt) < reportAgainMs) return
    reportedAt = now
    report(error, times === 1 ? undefined : times)
  }
}
