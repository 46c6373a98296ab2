import { expect, test } from 'vitest'
import { Baseline } from '../../../../src/intake/detect/baseline.ts'
import { perRate } from '../../../../src/intake/detect/observation.ts'

const none = perRate(() => 0)
const bin = { from: 0, to: 0, readings: 1, epoch: 0, weight: none, sum: none }

/** Forty readings of 500 prompts whose slope is so many of its standard errors, and a reading ten days later. */
function explained(errors: number): number {
  const base = new Baseline(0, 1)
  const days = Array.from({ length: 40 }, (_, index) => index - 50)
  const spread = 500 * days.reduce((sum, day) => sum + (day + 30.5) ** 2, 0)
  const slope = errors / Math.sqrt(spread)
  for (const day of days) base.add({ bin, weight: 500, day, value: slope * (day + 30.5) })
  return base.compare(0.2, 0).drift
}

test('a slope within two of its standard errors explains nothing of a step, a clear one nearly all that lies ahead', () => {
  expect(explained(1.9)).toBe(0)
  expect(explained(6)).toBeGreaterThan(0.05)
})
