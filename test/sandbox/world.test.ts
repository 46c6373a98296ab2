import { expect, test } from 'vitest'
import { models } from '../../src/sandbox/change.ts'
import { World } from '../../src/sandbox/world.ts'

const rates = ['overall_refusal_rate', 'political_refusal_rate', 'safety_refusal_rate'] as const

function published(world: World, model: string) {
  const metrics = world.metrics(model)
  if (metrics === undefined) throw new Error(`no ${model}`)
  return metrics
}

test('readings scatter as those of 500 prompts do', () => {
  const world = new World(1, 0)
  const readings = Array.from({ length: 2_000 }, (_, at) => {
    world.measure(at)
    return published(world, 'gemini').metrics.political_refusal_rate
  })
  const mean = readings.reduce((sum, rate) => sum + rate, 0) / readings.length
  const variance = readings.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / readings.length
  const binomial = (mean * (1 - mean)) / 200
  expect(variance / binomial).toBeGreaterThan(0.85)
  expect(variance / binomial).toBeLessThan(1.15)
})

test('without a change, hardly any reading is called a trend', () => {
  const world = new World(1, 0)
  let trends = 0
  for (let at = 0; at < 1_000; at++) {
    world.measure(at)
    trends += models.filter((model) => published(world, model).trend !== 'stable').length
  }
  expect(trends / (1_000 * models.length)).toBeLessThan(0.08)
})

test.each([1, 2, 3, 4])('two years of changes keep the world of seed %d believable', (seed) => {
  const world = new World(seed, 0)
  for (let day = 0; day < 730; day++) {
    for (let reading = 0; reading < 4; reading++) world.measure(day)
    const change = world.foresee({})
    const before = published(world, change.model).metrics
    world.happen(change, day)
    const after = published(world, change.model).metrics

    const points = Number.parseInt(change.delta, 10)
    expect(Math.abs(points)).toBeGreaterThanOrEqual(change.type === 'censorship_spike' ? 8 : 1)
    expect(Math.abs(points)).toBeLessThanOrEqual(40)
    const moved = { political: 0, safety: 0, [change.category]: points }
    expect(100 * (after.political_refusal_rate - before.political_refusal_rate)).toBeCloseTo(
      moved.political,
      8,
    )
    expect(100 * (after.safety_refusal_rate - before.safety_refusal_rate)).toBeCloseTo(moved.safety, 8)
    for (const rate of rates) {
      expect(after[rate]).toBeGreaterThan(0)
      expect(after[rate]).toBeLessThan(0.95)
    }
  }
})
