import { dayMs, hourMs, minuteMs } from '../durations.ts'

const units: Record<string, number> = { m: minuteMs, h: hourMs, d: dayMs, w: 7 * dayMs }

/**
 * When a silence ends that is asked for in words: `1h`, `2d`, `1w`, `tomorrow` (09:00), a day (its 09:00) or a time in the
 * time zone, or with an offset of its own. Milliseconds since the epoch; undefined where it is none of these. Pure.
 */
export function endFrom(text: string, timeZone: string, now: number): number | undefined {
  const [, count, unit = ''] = /^(\d{1,4})\s*([mhdw])$/i.exec(text.trim()) ?? []
  const unitMs = units[unit.toLowerCase()]
  if (count !== undefined && unitMs !== undefined) return now + Number(count) * unitMs
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate()
  if (text.trim().toLowerCase() === 'tomorrow') return morningOf(today.add({ days: 1 }), timeZone)
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return morningOf(Temporal.PlainDate.from(text), timeZone)
    if (/(Z|[+-]\d{2}:?\d{2})$/i.test(text)) return Temporal.Instant.from(text).epochMilliseconds
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function morningOf(day: Temporal.PlainDate, timeZone: string): number {
  return day.toZonedDateTime({ timeZone, plainTime: '09:00' }).epochMilliseconds
}
