import { expect, test } from 'vitest'
import { pastSteps } from '../../../../src/intake/poll/past-steps.ts'
import { dayMs } from '../../../../src/platform/durations.ts'

const start = Date.UTC(2026, 7, 1, 12)
/** Readings of 500 prompts that move by chance as little as they must. */
const days = (percentOn: (day: number) => number) =>
  Array.from({ length: 90 }, (_, day) => ({
    at: start + day * dayMs,
    percent: percentOn(day) + ([0.4, -1.2, 0.8, -0.2, 1.4, -1][day % 6] ?? 0),
    sampleSize: 500,
  }))

test('a step of the past is seen, with its day and size; calm readings have none', () => {
  const [step, ...more] = pastSteps(
    days((day) => (day < 60 ? 20 : 35)),
    'political',
  )
  expect(more).toEqual([])
  expect(step?.at).toBe(start + 60 * dayMs)
  expect(step?.points).toBeGreaterThan(12)
  expect(
    pastSteps(
      days(() => 20),
      'overall',
    ),
  ).toEqual([])
  expect(pastSteps([], 'overall')).toEqual([])
})
