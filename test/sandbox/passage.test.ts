import { expect, test } from 'vitest'
import * as z from 'zod'
import { startReceiver } from './receiver.ts'
import { startWithClock } from './started.ts'

const quarterDay = 21_600_000
const Delivery = z.object({
  type: z.string(),
  model: z.string(),
  data: z.object({ category: z.string(), delta: z.string(), detected_at: z.string() }),
})
const Published = z.object({
  metrics: z.record(z.string(), z.number()),
  trend: z.string(),
  last_updated: z.string(),
})

/** Lets so many of the world's days pass, a reading at a time, and answers what was delivered meanwhile. */
async function letPass({ days, ...options }: { seed?: number; days: number; speed: number }) {
  const receiver = await startReceiver()
  const { attempts, clock, subscribe, untilAttempts } = await startWithClock(options)
  await subscribe(receiver.url)
  for (let reading = 0; reading < days * 4; reading++) {
    const before = attempts.length
    await clock.advance(quarterDay / options.speed)
    // Beside the world, only a delivery that is under way sleeps: it waits for its time-out.
    if (attempts.length === before && clock.sleeping() > 1) await untilAttempts(before + 1)
  }
  return receiver.received.map((delivery) => Delivery.parse(JSON.parse(delivery.body.toString())))
}

test('at speed 1 the world changes about once a day, and differently for another seed', async () => {
  const deliveries = await letPass({ seed: 7, days: 40, speed: 1 })
  expect(deliveries.length).toBeGreaterThanOrEqual(30)
  expect(deliveries.length).toBeLessThanOrEqual(55)
  const types = new Set(deliveries.map(({ type, data }) => `${type}${data.delta[0]}`))
  expect(types).toEqual(new Set(['censorship_spike+', 'policy_change+', 'policy_change-']))
  expect(await letPass({ seed: 7, days: 40, speed: 1 })).toEqual(deliveries)
  expect(await letPass({ seed: 8, days: 40, speed: 1 })).not.toEqual(deliveries)
})

test('at a speed of 28,800 changes come every few seconds', async () => {
  const deliveries = await letPass({ seed: 7, days: 20, speed: 28_800 })
  const times = deliveries.map(({ data }) => Date.parse(data.detected_at))
  const gaps = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1.5)
  expect(Math.max(...gaps)).toBeLessThanOrEqual(4.5)
})

test('what the service publishes moves with what it reports', async () => {
  const receiver = await startReceiver()
  const { ask, attempts, clock, subscribe, untilAttempts } = await startWithClock({ speed: 1 })
  await subscribe(receiver.url, { models: ['claude'] })
  const read = async () => Published.parse((await ask('GET', '/monitoring/claude/metrics')).body)
  let published = await read()
  let reported = 0
  let moved = 0
  for (let reading = 0; reading < 200 * 4; reading++) {
    const before = attempts.length
    const previous = published
    await clock.advance(quarterDay)
    if (attempts.length === before && clock.sleeping() > 1) await untilAttempts(before + 1)
    published = await read()
    if (attempts.length === before) continue
    const { data } = Delivery.parse(JSON.parse(String(receiver.received.at(-1)?.body)))
    expect(published.last_updated).toBe(data.detected_at)
    expect(published.trend).toBe(data.delta.startsWith('+') ? 'rising' : 'falling')
    if (data.category === 'social') continue
    const rate = `${data.category}_refusal_rate`
    const direction = data.delta.startsWith('+') ? 1 : -1
    reported += Math.abs(Number.parseFloat(data.delta)) / 100
    moved += direction * ((published.metrics[rate] ?? 0) - (previous.metrics[rate] ?? 0))
  }
  expect(attempts.length).toBeGreaterThan(20)
  expect(moved / reported).toBeGreaterThan(0.9)
  expect(moved / reported).toBeLessThan(1.1)
})

test('time that stands still changes nothing', async () => {
  const { ask, clock, sandbox } = await startWithClock({ speed: 0 })
  const before = await ask('GET', '/monitoring/claude/metrics')
  await clock.advance(30 * 4 * quarterDay)
  expect((await ask('GET', '/monitoring/claude/metrics')).body).toEqual(before.body)
  expect(sandbox.deliveries()).toEqual([])
})

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('a speed of %d is refused', async (speed) => {
  await expect(startWithClock({ speed })).rejects.toThrow(new RangeError('The speed must be 0 or more.'))
})
