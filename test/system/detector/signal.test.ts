import { expect, test } from 'vitest'
import { ours } from './detector.ts'
import { delaysOf, scoreYears } from './measure.ts'
import { noScore } from './score.ts'

/** Five of the years and trials that test/night/detector holds each promise of docs/internals/detection.md on. */
const five = { from: 50_001, to: 50_005 }

test('five calm years have one false alarm at most', () => {
  const [score = noScore] = scoreYears(five, { noise: 'binomial', changes: false, unrest: false }, [ours])
  expect(score.wrong + score.again).toBeLessThanOrEqual(1)
})

test('a rise and a fall of ten points on all prompts are found within two readings', () => {
  const steps = [10, -10].map((points) => ({ where: 'overall' as const, points }))
  for (const delays of delaysOf(five, steps, ours)) expect(Math.max(...delays)).toBeLessThanOrEqual(2)
})
