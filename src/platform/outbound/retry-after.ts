import { hourMs } from '../durations.ts'

/** The longest wait that is obeyed: milliseconds written for seconds would be six weeks of silence. */
const longestMs = hourMs

/**
 * How long an answer asks us to wait, in milliseconds, an hour at most. `body` is such a field of the body, in seconds. Without
 * one, the header Retry-After counts, in seconds or as a date (RFC 9110, 10.2.3). Fractions are kept, and a date in the past
 * is 0. Undefined if neither can be read.
 *
 * @param now milliseconds since the epoch, by the clock that wrote the date
 */
export function retryAfter(headers: Headers, now = Date.now(), body?: unknown): number | undefined {
  const header = headers.get('retry-after')
  const waitMs = fromSeconds(body) ?? fromSeconds(header) ?? fromDate(header, now)
  return waitMs === undefined ? undefined : Math.min(waitMs, longestMs)
}

function fromSeconds(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) return undefined
  return Math.ceil(seconds * 1_000)
}

function fromDate(header: string | null, now: number): number | undefined {
  // A date has letters; `Date.parse` would also take "12;" for a year, and "-5" for one long past.
  if (header === null || !/[a-z]/i.test(header)) return undefined
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0)
}
