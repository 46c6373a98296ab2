/**
 * How long the service asks us to wait, in milliseconds: `error.retry_after` of the body, which the interface
 * specifies in seconds ("Errors"), else the header `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
 * Fractions are kept, the past is 0, what cannot be read is undefined.
 *
 * @param now milliseconds since the epoch, by the clock that wrote the date
 */
export function retryAfterMs(body: unknown, header: string | null, now: number): number | undefined {
  return fromSeconds(body) ?? fromSeconds(header) ?? fromDate(header, now)
}

function fromSeconds(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return undefined
  return Math.max(Math.ceil(seconds * 1_000), 0)
}

function fromDate(header: string | null, now: number): number | undefined {
  // A date has letters; `Date.parse` would also take "12;" for a year.
  if (header === null || !/[a-z]/i.test(header)) return undefined
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0)
}
