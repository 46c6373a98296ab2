import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inWords, planFor, planInWords } from '../../../../src/intake/poll/plan.ts'
import { rateOf } from '../../../../src/service/client/bucket.ts'
import { runs } from '../../../support/runs.ts'

const free = { tier: 100, models: 5, compare: true, alerts: false }

test('on the free tier a change is seen within two minutes where compare serves, social within the hour', () => {
  const plan = planFor(free)
  expect(plan).toMatchObject({ figuresMs: { full: 100_000 }, historyMs: 3_600_000 })
  expect(plan.requestsPerHour).toBeLessThan(plan.perHour)
})

test('with alerts the list is read within two minutes, and the figures corroborate', () => {
  const plan = planFor({ ...free, alerts: true })
  expect(plan.alertsMs?.full).toBeLessThanOrEqual(120_000)
  expect(plan.figuresMs.full).toBe(5 * (plan.alertsMs?.full ?? 0))
})

test('without compare the models are asked by turns', () => {
  const plan = planFor({ ...free, compare: false })
  expect(plan.by).toBe('metrics')
  expect(plan.figuresMs.full).toBeLessThan(9 * 60_000)
})

test('no plan spends more than the share of any tier, at full rate and as a cross-check', () => {
  const input = fc.record({
    tier: fc.integer({ min: 20, max: 10_000_000 }),
    models: fc.integer({ min: 1, max: 5 }),
    compare: fc.boolean(),
    alerts: fc.boolean(),
    fastestMs: fc.option(fc.integer({ min: 10_000, max: 86_400_000 }), { nil: undefined }),
  })
  fc.assert(
    fc.property(input, (asked) => {
      const plan = planFor(asked)
      const each = asked.compare ? 1 : asked.models
      const spent = (mode: 'full' | 'slow') =>
        (3_600_000 / plan.figuresMs[mode]) * each +
        (plan.alertsMs === null ? 0 : 3_600_000 / plan.alertsMs[mode]) +
        (3_600_000 / plan.historyMs) * asked.models
      const { perHour } = rateOf(asked.tier, 'service')
      expect(spent('full')).toBeLessThanOrEqual(perHour)
      expect(spent('slow')).toBeLessThanOrEqual(perHour)
      expect(plan.figuresMs.full).toBeGreaterThanOrEqual(asked.fastestMs ?? 60_000)
    }),
    runs(),
  )
})

test('people read the plan in words, model by model', () => {
  expect(planInWords(planFor(free), ['claude'])).toEqual([
    'at full rate up to 53 of 59 requests an hour; as a cross-check each model every 15 min',
    'claude: at full rate a new figure is read within 1 min 40 s, by compare; social within 1 h, by history',
  ])
  expect([0, 59_000, 3_660_000].map(inWords)).toEqual(['0 s', '59 s', '1 h 1 min'])
})
