import { expect, test } from 'vitest'
import { retryAfter } from '../../../src/outbound/retry-after.ts'

const now = Date.parse('2026-11-21T10:00:00Z')

test.each([
  ['30', 30_000],
  ['0', 0],
  ['1.25', 1250],
  [' 7 ', 7000],
  ['999999999', 999_999_999_000],
  ['Sat, 21 Nov 2026 10:01:00 GMT', 60_000],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['', undefined],
])('Retry-After "%s" asks for %s ms', (value, expected) => {
  expect(retryAfter(new Headers({ 'retry-after': value }), now)).toBe(expected)
})

test('an absent Retry-After asks for nothing', () => {
  expect(retryAfter(new Headers(), now)).toBeUndefined()
})
