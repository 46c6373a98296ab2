import { expect, test } from 'vitest'
import { retryAfter } from '../../../../src/platform/outbound/retry-after.ts'

const now = Date.parse('2026-11-21T10:00:00Z')

test.each([
  ['30', 30_000],
  ['0', 0],
  ['1.25', 1250],
  [' 7 ', 7000],
  ['3600', 3_600_000],
  ['3600000', 3_600_000],
  ['1e300', 3_600_000],
  ['Sat, 21 Nov 2026 10:01:00 GMT', 60_000],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['Sat, 13 Sep 275760 00:00:00 GMT', 3_600_000],
  ['soon', undefined],
  ['-5', undefined],
  ['', undefined],
])('Retry-After "%s" asks for %s ms', (value, expected) => {
  expect(retryAfter(new Headers({ 'retry-after': value }), now)).toBe(expected)
})

test('an absent Retry-After asks for nothing', () => {
  expect(retryAfter(new Headers(), now)).toBeUndefined()
})

test.each([
  { what: 'whole seconds in the body', body: 30, header: '', ms: 30_000 },
  { what: 'a fraction in the body', body: 0.25, header: '', ms: 250 },
  { what: 'a number as text in the body', body: '12', header: '', ms: 12_000 },
  { what: 'the body before the header', body: 30, header: '90', ms: 30_000 },
  { what: 'a negative number in the body before the header', body: -5, header: '7', ms: 7_000 },
  { what: 'an unreadable body and a header', body: 'soon', header: '7', ms: 7_000 },
  { what: 'more than a number can be, in milliseconds', body: 1e306, header: '', ms: 3_600_000 },
  { what: 'nothing', body: undefined, header: '', ms: undefined },
  { what: 'no number and no date', body: {}, header: 'a while', ms: undefined },
  { what: 'an infinite number', body: Number.POSITIVE_INFINITY, header: '', ms: undefined },
])('$what is $ms ms', ({ body, header, ms }) => {
  expect(retryAfter(new Headers({ 'retry-after': header }), now, body)).toBe(ms)
})
