import type { DigestTimes, QuietHours } from '../../channels/settings.ts'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/**
 * When the quiet hours end that hold at `at`, or undefined if none do; milliseconds since the epoch. They are named by
 * the day on which they begin, and are right over a change of the clocks. From an hour to the same hour is a whole day. Pure.
 */
export function quietUntil(quiet: QuietHours, timeZone: string, at: number): number | undefined {
  const now = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  const today = now.toPlainDate()
  const ends = [today.subtract({ days: 1 }), today].flatMap((day) => {
    const begins = timeOn(day, quiet.from, timeZone)
    const ends = timeOn(quiet.to > quiet.from ? day : day.add({ days: 1 }), quiet.to, timeZone)
    return isOn(quiet.days, day) && begins <= at && at < ends ? [ends] : []
  })
  return ends.length === 0 ? undefined : Math.max(...ends)
}

/** When the next digest is due after `at`; milliseconds since the epoch. Pure. */
export function nextDigest(
  { every, at: hour = '08:00', on }: DigestTimes,
  timeZone: string,
  at: number,
): number {
  const now = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  if (every === 'hour') {
    return now.round({ smallestUnit: 'hour', roundingMode: 'floor' }).add({ hours: 1 }).epochMilliseconds
  }
  for (let day = now.toPlainDate(); ; day = day.add({ days: 1 })) {
    const due = timeOn(day, hour, timeZone)
    if (due > at && isOn(every === 'week' ? [on ?? 'mon'] : undefined, day)) return due
  }
}

function timeOn(day: Temporal.PlainDate, hour: string, timeZone: string): number {
  return day.toZonedDateTime({ timeZone, plainTime: hour }).epochMilliseconds
}

function isOn(wanted: readonly string[] | undefined, { dayOfWeek }: Temporal.PlainDate): boolean {
  return wanted === undefined || wanted.includes(days[dayOfWeek - 1] ?? '')
}
