import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { noisy } from '../poll/detect/readings.ts'
import { chance } from './chance.ts'
import { fixedThreshold, ours } from './detector.ts'
import { delays, falseAlarmsPerYear, mean, partWithin, scoreYears } from './measure.ts'
import { noises, refusals, shiftOf } from './noise.ts'
import { noScore } from './score.ts'
import { simulateYear } from './year.ts'

/** Neither tuned on nor in the table of docs/detection.md, which has a thousand years; these hold its promises on fewer. */
const years = { from: 50_001, to: 50_150 }
const trials = { from: 50_001, to: 50_300 }
const few = { from: 50_001, to: 50_030 }

test('calm years have less than 0.1 false alarms', () => {
  const [score = noScore] = scoreYears(years, { noise: 'binomial', changes: false, unrest: false }, [ours])
  expect(falseAlarmsPerYear(score, years)).toBeLessThan(0.1)
})

test.each(noises)(
  'with drift, cycles, gaps and damage, %s noise, false alarms stay below 0.2 a year',
  (noise) => {
    const [score = noScore] = scoreYears(few, { noise, changes: false, unrest: true }, [ours])
    expect(falseAlarmsPerYear(score, few)).toBeLessThan(0.2)
  },
)

test('a step on all prompts is found as soon as 500 prompts can show it', () => {
  const [five, ten] = delays(
    trials,
    [
      { where: 'overall', points: 5 },
      { where: 'overall', points: 10 },
    ],
    [ours],
    0.06,
    60,
  )
  const [small, large] = [five?.detectors[0] ?? [], ten?.detectors[0] ?? []]
  expect(partWithin(large, 1)).toBeGreaterThan(0.9)
  expect(partWithin(large, 2)).toBeGreaterThan(0.99)
  expect(partWithin(small, 5)).toBeGreaterThan(0.9)
  expect(mean(large) / mean(ten?.oracle ?? [])).toBeLessThan(1.15)
  expect(mean(small) / mean(five?.oracle ?? [])).toBeLessThan(1.15)
})

test('changes of ten points and more are found among drift and damage, and little else is', () => {
  const [score = noScore, rival = noScore] = scoreYears(
    few,
    { noise: 'binomial', changes: true, unrest: true },
    [ours, fixedThreshold(1, 8)],
  )
  const large = score.steps.filter(({ change }) => Math.abs(change.points) >= 10)
  expect(large.length).toBeGreaterThan(20)
  expect(large.filter(({ delay }) => delay !== null).length / large.length).toBeGreaterThan(0.95)
  expect(score.versionsFound).toBe(score.versions)
  expect(score.right / (score.right + score.wrong + score.again)).toBeGreaterThan(0.9)
  expect(rival.right / (rival.right + rival.wrong + rival.again)).toBeLessThan(0.5)
})

test('four readings a day raise no more alarms than one', () => {
  let found = 0
  for (let seed = 1; seed <= 8; seed++) {
    const calm = Array.from({ length: 365 }, (_, index) => noisy(index - 365, 0.2, seed))
    const watch = ours(calm)()
    for (let reading = 0; reading < 4 * 365; reading++) found += watch(noisy(reading / 4, 0.2, seed)).length
  }
  expect(found).toBeLessThanOrEqual(1)
})

test('the simulation is the same for the same seed, and has the noise that it says', () => {
  const plan = { noise: 'binomial', changes: true, unrest: true } as const
  expect(simulateYear(5, plan)).toEqual(simulateYear(5, plan))
  expect(simulateYear(5, plan)).not.toEqual(simulateYear(6, plan))
  const random = chance(1, 1)
  const variances = noises.map((noise) => {
    const rates = Array.from({ length: 4000 }, () => {
      const shift = shiftOf(noise, random)
      return (['political', 'safety', 'social'] as const)
        .map((category) => refusals(noise, category, 0.2, shift, random))
        .reduce((sum, refused) => sum + refused, 0)
    })
    const middle = mean(rates)
    expect(middle).toBeCloseTo(100, -1)
    return mean(rates.map((rate) => (rate - middle) ** 2)) / (500 * 0.2 * 0.8)
  })
  expect(variances[0]).toBeCloseTo(1, 0)
  expect(variances[1]).toBeLessThan(0.5)
  expect(variances[2]).toBeGreaterThan(1.7)
})

test('the bench refuses the seeds that it is tuned on', async () => {
  const bench = promisify(execFile)(process.execPath, ['test/signal/bench.ts', '--seeds', '100001..100100'])
  await expect(bench).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('below 100001') })
})
