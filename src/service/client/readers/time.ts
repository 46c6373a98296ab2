import { readNumber } from './fields.ts'

/** Whole seconds since the epoch have ten digits until 2286, milliseconds thirteen. */
const leastMilliseconds = 100_000_000_000
/** What the service measures did not exist before 2000; a number outside of these years is another thing than a time. */
const earliest = Date.UTC(2000, 0)
const latest = Date.UTC(2200, 0)

const longestTime = 64
const pattern =
  /^(?<day>\d{4}-\d\d(-\d\d)?)([T ](?<time>\d\d:\d\d(:\d\d)?)([.,](?<part>\d+))?)? ?(?<zone>Z|UTC|[+-]\d\d(:?\d\d)?)?$/i

/**
 * A time as ISO 8601 in UTC, to the millisecond: from ISO 8601 (a day is its beginning, a month its first day, no
 * zone is UTC) or from seconds or milliseconds since the epoch, in quotes too. Null where it is anything else.
 */
export function readTime(value: unknown): string | null {
  const at = readNumber(value)
  if (at !== null) return inRange(Math.abs(at) < leastMilliseconds ? at * 1_000 : at)
  if (typeof value !== 'string' || value.length > longestTime) return null
  const { day, time, part, zone } = pattern.exec(value.trim())?.groups ?? {}
  if (day === undefined) return null
  const date = day.length === 7 ? `${day}-01` : day
  if (!isDay(date)) return null
  const clock = time === undefined ? '00:00:00' : time.padEnd(8, ':00')
  return inRange(Date.parse(`${date}T${clock}.${(part ?? '').slice(0, 3).padEnd(3, '0')}${offset(zone)}`))
}

/** A time as above, and whether it is written as a date without a time of day. */
export function readDated(value: unknown): { time: string; isDateOnly: boolean } | null {
  const time = readTime(value)
  if (time === null) return null
  const groups = typeof value === 'string' ? pattern.exec(value.trim())?.groups : undefined
  return { time, isDateOnly: groups !== undefined && groups.time === undefined }
}

/** `Date.parse` takes 30 February for 2 March. */
function isDay(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date)
}

function offset(zone: string | undefined): string {
  if (zone === undefined || /^(z|utc)$/i.test(zone)) return 'Z'
  const digits = zone.replace(':', '').padEnd(5, '0')
  return `${digits.slice(0, 3)}:${digits.slice(3)}`
}

function inRange(at: number): string | null {
  return at >= earliest && at < latest ? new Date(at).toISOString() : null
}
