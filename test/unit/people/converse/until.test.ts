import { expect, test } from 'vitest'
import { endFrom } from '../../../../src/people/converse/until.ts'

const now = Date.parse('2026-11-21T13:00:00Z')

test.each([
  ['1h', '2026-11-21T14:00:00.000Z'],
  ['90m', '2026-11-21T14:30:00.000Z'],
  ['2 d', '2026-11-23T13:00:00.000Z'],
  ['1W', '2026-11-28T13:00:00.000Z'],
  ['2 days', '2026-11-23T13:00:00.000Z'],
  ['Two days', '2026-11-23T13:00:00.000Z'],
  ['an hour', '2026-11-21T14:00:00.000Z'],
  ['45 min', '2026-11-21T13:45:00.000Z'],
  // The day of the test is a Saturday.
  ['friday', '2026-11-27T08:00:00.000Z'],
  ['Sat', '2026-11-28T08:00:00.000Z'],
  ['tomorrow', '2026-11-22T08:00:00.000Z'],
  ['2026-12-01', '2026-12-01T08:00:00.000Z'],
  ['2026-12-01T18:30', '2026-12-01T17:30:00.000Z'],
  ['2026-12-01T18:30Z', '2026-12-01T18:30:00.000Z'],
])('%s ends at %s, in Berlin', (text, end) => {
  expect(new Date(endFrom(text, 'Europe/Berlin', now) ?? 0).toISOString()).toBe(end)
})

test.each([
  '',
  'soon',
  'some days',
  'twodays',
  'days',
  'fr',
  '1',
  'h',
  '1y',
  '-1h',
  '2026-13-01',
  '2026-12-01T99:00',
  '1h 30m',
])('%j is no end', (text) => {
  expect(endFrom(text, 'UTC', now)).toBeUndefined()
})
