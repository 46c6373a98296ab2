import { dayMs, hourMs, minuteMs } from '../../platform/durations.ts'

/** What may be written for the end of a silence. */
export const waysToEnd = '1h, 2 days, tomorrow or friday (09:00), or a time such as 2026-12-01T09:00'

const units: [RegExp, number][] = [
  [/^m(in|ins|inute|inutes)?$/, minuteMs],
  [/^h(r|rs|our|ours)?$/, hourMs],
  [/^d(ay|ays)?$/, dayMs],
  [/^w(eek|eeks)?$/, 7 * dayMs],
]
/** By their place. */
const counts = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
/** As Temporal counts them: Monday is 1. */
const weekdays = ['', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/**
 * When a silence ends, from what a person writes: `1h`, `2 days`, `two weeks`, `tomorrow` or `friday` (09:00, the next one). A day
 * means its 09:00. A time is in the time zone, or has its own offset. Milliseconds since the epoch; undefined for anything
 * else. Pure.
 */
export function endFrom(text: string, timeZone: string, now: number): number | undefined {
  const word = text.trim().toLowerCase()
  const forMs = durationOf(word)
  if (forMs !== undefined) return now + forMs
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate()
  if (word === 'tomorrow') return morningOf(today.add({ days: 1 }), timeZone)
  const weekday = weekdays.findIndex((day) => day !== '' && (word === day || word === day.slice(0, 3)))
  if (weekday !== -1) {
    return morningOf(today.add({ days: (weekday - today.dayOfWeek + 7) % 7 || 7 }), timeZone)
  }
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return morningOf(Temporal.PlainDate.from(text), timeZone)
    if (/(Z|[+-]\d{2}:?\d{2})$/i.test(text)) return Temporal.Instant.from(text).epochMilliseconds
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function durationOf(word: string): number | undefined {
  const [, digits, ofDigits] = /^(\d{1,4})\s*([a-z]+)$/.exec(word) ?? []
  const [, spelled = '', ofSpelled] = /^([a-z]+)\s+([a-z]+)$/.exec(word) ?? []
  const unit = units.find(([name]) => name.test(ofDigits ?? ofSpelled ?? ''))
  const count = digits === undefined ? countOf(spelled) : Number(digits)
  return unit === undefined || count === undefined ? undefined : count * unit[1]
}

function countOf(word: string): number | undefined {
  if (word === 'a' || word === 'an') return 1
  const count = counts.indexOf(word)
  return count > 0 ? count : undefined
}

function morningOf(day: Temporal.PlainDate, timeZone: string): number {
  return day.toZonedDateTime({ timeZone, plainTime: '09:00' }).epochMilliseconds
}
