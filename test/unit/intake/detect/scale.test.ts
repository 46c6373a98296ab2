import fc from 'fast-check'
import { expect, test } from 'vitest'
import { median, sizeOf, upperTail } from '../../../../src/intake/detect/scale.ts'
import { runs } from '../../../support/runs.ts'
import { chance, normal } from '../../../system/detector/chance.ts'

test('the median is what sorting gives, with equal values and of an even number too', () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.double({ noNaN: true, min: -1e6, max: 1e6 }))
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 70 }), (values) => {
      const sorted = values.toSorted((one, other) => one - other)
      const half = sorted.length / 2
      const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1)
      expect(median(values)).toBeCloseTo(middle.reduce((sum, one) => sum + one, 0) / middle.length, 9)
    }),
    runs(),
  )
  expect(median([])).toBe(0)
})

test('the median leaves the list as it was', () => {
  const values = [3, 1, 2]
  median(values)
  expect(values).toEqual([3, 1, 2])
})

test.each([
  [0, 0.5],
  [1.96, 0.0249979],
  [3.75, 8.84173e-5],
  [5.2, 9.96443e-8],
  [-1.96, 0.9750021],
])('a standard normal value exceeds %d with the chance %d', (value, chance) => {
  expect(upperTail(value) / chance).toBeCloseTo(1, 4)
})

test('a step far above its threshold is as large as it was seen, and one that is only just found is smaller', () => {
  const far = sizeOf(9, 3.7)
  expect(far.size).toBeCloseTo(9, 2)
  expect(far.from).toBeCloseTo(9 - 1.96, 1)
  expect(far.to).toBeCloseTo(9 + 1.96, 1)
  const near = sizeOf(3.8, 3.7)
  expect(near.size).toBeLessThan(2.5)
  expect(near.from).toBe(0)
  expect(near.to).toBeGreaterThan(3.8)
})

test('what does not exceed the threshold was not selected, and a size always lies within its interval', () => {
  expect(sizeOf(2, 3.75)).toMatchObject({ size: 2, from: expect.closeTo(0.04), to: expect.closeTo(3.96) })
  for (const seen of [0.5, 3.7, 3.71, 3.8, 4.5, 9]) {
    const { size, from, to } = sizeOf(seen, 3.7)
    expect(from).toBeLessThanOrEqual(size)
    expect(to).toBeGreaterThan(size)
  }
})

test('the interval has the true size in 95 of a hundred steps that were found, and the mean is nearer to it', () => {
  const random = chance(3, 3)
  for (const truth of [2.5, 4, 6]) {
    let [found, covered, seenSum, sizeSum] = [0, 0, 0, 0]
    for (let trial = 0; trial < 40_000 && found < 1_000; trial++) {
      const seen = truth + normal(random)
      if (seen < 3.7) continue
      const { size, from, to } = sizeOf(seen, 3.7)
      found += 1
      seenSum += seen
      sizeSum += size
      if (from <= truth && truth <= to) covered += 1
    }
    expect(covered / found).toBeGreaterThan(0.93)
    expect(Math.abs(sizeSum / found - truth)).toBeLessThanOrEqual(Math.abs(seenSum / found - truth) + 0.05)
  }
})
