import { answerNames, listNames } from '../names.ts'

export type Fields = Readonly<Record<string, unknown>>

const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i
const longestNumber = 64

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value under the first of the names that holds one; `null` holds none. */
export function pick(fields: Fields, names: readonly string[]): unknown {
  for (const name of names) {
    const value = fields[name]
    if (value !== undefined && value !== null && Object.hasOwn(fields, name)) return value
  }
  return undefined
}

/** An answer's own fields, then those of its `data`, `meta` and `metadata`, and of what these have of them. */
export function placesIn(answer: unknown): Fields[] {
  if (!isFields(answer)) return []
  const inner = answerNames.aside.map((name) => pick(answer, [name])).filter(isFields)
  const below = inner
    .flatMap((fields) => answerNames.aside.map((name) => pick(fields, [name])))
    .filter(isFields)
  return [answer, ...inner, ...below]
}

/** The first value that reads, of those that stand under the names in the places. */
export function firstOf<T>(
  places: readonly Fields[],
  names: readonly string[],
  read: (value: unknown) => T | null,
): T | null {
  for (const place of places) {
    const value = read(pick(place, names))
    if (value !== null) return value
  }
  return null
}

/** A finite number, or one in quotes; −0 is 0. A number with a percent sign is rejected: its unit would be lost. */
export function readNumber(value: unknown): number | null {
  const text = typeof value === 'string' && value.length <= longestNumber ? value.trim() : ''
  const read = number.test(text) ? Number(text) : value
  if (typeof read !== 'number' || !Number.isFinite(read)) return null
  return read === 0 ? 0 : read
}

/** A whole number from `least` on, below 2⁵³. */
export function readCount(value: unknown, least: number): number | null {
  const count = readNumber(value)
  return count !== null && Number.isSafeInteger(count) && count >= least ? count : null
}

/** A text with something in it, without the blanks around it; a number is one too (`"version": 4.5`). */
export function readText(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : text
}

/** An object's own fields, and those of the objects in it that hold a record's fields in nested forms. */
export function recordPlaces(record: unknown): Fields[] {
  if (!isFields(record)) return []
  const inner = listNames.recordPlaces.map((name) => pick(record, [name]))
  return [record, ...inner.filter(isFields)]
}

/** An object, bare or wrapped under one of the names. */
export function unwrapObject(value: unknown, names: readonly string[]): unknown {
  if (!isFields(value)) return value
  return names.map((name) => value[name]).find(isFields) ?? value
}

/** Whole seconds since the epoch have ten digits until 2286, milliseconds thirteen. */
const leastMilliseconds = 100_000_000_000
/** What the service measures did not exist before 2000; a number outside of these years is another thing than a time. */
const earliest = Date.UTC(2000, 0)
const latest = Date.UTC(2200, 0)

const longestTime = 64
const pattern =
  /^(?<day>\d{4}-\d\d(-\d\d)?)([T ](?<time>\d\d:\d\d(:\d\d)?)([.,](?<part>\d+))?)? ?(?<zone>Z|UTC|[+-]\d\d(:?\d\d)?)?$/i

/**
 * A time as ISO 8601 in UTC, to the millisecond. It reads ISO 8601 (a day is its beginning, a month its first day, no
 * zone is UTC). It also reads seconds or milliseconds since the epoch, in quotes too. Null for anything else.
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
