import type { Clock } from '../../../platform/clock.ts'

/** The `Date` of an answer: the clock of who wrote it. Milliseconds since the epoch; undefined if it cannot be read. */
export function dateOf(headers: Headers): number | undefined {
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) ? undefined : date
}

/**
 * The time by the monitoring service: a witness that nobody here can set. What went by since the last answer is measured by
 * the machine's uptime, which no setting of the clock changes.
 */
export function createServiceTime(clock: Pick<Clock, 'now' | 'uptime'>) {
  let last: { date: number; uptime: number } | undefined
  const uptime = () => clock.uptime?.() ?? clock.now()
  return {
    /** The `Date` of an answer, which has come just now; milliseconds since the epoch. */
    heard(date: number): void {
      last = { date, uptime: uptime() }
    },
    /** Milliseconds since the epoch; undefined before the first answer. */
    now: (): number | undefined => (last === undefined ? undefined : last.date + uptime() - last.uptime),
  }
}
