import { describe, expect, test } from 'vitest'
import { differenceError, intervalText } from '../../../../src/commands/monitor/rates.ts'
import { interval } from '../../../../src/message/chart/series.ts'

describe('the interval of a rate', () => {
  // R: binom::binom.wilson(x, n)
  test.each([
    [62, 500, 9.8, 15.58],
    [0, 500, 0, 0.76],
    [500, 500, 99.24, 100],
    [3, 10, 10.78, 60.32],
  ])('%i of %i', (refused, asked, from, to) => {
    const range = interval((100 * refused) / asked, asked)
    expect(range.from).toBeCloseTo(from, 1)
    expect(range.to).toBeCloseTo(to, 1)
  })

  test('is left out where the rate or the sample size is not known', () => {
    expect(intervalText(12.4, 500)).toBe('9.8–15.6%')
    expect(intervalText(null, 500)).toBe('')
    expect(intervalText(12.4, null)).toBe('')
  })
})

test('the error of a difference is that of both readings, and never none', () => {
  const reading = { percent: 12, sampleSize: 500 }
  expect(differenceError(reading, reading)).toBeCloseTo(4.05, 1)
  expect(differenceError({ percent: 0, sampleSize: 500 }, { percent: 0, sampleSize: 500 })).toBeGreaterThan(
    0.3,
  )
})
