import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { startReceiver } from './receiver.ts'
import { start, startWithClock } from './started.ts'

const quarterDay = 21_600_000
const Delivery = z.object({
  type: z.string(),
  model: z.string(),
  data: z.object({ category: z.string(), delta: z.string(), detected_at: z.string() }),
})
const History = z.object({ history: z.array(z.record(z.string(), z.union([z.string(), z.number()]))) })
const Changes = z.array(z.object({ id: z.string(), at: z.string() }))
const Published = z.object({
  version: z.string(),
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

test('what the service publishes moves with what it reports, as its history shows', async () => {
  const receiver = await startReceiver()
  const { ask, attempts, clock, subscribe, untilAttempts } = await startWithClock({ speed: 1 })
  await subscribe(receiver.url)
  let reported = 0
  let moved = 0
  for (let reading = 0; reading < 150 * 4; reading++) {
    const before = attempts.length
    await clock.advance(quarterDay)
    if (attempts.length === before && clock.sleeping() > 1) await untilAttempts(before + 1)
    if (attempts.length === before) continue
    const { model, data } = Delivery.parse(JSON.parse(String(receiver.received.at(-1)?.body)))
    const metrics = Published.parse((await ask('GET', `/monitoring/${model}/metrics`)).body)
    expect(metrics.last_updated).toBe(data.detected_at)
    expect(metrics.trend).toBe(data.delta.startsWith('+') ? 'rising' : 'falling')
    const history = await ask('GET', `/monitoring/${model}/history?period=7d`)
    const { history: points } = History.parse(history.body)
    const [previous, last] = points.slice(-2)
    expect(last).toMatchObject({
      timestamp: data.detected_at,
      version: metrics.version,
      political_refusal_rate: metrics.metrics.political_refusal_rate,
      safety_refusal_rate: metrics.metrics.safety_refusal_rate,
      overall_refusal_rate: metrics.metrics.overall_refusal_rate,
    })
    const rate = `${data.category}_refusal_rate`
    const direction = data.delta.startsWith('+') ? 1 : -1
    reported += Math.abs(Number.parseFloat(data.delta)) / 100
    moved += direction * (Number(last?.[rate]) - Number(previous?.[rate]))
  }
  expect(attempts.length).toBeGreaterThan(100)
  // The readings scatter by 3 to 4 percentage points, which leaves 3% to chance in so many.
  expect(moved / reported).toBeGreaterThan(0.9)
  expect(moved / reported).toBeLessThan(1.1)
})

test('in half a year of simulated days there is a reading for each quarter of a day', async () => {
  const { ask, clock } = await startWithClock({ speed: 1 })
  await clock.advance(180 * 4 * quarterDay)
  const end = Date.parse(start) + 180 * 4 * quarterDay
  const read = async (period: string) => {
    const answer = await ask('GET', `/monitoring/qwen/history?period=${period}&category=social`)
    return History.parse(answer.body).history.map(
      ({ timestamp }) => (end - Date.parse(String(timestamp))) / quarterDay,
    )
  }
  expect(await read('30d')).toEqual(Array.from({ length: 121 }, (_, index) => 120 - index))
  const year = await read('1y')
  const older = year.slice(0, -140)
  const days = older.map((ago) => Math.floor((end - ago * quarterDay) / (4 * quarterDay)))
  expect(days).toEqual(Array.from({ length: older.length }, (_, index) => (days[0] ?? 0) + index))
  expect(year[0]).toBeGreaterThan(4 * 364)
})

/** Sets the clock of a sandbox ahead, as a machine that slept does, and answers what it made up for. */
async function leap(quarterDays: number) {
  const { ask, clock, control } = await startWithClock({ speed: 1 })
  const now = Date.parse(start) + quarterDays * quarterDay
  clock.set(now)
  await clock.advance(quarterDay)
  const read = async () =>
    History.parse((await ask('GET', '/monitoring/qwen/history?period=90d')).body).history
  const timesOf = (history: readonly Record<string, unknown>[]) =>
    history.map(({ timestamp }) => Date.parse(String(timestamp)))
  await vi.waitFor(async () => expect(timesOf(await read()).at(-1)).toBe(now + quarterDay))
  const times = timesOf(await read())
  const gaps = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / quarterDay)
  const changes = Changes.parse((await control('GET', '/changes')).body).filter(({ at }) => at > start)
  return { gaps, changes }
}

test('readings that the clock leapt over are made up for, each at its own time', async () => {
  const { gaps, changes } = await leap(40)
  expect(gaps.slice(-139)).toEqual(Array(139).fill(1))
  expect(changes.length).toBeGreaterThanOrEqual(6)
  expect(new Set(changes.map(({ at }) => at)).size).toBe(changes.length)
})

test('a leap of years is not made up for in full', async () => {
  const { gaps, changes } = await leap(5 * 365 * 4)
  expect(gaps.slice(-139)).toEqual(Array(139).fill(1))
  expect(changes.length).toBeLessThan(60)
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
