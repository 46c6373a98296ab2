import { afterAll, expect, test } from 'vitest'
import * as z from 'zod'
import { createBudget, memoryBudgetStore } from '../../../src/service/client/budget.ts'
import { BudgetSpent, MonitorClient, NotFound } from '../../../src/service/client/client.ts'
import { seededRandom } from '../../../src/service/sandbox/random.ts'
import { countPairs, coverPairs } from '../../system/dialects/covering.ts'
import { type Month, monthOf } from '../../system/dialects/month.ts'
import { dialectOf, dimensions } from '../../system/dialects/scene.ts'
import { walk } from '../../system/dialects/walk.ts'
import { startWithClock } from '../../system/sandbox/started.ts'

const cases = coverPairs(dimensions, seededRandom(1, 'walk'))
const months: Month[] = []

afterAll(() => {
  const pairs = countPairs(dimensions).toLocaleString('en')
  const requests = months.reduce((sum, month) => sum + month.asked, 0).toLocaleString('en')
  const refused = months.reduce((sum, month) => sum + month.refused, 0)
  process.stdout.write(
    `${cases.length} dialects cover all ${pairs} pairs of ${dimensions.length} dimensions; of ${requests} requests in a month of each, ${refused} were refused\n`,
  )
})

test.each(cases.map((chosen, index) => ({ chosen, number: index + 1 })))(
  `client and receiver understand dialect $number of ${cases.length}`,
  async ({ chosen }) => {
    await expect(walk(chosen, 7)).resolves.toBeUndefined()
  },
)

test('a month of requests with the whole budget exceeds the tier in no dialect', () => {
  for (const [index, chosen] of cases.entries()) {
    months.push(monthOf(dialectOf(chosen), seededRandom(index, 'month')))
  }
  expect(Math.max(...months.map(({ refused }) => refused))).toBe(0)
  expect(Math.max(...months.map(({ most }) => most))).toBeLessThanOrEqual(100)
  // Of the 72,000 that the tier has in a month: the budget is no stricter than it must be.
  expect(Math.min(...months.map(({ asked }) => asked))).toBeGreaterThan(30_000)
})

const Requests = z.object({
  mostInAnHour: z.object({ 'sandbox-free': z.number() }),
  requests: z.array(z.object({ status: z.number().nullable() })),
})

test.each(['fixed', 'sliding'] as const)(
  'over HTTP, a day of requests with the whole budget is never refused if the hour is %s',
  async (window) => {
    const { sandbox, clock, control } = await startWithClock({ dialect: { 'limit-window': window } })
    const [service, people] = (['service', 'people'] as const).map((share) => {
      const budget = createBudget({ tier: 100, share, budgetStore: memoryBudgetStore(), clock })
      return new MonitorClient({ baseUrl: sandbox.url, apiKey: 'sandbox-free', budget, clock, tries: 1 })
    })
    const random = seededRandom(1, window)
    for (let minutes = 0; minutes < 24 * 60; ) {
      await spend(random() < 0.2 ? people : service)
      const pass = Math.ceil(random() * 20)
      minutes += pass
      await clock.advance(pass * 60_000)
    }
    const { body } = await control('GET', '/requests')
    const { mostInAnHour, requests } = Requests.parse(body)
    expect(mostInAnHour['sandbox-free']).toBeLessThanOrEqual(100)
    expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([404]))
    expect(requests.length).toBeGreaterThan(1_000)
  },
)

/** Asks until the budget gives no more. */
async function spend(client: MonitorClient | undefined): Promise<void> {
  for (;;) {
    const error: unknown = await client?.getWebhook('wh_nobody').catch((one: unknown) => one)
    if (error instanceof BudgetSpent) return
    expect(error).toBeInstanceOf(NotFound)
  }
}
