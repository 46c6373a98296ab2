import { expect, test } from 'vitest'
import * as z from 'zod'
import { startReceiver } from './receiver.ts'
import { start, startWithClock } from './started.ts'

const Metrics = z.object({ last_updated: z.string(), metrics: z.record(z.string(), z.number()) })
const Compared = z.object({ models: z.array(z.looseObject({ model: z.string() })) })

test('the changes of the year before are listed with what they were, and later ones with their id', async () => {
  const { control } = await startWithClock()
  await control('POST', '/events', {
    id: 'evt_1',
    type: 'policy_change',
    model: 'qwen',
    category: 'social',
    delta: 4,
  })
  const changes = z.array(z.record(z.string(), z.string())).parse((await control('GET', '/changes')).body)
  for (const change of changes) {
    expect(change).toEqual({
      id: expect.stringMatching(/^evt_/),
      at: expect.stringMatching(/^202[56]-.*Z$/),
      type: expect.stringMatching(/^(policy_change|censorship_spike)$/),
      model: expect.stringMatching(/^(chatgpt|claude|gemini|mistral|qwen)$/),
      category: expect.stringMatching(/^(political|safety|social)$/),
      delta: expect.stringMatching(/^[+-]\d+pp$/),
      version: expect.stringMatching(/^\d+\.\d$/),
    })
  }
  expect(changes.length).toBeGreaterThan(15)
  expect(changes.at(-1)).toMatchObject({ id: 'evt_1', at: start, category: 'social', delta: '+4pp' })
})

test('a hidden model is not found, and the comparison goes without it', async () => {
  const { ask, control } = await startWithClock()
  expect(await control('POST', '/world', { model: 'claude', hide: true })).toMatchObject({
    status: 200,
    body: { down: false, models: { claude: { hide: true, silent: false }, qwen: { hide: false } } },
  })
  for (const path of ['/monitoring/claude/metrics', '/monitoring/claude/history', '/bias/claude']) {
    expect((await ask('GET', path)).status).toBe(404)
  }
  const compared = async (query: string) =>
    Compared.parse((await ask('GET', `/monitoring/compare${query}`)).body).models.map(({ model }) => model)
  expect(await compared('?models=claude,qwen')).toEqual(['qwen'])
  expect(await compared('?models=claude')).toEqual([])
  expect(await compared('')).toEqual(['chatgpt', 'gemini', 'mistral', 'qwen'])
  await control('POST', '/world', { model: 'claude', hide: false })
  expect(await compared('?models=claude,qwen')).toEqual(['claude', 'qwen'])
})

test('a silent model stands still while others are read, and shows afterwards what changed meanwhile', async () => {
  const receiver = await startReceiver()
  const { ask, clock, control, subscribe } = await startWithClock()
  await subscribe(receiver.url)
  const read = async (model: string) => Metrics.parse((await ask('GET', `/monitoring/${model}/metrics`)).body)
  const before = await read('claude')
  await control('POST', '/world', { model: 'claude', silent: true })
  await clock.advance(60_000)
  await control('POST', '/events', { model: 'claude', category: 'safety', delta: 25 })
  await control('POST', '/world', { measure: true })
  await receiver.until(1)
  expect(await read('claude')).toEqual(before)
  expect((await read('qwen')).last_updated).toBe('2026-03-01T09:11:00.000Z')

  await clock.advance(60_000)
  await control('POST', '/world', { model: 'claude', silent: false, measure: true })
  const after = await read('claude')
  expect(after.last_updated).toBe('2026-03-01T09:12:00.000Z')
  const rate = 'safety_refusal_rate'
  expect((after.metrics[rate] ?? 0) - (before.metrics[rate] ?? 0)).toBeGreaterThan(0.1)
})

test('while the service is down it answers 503 to all, and delivers all the same', async () => {
  const receiver = await startReceiver()
  const { ask, control, subscribe } = await startWithClock()
  await subscribe(receiver.url)
  await control('POST', '/world', { down: true })
  for (const [method, path] of [
    ['GET', '/monitoring/compare'],
    ['GET', '/webhooks'],
    ['GET', '/nowhere'],
  ] as const) {
    expect(await ask(method, path)).toMatchObject({
      status: 503,
      body: { error: { code: 'UNAVAILABLE', message: 'The service is down for a while.' } },
    })
  }
  await control('POST', '/events', {})
  await receiver.until(1)
  await control('POST', '/world', { down: false })
  expect((await ask('GET', '/monitoring/compare')).status).toBe(200)
})

test('without a model all are meant', async () => {
  const { ask, control } = await startWithClock()
  await control('POST', '/world', { hide: true })
  expect((await ask('GET', '/monitoring/compare')).body).toEqual({
    models: [],
    last_updated: null,
    sample_size: 500,
  })
})

test.each([
  [{ model: 'llama', hide: true }, 404, 'There is no model llama.'],
  [{ hidden: true }, 400, 'The body is not as expected: Unrecognized key: "hidden".'],
])('the order %j answers %d', async (order, status, message) => {
  const { control } = await startWithClock()
  expect(await control('POST', '/world', order)).toMatchObject({ status, body: { error: { message } } })
})
