import { describe, expect, test } from 'vitest'
import { reportDay, reportId, statusReport } from '../../../src/operators/status-report.ts'

const now = Date.parse('2026-11-23T09:00:30Z')
const calm = {
  models: ['claude', 'gemini'],
  came: 12,
  sent: 3,
  delivered: '2026-11-22T21:30:00.000Z',
  read: '2026-11-23T08:58:00.000Z',
  wrong: [],
}

describe('the report of a channel is that of the last Monday at nine in its time zone', () => {
  test.each([
    ['a moment before it', '2026-11-23T08:59:59.999Z', 'UTC', '2026-11-16'],
    ['at nine', '2026-11-23T09:00:00.000Z', 'UTC', '2026-11-23'],
    ['on Sunday night', '2026-11-29T23:59:59.999Z', 'UTC', '2026-11-23'],
    ['where it is nine already', '2026-11-23T00:00:00.000Z', 'Asia/Tokyo', '2026-11-23'],
    ['where it is eight still', '2026-11-23T13:59:59.000Z', 'America/New_York', '2026-11-16'],
    ['where it is nine', '2026-11-23T14:00:00.000Z', 'America/New_York', '2026-11-23'],
    ['where it is Tuesday already', '2026-11-23T20:30:00.000Z', 'Pacific/Auckland', '2026-11-23'],
    ['in summer, at seven by UTC', '2026-10-19T07:00:00.000Z', 'Europe/Berlin', '2026-10-19'],
    ['and after the clocks went back', '2026-10-26T07:59:59.000Z', 'Europe/Berlin', '2026-10-19'],
    ['at eight', '2026-10-26T08:00:00.000Z', 'Europe/Berlin', '2026-10-26'],
    ['over the end of a year', '2027-01-03T12:00:00.000Z', 'UTC', '2026-12-28'],
  ])('%s', (_, time, timeZone, day) => {
    expect(reportDay(Date.parse(time), timeZone)).toBe(day)
  })
})

test('it says what came, what was sent, when the service was last reached, and that no incident is open', () => {
  expect(statusReport({ name: 'desk', timeZone: 'Europe/Berlin' }, calm, now)).toEqual({
    kind: 'notice',
    id: reportId('desk', '2026-11-23'),
    phase: 'over',
    channel: null,
    to: ['desk'],
    status: true,
    title: 'Bluepencil is watching Claude and Gemini',
    text: '12 alerts came in the last seven days, and 3 of them were sent here. Last delivery: 22 Nov 2026, 22:30 CET. Published figures last read: 23 Nov 2026, 09:58 CET. There are no known problems.',
    receivedAt: '2026-11-23T09:00:30.000Z',
  })
})

test.each([
  [{ came: 0, sent: 0 }, 'No alert came in the last seven days. '],
  [{ came: 1, sent: 1 }, '1 alert came in the last seven days, and it was sent here. '],
  [{ came: 1, sent: 0 }, 'and it was not sent here. '],
  [{ came: 9, sent: 1 }, 'and one of them was sent here. '],
  [{ came: 2, sent: 0 }, '2 alerts came in the last seven days, and none of them was sent here. '],
  [{ delivered: null }, ' Last delivery: none in the last 30 days. '],
  [{ read: null }, ' Published figures last read: never. '],
  [
    { wrong: ['mail cannot be reached', 'The disk is full'] },
    'Current problems: mail cannot be reached; The disk is full.',
  ],
])('of %j it says: %s', (changes, said) => {
  expect(statusReport({ name: 'desk', timeZone: 'UTC' }, { ...calm, ...changes }, now).text).toContain(said)
})

test('it says nothing of a way by which nothing is expected', () => {
  const { text } = statusReport(
    { name: 'desk', timeZone: 'UTC' },
    { ...calm, delivered: undefined, read: undefined },
    now,
  )
  expect(text).not.toMatch(/delivery|figures/)
})

test('a channel has one report for a Monday', () => {
  const ids = [reportId('desk', '2026-11-23'), reportId('mail', '2026-11-23'), reportId('desk', '2026-11-30')]
  expect(new Set([...ids, reportId('desk', '2026-11-23')]).size).toBe(3)
})
