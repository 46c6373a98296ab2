import { describe, expect, test } from 'vitest'
import { nextDigest, quietUntil } from '../../../../src/decide/route/hours.ts'

const berlin = 'Europe/Berlin'
const at = (text: string) => Date.parse(text)
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString())

describe('quiet hours over midnight', () => {
  const night = { from: '22:00', to: '07:00' }

  test.each([
    ['2026-11-20T20:59:59Z', undefined],
    ['2026-11-20T21:00:00Z', '2026-11-21T06:00:00.000Z'],
    ['2026-11-21T02:00:00Z', '2026-11-21T06:00:00.000Z'],
    ['2026-11-21T05:59:59.999Z', '2026-11-21T06:00:00.000Z'],
    ['2026-11-21T06:00:00Z', undefined],
  ])('at %s hold until %s', (now, until) => {
    expect(iso(quietUntil(night, berlin, at(now)))).toBe(until)
  })

  test('end at the hour of the morning when the clocks go back in the night, and when they go forward', () => {
    expect(iso(quietUntil(night, berlin, at('2026-10-24T20:30:00Z')))).toBe('2026-10-25T06:00:00.000Z')
    expect(iso(quietUntil(night, berlin, at('2026-10-25T01:30:00Z')))).toBe('2026-10-25T06:00:00.000Z')
    expect(iso(quietUntil(night, berlin, at('2026-03-28T21:30:00Z')))).toBe('2026-03-29T05:00:00.000Z')
  })

  test('are of the day on which they begin', () => {
    const weekend = { ...night, days: ['fri' as const, 'sat' as const] }
    // Saturday 03:00, then Sunday 03:00, then Monday 03:00.
    expect(iso(quietUntil(weekend, berlin, at('2026-11-21T02:00:00Z')))).toBe('2026-11-21T06:00:00.000Z')
    expect(iso(quietUntil(weekend, berlin, at('2026-11-22T02:00:00Z')))).toBe('2026-11-22T06:00:00.000Z')
    expect(quietUntil(weekend, berlin, at('2026-11-23T02:00:00Z'))).toBeUndefined()
  })

  test('from an hour that the clocks skip begin when they have been put forward', () => {
    const short = { from: '02:30', to: '05:00' }
    expect(quietUntil(short, berlin, at('2026-03-29T00:59:59Z'))).toBeUndefined()
    expect(iso(quietUntil(short, berlin, at('2026-03-29T01:45:00Z')))).toBe('2026-03-29T03:00:00.000Z')
  })
})

test('quiet hours within a day, and of a whole day', () => {
  const noon = { from: '12:00', to: '13:30' }
  expect(iso(quietUntil(noon, 'UTC', at('2026-11-21T12:00:00Z')))).toBe('2026-11-21T13:30:00.000Z')
  expect(quietUntil(noon, 'UTC', at('2026-11-21T13:30:00Z'))).toBeUndefined()
  const sunday = { from: '00:00', to: '00:00', days: ['sun' as const] }
  expect(iso(quietUntil(sunday, 'UTC', at('2026-11-22T00:00:00Z')))).toBe('2026-11-23T00:00:00.000Z')
  expect(quietUntil(sunday, 'UTC', at('2026-11-23T00:00:00Z'))).toBeUndefined()
})

test.each([
  [{ every: 'hour' }, '2026-11-21T13:00:00Z', '2026-11-21T14:00:00.000Z'],
  [{ every: 'hour' }, '2026-11-21T13:59:59.999Z', '2026-11-21T14:00:00.000Z'],
  [{ every: 'day' }, '2026-11-21T06:59:00Z', '2026-11-21T07:00:00.000Z'],
  [{ every: 'day' }, '2026-11-21T07:00:00Z', '2026-11-22T07:00:00.000Z'],
  [{ every: 'day', at: '18:30' }, '2026-11-21T13:00:00Z', '2026-11-21T17:30:00.000Z'],
  // In the night the clocks go back: 25 hours after the one before.
  [{ every: 'day' }, '2026-10-24T06:00:00Z', '2026-10-25T07:00:00.000Z'],
  [{ every: 'week' }, '2026-11-21T13:00:00Z', '2026-11-23T07:00:00.000Z'],
  [{ every: 'week', on: 'fri' }, '2026-11-21T13:00:00Z', '2026-11-27T07:00:00.000Z'],
  [{ every: 'week', on: 'sat', at: '15:00' }, '2026-11-21T13:00:00Z', '2026-11-21T14:00:00.000Z'],
] as const)('a digest of %j is next due, after %s, at %s', (digest, now, due) => {
  expect(iso(nextDigest(digest, berlin, at(now)))).toBe(due)
})
