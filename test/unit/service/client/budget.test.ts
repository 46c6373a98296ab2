import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { grantRequest, rateOf, type Share, tierOf } from '../../../../src/service/client/bucket.ts'
import {
  createBudget,
  fileBudgetStore,
  memoryBudgetStore,
  rememberedBudgetStore,
} from '../../../../src/service/client/budget.ts'
import { BudgetSpent, RateLimited } from '../../../../src/service/client/errors.ts'
import { runs } from '../../../support/runs.ts'

const hour = 3_600_000
const start = Date.parse('2026-03-01T12:00:00Z')

/** A machine whose wall clock can be set, and whose uptime cannot. */
function machine() {
  const world = { wall: start, uptime: 1_000_000, trueTime: 0 }
  return {
    world,
    clock: { now: () => world.wall, uptime: () => world.uptime, sleep: async () => {} },
    pass(milliseconds: number) {
      world.wall += milliseconds
      world.uptime += milliseconds
      world.trueTime += milliseconds
    },
  }
}

function memoryDisk() {
  let stored: unknown
  return {
    read: async () => structuredClone(stored),
    async change(change: (before: unknown) => unknown) {
      stored = structuredClone(change(structuredClone(stored)) ?? stored)
    },
  }
}

async function granted(budget: { take(): Promise<void> }): Promise<boolean> {
  return budget.take().then(
    () => true,
    (error: unknown) => {
      if (error instanceof RateLimited) return false
      throw error
    },
  )
}

/** The most that fell within any hour. */
function mostInAnHour(times: readonly number[]): number {
  let first = 0
  let most = 0
  times.forEach((time, index) => {
    while (time - (times[first] ?? 0) >= hour) first += 1
    most = Math.max(most, index - first + 1)
  })
  return most
}

describe('in any hour of weeks, no more than the share is spent', () => {
  const usual = [
    {
      weight: 8,
      arbitrary: fc.record({ pass: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 90_000 })) }),
    },
    { weight: 2, arbitrary: fc.record({ pass: fc.integer({ min: 0, max: 3 * 24 * hour }) }) },
    { weight: 1, arbitrary: fc.record({ restart: fc.constantFrom('process', 'machine') }) },
    { weight: 1, arbitrary: fc.record({ told: fc.integer({ min: -5, max: 2 * hour }) }) },
    { weight: 4, arbitrary: fc.record({ asks: fc.integer({ min: 1, max: 4_000 }) }) },
  ]
  const setClock = fc.record({ setClock: fc.integer({ min: -48 * hour, max: 48 * hour }) })
  const moved = fc.record({ moved: fc.integer({ min: 0, max: 400 * 24 * hour }) })
  // Either the clock is set or the folder is taken to another machine: both at once could win a request.
  const histories = fc.oneof(
    ...[setClock, moved].map((arbitrary) =>
      fc.array(fc.oneof(...usual, { weight: 2, arbitrary }), { minLength: 30, maxLength: 120 }),
    ),
  )

  test.each([
    { tier: 100, share: 'service', most: 75 },
    { tier: 100, share: 'people', most: 25 },
    { tier: 10, share: 'people', most: 2 },
    { tier: 1_000, share: 'service', most: 750 },
    { tier: 4_000, share: 'all', most: 4_000 },
  ] as { tier: number; share: Share; most: number }[])(
    '$share of $tier',
    async ({ tier, share, most }) => {
      await fc.assert(
        fc.asyncProperty(histories, async (steps) => {
          const { world, clock, pass } = machine()
          const disk = memoryDisk()
          const open = () =>
            createBudget({ tier, share, budgetStore: rememberedBudgetStore(disk, clock), clock })
          let budget = open()
          const spent: number[] = []
          for (const step of steps) {
            if ('pass' in step) pass(step.pass)
            if ('setClock' in step) world.wall += step.setClock
            if ('restart' in step) {
              if (step.restart === 'machine') {
                pass(60_000)
                world.uptime = 20_000
              }
              budget = open()
            }
            // The folder is taken to a machine that has been up for longer.
            if ('moved' in step) world.uptime += step.moved
            if ('told' in step) await budget.told(step.told)
            const asks = 'asks' in step ? step.asks : 1
            for (let ask = 0; ask < asks && (await granted(budget)); ask++) spent.push(world.trueTime)
          }
          expect(mostInAnHour(spent)).toBeLessThanOrEqual(most)
        }),
        runs(),
      )
      expect.hasAssertions()
    },
    300_000,
  )
})

test('asked without a pause for a simulated week, nearly all of the share is given', async () => {
  const { world, clock, pass } = machine()
  const budget = createBudget({ tier: 100, share: 'service', budgetStore: memoryBudgetStore(), clock })
  const spent: number[] = []
  for (let second = 0; second < 7 * 24 * 3_600; second += 20) {
    if (await granted(budget)) spent.push(world.trueTime)
    pass(20_000)
  }
  expect(mostInAnHour(spent)).toBeLessThanOrEqual(75)
  expect(spent.length / (7 * 24)).toBeGreaterThan(55)
})

