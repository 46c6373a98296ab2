import { answerNames } from '../names.ts'
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

/** A finite number, or one in quotes; −0 is 0. No percent sign is read: a number that has one would not tell its unit later. */
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
