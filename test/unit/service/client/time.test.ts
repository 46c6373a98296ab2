import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTime } from '../../../../src/service/client/readers/fields.ts'
import { runs } from '../../../support/runs.ts'

const noon = '2026-03-01T12:00:00.000Z'
const midnight = '2026-03-01T00:00:00.000Z'

test.each([
  { written: '2026-03-01T12:00:00Z', at: noon },
  { written: '2026-03-01T12:00Z', at: noon },
  { written: '2026-03-01t12:00:00.000000z', at: noon },
  { written: '2026-03-01 13:00:00+01:00', at: noon },
  { written: '2026-03-01T07:00:00-0500', at: noon },
  { written: '2026-03-01T13:00:00+01', at: noon },
  { written: ' 2026-03-01 12:00:00 UTC ', at: noon },
  { written: '2026-03-01T12:00:00', at: noon },
  { written: '2026-03-01T12:00:00.1234567Z', at: '2026-03-01T12:00:00.123Z' },
  { written: '2026-03-01', at: midnight },
  { written: '2026-03', at: midnight },
  { written: 1_772_366_400, at: noon },
  { written: '1772366400', at: noon },
  { written: 1_772_366_400_000, at: noon },
  { written: 1_772_366_400.5, at: '2026-03-01T12:00:00.500Z' },
  { written: '2026-02-30', at: null },
  { written: '2026-13-01', at: null },
  { written: '2026-03-01T25:00Z', at: null },
  { written: '03/01/2026', at: null },
  { written: 2026, at: null },
  { written: 0, at: null },
  { written: -1_772_366_400, at: null },
  { written: '1999-12-31', at: null },
  { written: Number.NaN, at: null },
  { written: 'Infinity', at: null },
  { written: null, at: null },
  { written: {}, at: null },
])('$written is $at', ({ written, at }) => {
  expect(readTime(written)).toBe(at)
})

test('a time that was read reads as itself', () => {
  const dates = fc.date({
    min: new Date(Date.UTC(2000, 0)),
    max: new Date(Date.UTC(2199, 0)),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(dates, (date) => {
      expect(readTime(date.toISOString())).toBe(date.toISOString())
    }),
    runs(),
  )
})
