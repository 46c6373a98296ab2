import { describe, expect, test } from 'vitest'
import { type RateReading, type SeriesParts, seriesOf } from '../../../../src/message/chart/series.ts'
import { dayMs, hourMs } from '../../../../src/platform/durations.ts'

const now = Date.UTC(2026, 10, 22, 9)

function reading(daysAgo: number, percent: number, sampleSize: number | null = 500): RateReading {
  return { at: now - daysAgo * dayMs, percent, sampleSize }
}

function series(readings: readonly RateReading[], more: Partial<SeriesParts> = {}) {
  return seriesOf({
    model: 'Claude',
    category: 'political',
    isSizeOfAll: false,
    span: 90,
    now,
    readings,
    ...more,
  })
}

describe('the days', () => {
  test('are the last ninety, today the last of them', () => {
    const { from, to, days } = series([reading(0, 12), reading(89, 13), reading(90, 14)])
    expect(new Date(from).toISOString()).toBe('2026-08-25T00:00:00.000Z')
    expect(new Date(to).toISOString()).toBe('2026-11-23T00:00:00.000Z')
    expect(days.map(({ percent }) => percent)).toEqual([13, 12])
  })

  test('hold the readings of a day together, each prompt once', () => {
    const { days } = series([
      { at: now, percent: 10, sampleSize: 300 },
      { at: now - hourMs, percent: 20, sampleSize: 100 },
    ])
    expect(days).toHaveLength(1)
    expect(days[0]).toMatchObject({ percent: 12.5, sampleSize: 400 })
    expect(days[0]?.error?.from).toBeCloseTo(9.6, 1)
    expect(days[0]?.error?.to).toBeCloseTo(16.1, 1)
  })

  test('have no sampling error where one size is not known, and then each reading counts once', () => {
    const { days } = series([
      { at: now, percent: 10, sampleSize: 300 },
      { at: now - hourMs, percent: 20, sampleSize: null },
    ])
    expect(days[0]).toMatchObject({ percent: 15, sampleSize: null, error: null })
  })

  test.each([0, 100])('at %i %% have a sampling error that is not nothing and stays a rate', (percent) => {
    const { error } = series([reading(0, percent)]).days[0] ?? {}
    expect((error?.to ?? 0) - (error?.from ?? 0)).toBeGreaterThan(0.5)
    expect(error?.from).toBeGreaterThanOrEqual(0)
    expect(error?.to).toBeLessThanOrEqual(100)
  })

  test('leave out what is no rate, no time, and what is still to come', () => {
    const odd = [reading(0, Number.NaN), reading(0, 101), reading(0, -1), reading(-1, 12)]
    expect(series([...odd, { at: Number.NaN, percent: 12, sampleSize: 500 }]).days).toEqual([])
  })
})

describe('the baseline', () => {
  const steady = Array.from({ length: 30 }, (_, index) => reading(10 + index, index % 2 === 0 ? 17 : 19))

  test('is what was before the change, with where days usually are', () => {
    const { baseline, change } = series([...steady, reading(3, 30), reading(2, 31)], {
      change: { at: now - 3 * dayMs, before: null },
    })
    expect(change).toBe(Date.UTC(2026, 10, 19))
    expect(baseline?.mean).toBe(18)
    expect(baseline?.days).toBe(30)
    expect(baseline?.band).toEqual({ from: 17, to: 19 })
  })

  test('has a band with at least 95% of the days, however they are spread, and without the farthest', () => {
    const share = (rates: readonly number[], before: number | null) => {
      const readings = rates.map((percent, index) => reading(1 + index, percent))
      const { band } = series(readings, { change: { at: now, before } }).baseline ?? {}
      const within = rates.filter((percent) => band && percent >= band.from && percent <= band.to)
      return { share: within.length / rates.length, band }
    }
    const outlier = [40, ...Array.from({ length: 39 }, (_, index) => 17 + (index % 3))]
    expect(share(outlier, null)).toEqual({ share: 39 / 40, band: { from: 17, to: 19 } })
    const drifting = Array.from({ length: 60 }, (_, index) => 10 + index / 10)
    expect(share(drifting, 11).share).toBe(57 / 60)
    expect(
      share([...drifting.slice(0, 30), ...drifting.slice(0, 30).map((rate) => rate + 8)], 18.1).share,
    ).toBe(57 / 60)
  })

  test('has the level that the alert says', () => {
    const { baseline } = series(steady, { change: { at: now, before: 18.4 } })
    expect(baseline?.mean).toBe(18.4)
  })

  test('has no band of four days, and is none of no day', () => {
    expect(series([1, 2, 3, 4].map((day) => reading(day, 12))).baseline).toEqual({
      mean: 12,
      band: null,
      days: 4,
    })
    expect(series([reading(0, 12)], { change: { at: now - dayMs, before: null } }).baseline).toBeNull()
  })

  test('is of all days where nothing changed, and a change before what is shown is not marked', () => {
    expect(series(steady).baseline?.days).toBe(30)
    expect(series(steady, { change: { at: now - 200 * dayMs, before: 18 } }).change).toBeNull()
  })
})
