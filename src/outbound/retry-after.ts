/**
 * Retry-After in milliseconds: seconds, whole or fractional, or a date (RFC 9110, 10.2.3). Not bounded; that is
 * the retry policy's part.
 */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  // A date has letters; `Date.parse` would also take "-5" for one, long past.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
