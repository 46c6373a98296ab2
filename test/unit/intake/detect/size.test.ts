import { expect, test } from 'vitest'
import { sizeOf } from '../../../../src/intake/detect/size.ts'
import { chance, normal } from '../../../system/detector/chance.ts'

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