test('the shares of people and of the service are the tier together', () => {
  for (const tier of [10, 11, 99, 100, 1_000, 10_000, 123_457].map(tierOf)) {
    const sum = (['service', 'people'] as const).map((share) => rateOf(tier, share))
    const most = sum.reduce((total, { burst, perHour }) => total + burst + perHour, 0)
    expect(most).toBeLessThanOrEqual(tier)
    for (const { burst, perHour } of sum) expect(Math.min(burst, perHour)).toBeGreaterThan(0)
  }
})

test('who asks at the time that was named gets a request', () => {
  const rate = rateOf(100, 'people')
  let now = { wallMs: start, uptimeMs: 0 }
  let taken = grantRequest(undefined, rate, now)
  while (taken.verdict === 'granted') taken = grantRequest(taken.bucket, rate, now)
  now = { wallMs: now.wallMs + taken.waitMs, uptimeMs: taken.waitMs }
  expect(grantRequest(taken.bucket, rate, now).verdict).toBe('granted')
})

test('a spent budget says whose it was, and when there will be a request again', async () => {
  const { clock } = machine()
  const budget = createBudget({ tier: 10, share: 'people', budgetStore: memoryBudgetStore(), clock })
  await budget.take()
  const error: unknown = await budget.take().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(BudgetSpent)
  expect(error).toMatchObject({ name: 'BudgetSpent', retryAfterMs: 3_660_000 })
  expect(String(error)).toContain('reserved for people’s questions is used up. Try again in 3660 s')
})

test.each([
  { retryAfter: 90_000, waits: 90_000 },
  { retryAfter: undefined, waits: 60_000 },
  { retryAfter: 1e12, waits: hour },
])(
  'after a 429 with $retryAfter ms, no request leaves for $waits ms, even after a restart',
  async ({ retryAfter, waits }) => {
    const { clock, pass } = machine()
    const disk = memoryDisk()
    const open = () =>
      createBudget({ tier: undefined, share: 'all', budgetStore: rememberedBudgetStore(disk, clock), clock })
    await open().told(retryAfter)
    pass(waits - 1_000)
    const error: unknown = await open()
      .take()
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'RateLimited', retryAfterMs: 1_000 })
    pass(1_000)
    await expect(open().take()).resolves.toBeUndefined()
  },
)

test('what is stored and does not read is an empty bucket; a disk that fails does not stop requests', async () => {
  const { clock } = machine()
  const garbage = {
    read: async () => 'garbage',
    change: async (change: (before: unknown) => unknown) => void change('garbage'),
  }
  expect(
    await granted(
      createBudget({
        tier: 100,
        share: 'service',
        budgetStore: rememberedBudgetStore(garbage, clock),
        clock,
      }),
    ),
  ).toBe(false)
  const full = {
    read: async () => undefined,
    async change(change: (before: unknown) => unknown) {
      change(undefined)
      throw new Error('ENOSPC')
    },
  }
  const budget = createBudget({
    tier: 100,
    share: 'service',
    budgetStore: rememberedBudgetStore(full, clock),
    clock,
  })
  const grants = []
  for (let ask = 0; ask < 20; ask++) grants.push(await granted(budget))
  expect(grants.filter(Boolean)).toHaveLength(15)
})

test('two processes at one store spend its bucket once', async () => {
  const { clock } = machine()
  const disk = memoryDisk()
  const open = () =>
    createBudget({ tier: 100, share: 'service', budgetStore: rememberedBudgetStore(disk, clock), clock })
  const [one, other] = [open(), open()]
  const grants: boolean[] = []
  for (let ask = 0; ask < 12; ask++) grants.push(await granted(one), await granted(other))
  expect(grants.filter(Boolean)).toHaveLength(15)
  await one.told(90_000)
  await expect(other.take()).rejects.toMatchObject({ name: 'RateLimited', retryAfterMs: 90_000 })
})

test('two machines win no request by clocks that differ, asking in turn', async () => {
  const [one, other] = [machine(), machine()]
  other.world.wall += 2_000
  other.world.uptime = 60_000
  const disk = memoryDisk()
  const budgets = [one, other].map(({ clock }) =>
    createBudget({ tier: 1_000, share: 'service', budgetStore: rememberedBudgetStore(disk, clock), clock }),
  )
  let grants = 0
  for (let ask = 0; ask < 3_600; ask += 1) {
    one.pass(500)
    other.pass(500)
    for (const budget of budgets) if (await granted(budget)) grants += 1
  }
  // What is there at first, and what half an hour gives back.
  expect(grants).toBeGreaterThan(400)
  expect(grants).toBeLessThanOrEqual(150 + 300)
})

describe('the bucket that commands share through a file', () => {
  const newFolder = () => mkdtempSync(join(tmpdir(), 'budget-'))

  test.each(['a folder that is not there', 'a file that is something else'])(
    'is in memory beside %s',
    async (what) => {
      const { clock } = machine()
      const folder = what.startsWith('a folder') ? join(newFolder(), 'x') : newFolder()
      const text = 'not a database, in spite of its name'.repeat(50)
      if (what.startsWith('a file')) writeFileSync(join(folder, 'people-budget.sqlite'), text)
      const budget = createBudget({
        tier: 10,
        share: 'people',
        budgetStore: fileBudgetStore(folder, clock),
        clock,
      })
      expect([await granted(budget), await granted(budget)]).toEqual([true, false])
    },
  )
})
