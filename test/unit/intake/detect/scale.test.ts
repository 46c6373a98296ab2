import fc from 'fast-check'
import { expect, test } from 'vitest'
import { median, upperTail } from '../../../../src/intake/detect/scale.ts'
import { runs } from '../../../support/runs.ts'

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
