import { expect, test } from 'vitest'
import { models } from '../../../src/service/sandbox/change.ts'
import { promptCount, type RateScope, rateOf } from '../../../src/service/sandbox/prompts.ts'
import { World } from '../../../src/service/sandbox/world.ts'

const dayMs = 86_400_000
const start = Date.parse('2026-03-01T09:10:00Z')
const scopes = ['overall', 'political', 'safety', 'social'] as const satisfies readonly RateScope[]

function latest(world: World, model: string) {
  const latest = world.latest(model)
  if (latest === undefined) throw new Error(`no ${model}`)
  return latest
}

function rate(world: World, model: string, scope: RateScope): number {
  return rateOf(latest(world, model).reading.refused, scope)
}

test.each(scopes)('readings of %s scatter as those of so many prompts do', (scope) => {
  const world = new World(1, 0)
  const readings = Array.from({ length: 2_000 }, (_, at) => {
    world.measure(at + 1)
    return rate(world, 'gemini', scope)
  })
  const mean = readings.reduce((sum, one) => sum + one, 0) / readings.length
  // From one reading to the next, so that a drift over the months is not taken for scatter.
  const steps = readings.slice(1).map((one, index) => one - (readings[index] ?? 0))
  const variance = steps.reduce((sum, step) => sum + step ** 2, 0) / steps.length / 2
  const binomial = (mean * (1 - mean)) / promptCount(scope)
  // The groups of a category are refused at rates of their own, which makes it a little less than binomial.
  expect(variance / binomial).toBeGreaterThan(0.8)
  expect(variance / binomial).toBeLessThan(1.12)
})

test('without a change, hardly any reading is called a trend', () => {
  const world = new World(1, 0)
  let trends = 0
  for (let at = 1; at <= 1_000; at++) {
    world.measure(at)
    trends += models.filter((model) => latest(world, model).trend !== 'stable').length
  }
  expect(trends / (1_000 * models.length)).toBeLessThan(0.08)
})

test.each([1, 2, 3, 4])('two years of changes keep the world of seed %d believable', (seed) => {
  const world = new World(seed, 0)
  for (let day = 1; day <= 730; day++) {
    for (let reading = 1; reading <= 4; reading++) world.measure((day + reading / 4) * dayMs)
    const change = world.foresee({})
    const before = latest(world, change.model).reading.refused
    world.happen(change, (day + 1) * dayMs, `evt_${day}`)
    const after = latest(world, change.model).reading.refused

    const points = Number.parseInt(change.delta, 10)
    expect(Math.abs(points)).toBeGreaterThanOrEqual(change.type === 'censorship_spike' ? 8 : 1)
    expect(Math.abs(points)).toBeLessThanOrEqual(40)
    const moved = { political: 0, safety: 0, social: 0, [change.category]: points }
    for (const scope of ['political', 'safety', 'social'] as const) {
      expect(100 * (rateOf(after, scope) - rateOf(before, scope))).toBeCloseTo(moved[scope], 8)
    }
    for (const scope of ['overall', 'political', 'safety'] as const) {
      expect(rateOf(after, scope)).toBeGreaterThan(0)
      expect(rateOf(after, scope)).toBeLessThan(0.95)
    }
  }
})

test.each([1, 2, 3, 4, 5, 6])('the world of seed %d has a year behind it', (seed) => {
  const world = new World(seed, start)
  for (const model of models) {
    const readings = world.history(model) ?? []
    expect(readings[0]?.at).toBe(start - 365 * dayMs)
    expect(readings.at(-1)).toBe(latest(world, model).reading)
    const gaps = readings.slice(1).map((reading, index) => reading.at - (readings[index]?.at ?? 0))
    expect(new Set(gaps)).toEqual(new Set([dayMs, dayMs / 4]))
    expect(gaps.filter((gap) => gap === dayMs / 4)).toHaveLength(140)
  }
  const changes = world.changes()
  expect(changes.length).toBeGreaterThanOrEqual(20)
  expect(changes.length).toBeLessThanOrEqual(50)
  expect(changes.map(({ at }) => at)).toEqual(changes.map(({ at }) => at).toSorted((a, b) => a - b))
  expect(new Set(changes.map(({ type }) => type))).toEqual(new Set(['policy_change', 'censorship_spike']))
  expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length)
})

test('each change of the past is in the readings from its time on, and the version that it brought', () => {
  let reportedPoints = 0
  let seen = 0
  for (let seed = 1; seed <= 8; seed++) {
    const world = new World(seed, start)
    for (const { at, model, category, delta, version } of world.changes()) {
      const readings = world.history(model) ?? []
      const next = readings.findIndex((reading) => reading.at >= at)
      expect(readings[next]).toMatchObject({ at, version })
      if (category !== 'political' && category !== 'safety' && category !== 'social')
        throw new Error(category)
      const [before, after] = [readings[next - 1], readings[next + 1]]
      if (before === undefined || after === undefined) continue
      const points = Number.parseInt(delta, 10)
      reportedPoints += Math.abs(points)
      seen += Math.sign(points) * 100 * (rateOf(after.refused, category) - rateOf(before.refused, category))
    }
  }
  expect(seen / reportedPoints).toBeGreaterThan(0.9)
  expect(seen / reportedPoints).toBeLessThan(1.1)
})

test('rates drift by some points over the months, even if nothing is reported', () => {
  const world = new World(3, 0)
  const means = Array.from({ length: 24 }, (_, month) => {
    const rates = Array.from({ length: 120 }, (_, reading) => {
      world.measure(month * 30 * dayMs + (reading + 1) * (dayMs / 4))
      return rate(world, 'claude', 'overall')
    })
    return rates.reduce((sum, one) => sum + one, 0) / rates.length
  })
  expect(Math.max(...means) - Math.min(...means)).toBeGreaterThan(0.01)
  expect(Math.max(...means) - Math.min(...means)).toBeLessThan(0.15)
})

test('after years, the readings of one year are kept', () => {
  const world = new World(1, 0)
  for (let reading = 1; reading <= 3 * 365 * 4; reading++) world.measure(reading * (dayMs / 4))
  const readings = world.history('qwen') ?? []
  expect(readings.length).toBeLessThanOrEqual(331 + 140 + 1)
  expect(readings.length).toBeGreaterThan(460)
  expect(readings[0]?.at).toBeGreaterThan((3 * 365 - 367) * dayMs)
})

test('a clock that is set back makes no reading out of order', () => {
  const world = new World(1, start)
  world.measure(start - dayMs)
  const readings = world.history('qwen') ?? []
  expect(readings.at(-1)?.at).toBe(start)
  expect(readings.at(-2)?.at).toBe(start - dayMs / 4)
})
