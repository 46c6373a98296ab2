import { afterEach, beforeEach, expect, test } from 'vitest'
import { json, type Script } from '../../service/client/scripted-service.ts'
import { type Desk, existing, hour, openDesk, quiet } from './setup.ts'

let desk: Desk

beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

const fails =
  (status: number, body: unknown = {}): Script =>
  (_, response) => {
    json(response, status, body)
    return 'answered'
  }

/** The keeper at work, and how long it chose to sleep after each look, in milliseconds. */
function startKeeper(tier = 100) {
  const slept: number[] = []
  const { clock } = desk
  const keeper = desk.keeper({
    tier,
    clock: {
      now: clock.now,
      sleep(milliseconds, signal) {
        slept.push(milliseconds)
        return clock.sleep(milliseconds, signal)
      },
    },
  })
  keeper.start()

  async function looks(count: number): Promise<void> {
    await expect.poll(() => slept.length).toBe(count)
  }

  /** Waits for the end of the look under way, then moves the time to the next ones, and waits for their ends. */
  async function nextLooks(count: number): Promise<number[]> {
    await expect.poll(() => clock.sleeping()).toBe(1)
    const first = slept.length - 1
    for (let look = first; look < first + count; look++) {
      const count = desk.service.received.length
      await clock.advance((slept[look] ?? 0) - 1)
      expect(desk.service.received.length).toBe(count)
      await clock.advance(1)
      await looks(look + 2)
      expect(desk.service.received.length).toBeGreaterThan(count)
    }
    return slept.slice(first, first + count)
  }
  return { keeper, looks, nextLooks }
}

test.each([
  { tier: 20, minutes: 30 },
  { tier: 100, minutes: 6 },
  { tier: 10_000, minutes: 5 },
])(
  'of $tier requests an hour, the subscription is looked at at the start and every $minutes minutes',
  async ({ tier, minutes }) => {
    const { keeper, nextLooks } = startKeeper(tier)
    expect(keeper.status().state).toBe('unknown')
    expect(await nextLooks(2)).toEqual([minutes * 60_000, minutes * 60_000])
    expect(desk.service.asked()).toEqual([
      'GET /webhooks',
      'POST /webhooks',
      'GET /webhooks',
      'GET /webhooks',
    ])
  },
)

test('one that goes in the meantime is back when nothing was delivered for a while', async () => {
  const { keeper, looks } = startKeeper()
  await looks(1)
  desk.service.subscriptions.clear()
  keeper.delivered()
  await desk.clock.advance(quiet)
  expect(existing(desk)).toEqual([])
  await desk.clock.advance(quiet)
  await expect.poll(() => existing(desk)).toEqual(['wh_2'])
})

test('while deliveries come, which the service sends to a subscription alone, it is looked at every hour', async () => {
  const { keeper, looks } = startKeeper()
  await looks(1)
  const count = desk.service.received.length
  for (let passed = quiet; passed < hour; passed += quiet) {
    keeper.delivered()
    await desk.clock.advance(quiet)
  }
  expect(desk.service.received).toHaveLength(count)
  keeper.delivered()
  await desk.clock.advance(quiet)
  await expect.poll(() => desk.service.received.length).toBe(count + 1)
})

test('a service that is away is asked after 5 s, doubling to 5 min, and as ever when it is back', async () => {
  desk.service.script = fails(503)
  const { keeper, nextLooks } = startKeeper()
  expect(await nextLooks(8)).toEqual([5, 10, 20, 40, 80, 160, 300, 300].map((seconds) => seconds * 1_000))
  const since = '2026-03-01T12:00:00.000Z'
  expect(keeper.status()).toMatchObject({ state: 'unreachable', since, why: expect.stringContaining('503') })
  expect(desk.statuses).toHaveLength(1)
  desk.service.script = () => undefined
  expect(await nextLooks(2)).toEqual([300_000, quiet])
  expect(desk.statuses.map(({ state }) => state)).toEqual(['unreachable', 'active'])
  desk.service.script = fails(503)
  expect(await nextLooks(2)).toEqual([quiet, 5_000])
  expect(keeper.status()).not.toMatchObject({ since })
})

test.each([
  { asked: 90, waited: 90_000 },
  { asked: 0, waited: 5_000 },
  { asked: 1e9, waited: hour },
])('a rate limit that asks for $asked s is asked again after $waited ms', async ({ asked, waited }) => {
  desk.service.script = fails(429, { error: { code: 'RATE_LIMIT_EXCEEDED', retry_after: asked } })
  const { keeper, nextLooks } = startKeeper()
  expect(await nextLooks(1)).toEqual([waited])
  expect(keeper.status()).toMatchObject({ state: 'unreachable', why: expect.stringContaining('429') })
})

test.each([
  { status: 401, says: 'monitor.apiKey' },
  { status: 403, says: 'webhooks.write' },
])('status $status is refused, and says what to do; a new key is noticed', async ({ status, says }) => {
  desk.service.script = fails(status)
  const { keeper, looks, nextLooks } = startKeeper()
  await looks(1)
  expect(keeper.status()).toMatchObject({ state: 'refused', why: expect.stringContaining(says) })
  desk.service.script = () => undefined
  expect(await nextLooks(1)).toEqual([5_000])
  expect(keeper.status()).toMatchObject({ state: 'active' })
})

test('a URL that the service does not accept is refused, with its words', async () => {
  desk.service.script = (received, response) =>
    received.method === 'POST'
      ? fails(400, { error: { code: 'INVALID_URL', message: 'url must be https' } })(received, response)
      : undefined
  const status = await desk.keeper().ensureNow()
  expect(status).toMatchObject({ state: 'refused', why: expect.stringContaining('url must be https') })
})

test('HTML in place of the list is unreachable, and creates nothing', async () => {
  desk.service.script = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    return 'answered'
  }
  expect(await desk.keeper().ensureNow()).toMatchObject({
    state: 'unreachable',
    why: expect.stringContaining('HTML'),
  })
  expect(desk.service.asked()).toEqual(['GET /webhooks'])
})

test('a stop ends the waiting for a service that hangs, and leaves the status as it was', async () => {
  desk.service.script = () => 'answered'
  const keeper = desk.keeper()
  keeper.start()
  await expect.poll(() => desk.service.received.length).toBe(1)
  await keeper.stop()
  expect(desk.statuses).toEqual([])
  expect(await keeper.ensureNow()).toMatchObject({ state: 'unknown' })
  expect(desk.service.received).toHaveLength(1)
})

test('a stop during a creation waits until its secret is on disk, and leaves the old one to the next start', async () => {
  desk.service.add({})
  const gate = Promise.withResolvers<void>()
  desk.service.script = async ({ method }) => {
    if (method === 'POST') await gate.promise
    return undefined
  }
  const keeper = desk.keeper()
  keeper.start()
  await expect.poll(() => desk.service.asked()).toContain('POST /webhooks')
  const stopped = keeper.stop()
  gate.resolve()
  await stopped
  expect(desk.disk.value).toMatchObject({ current: { id: 'wh_2', secret: desk.service.secretOf('wh_2') } })
  expect(existing(desk)).toEqual(['wh_1', 'wh_2'])
  await desk.keeper().ensureNow()
  expect(existing(desk)).toEqual(['wh_2'])
})
