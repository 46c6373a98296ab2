import { expect, test } from 'vitest'
import { retryAfterMs } from '../../../src/client/http/retry-after.ts'

const now = Date.parse('2026-03-01T12:00:00Z')

test.each([
  { what: 'whole seconds in the body', body: 30, header: null, ms: 30_000 },
  { what: 'a fraction in the body', body: 0.25, header: null, ms: 250 },
  { what: 'a number as text in the body', body: '12', header: null, ms: 12_000 },
  { what: 'the body before the header', body: 30, header: '90', ms: 30_000 },
  { what: 'whole seconds in the header', body: undefined, header: '90', ms: 90_000 },
  { what: 'a fraction in the header', body: undefined, header: '1.5', ms: 1_500 },
  { what: 'a date in the header', body: undefined, header: 'Sun, 01 Mar 2026 12:01:00 GMT', ms: 60_000 },
  { what: 'a date in the past', body: undefined, header: 'Sun, 01 Mar 2026 11:00:00 GMT', ms: 0 },
  { what: 'a negative number', body: -5, header: null, ms: 0 },
  { what: 'an unreadable body and a header', body: 'soon', header: '7', ms: 7_000 },
  { what: 'nothing', body: undefined, header: null, ms: undefined },
  { what: 'an empty header', body: null, header: '', ms: undefined },
  { what: 'no number and no date', body: {}, header: 'a while', ms: undefined },
  { what: 'an infinite number', body: Number.POSITIVE_INFINITY, header: null, ms: undefined },
])('$what is $ms ms', ({ body, header, ms }) => {
  expect(retryAfterMs(body, header, now)).toBe(ms)
})
