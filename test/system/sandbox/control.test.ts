import { expect, test } from 'vitest'
import * as z from 'zod'
import { startReceiver } from './receiver.ts'
import { start, startWithClock } from './started.ts'

const Fired = z.object({ id: z.string(), deliveries: z.number() })
const Metrics = z.object({
  version: z.string(),
  trend: z.string(),
  last_updated: z.string(),
  metrics: z.record(z.string(), z.number()),
})

test('an event reaches each subscription to its type and model, of every owner', async () => {
  const wanting = await startReceiver()
  const other = await startReceiver()
  const { ask, control, subscribe, untilAttempts } = await startWithClock()
  await subscribe(wanting.url, { events: ['policy_change'], models: ['qwen'] })
  await subscribe(other.url, { events: ['censorship_spike'], models: ['qwen'] })
  await subscribe(other.url, { events: ['policy_change'], models: ['claude'] })
  await ask('POST', '/webhooks', { key: 'sandbox-free', body: { url: wanting.url } })
  const answer = await control('POST', '/events', { type: 'policy_change', model: 'qwen' })
  expect(answer).toMatchObject({ status: 202, body: { id: expect.stringMatching(/^evt_/), deliveries: 2 } })
  await untilAttempts(2)
  expect(wanting.received).toHaveLength(2)
  expect(other.received).toEqual([])
})

test('what the caller gives is delivered as it is', async () => {
  const receiver = await startReceiver()
  const { control, subscribe } = await startWithClock()
  await subscribe(receiver.url)
  await control('POST', '/events', {
    id: 'evt_mine',
    type: 'model_retired',
    model: 'llama',
    category: 'humour',
    delta: 'rather more',
    detected_at: 'yesterday',
  })
  await receiver.until(1)
  expect(JSON.parse(String(receiver.received[0]?.body))).toMatchObject({
    id: 'evt_mine',
    type: 'model_retired',
    model: 'llama',
    data: { category: 'humour', delta: 'rather more', detected_at: 'yesterday' },
  })
})

test.each([
  [12, '+12pp'],
  [-3.5, '-3.5pp'],
  [0, '+0pp'],
  ['+12pp', '+12pp'],
])('the delta %s is delivered as %s', async (delta, written) => {
  const receiver = await startReceiver()
  const { control, subscribe } = await startWithClock()
  await subscribe(receiver.url)
  await control('POST', '/events', { delta })
  await receiver.until(1)
  expect(JSON.parse(String(receiver.received[0]?.body))).toMatchObject({ data: { delta: written } })
})

test('what the caller leaves out is drawn from the world, the same for the same seed', async () => {
  async function drawn() {
    const receiver = await startReceiver()
    const { control, subscribe, untilAttempts } = await startWithClock()
    await subscribe(receiver.url)
    for (let number = 1; number <= 20; number++) {
      await control('POST', '/events', { id: `evt_${number}` })
      await untilAttempts(number)
    }
    return receiver.received.map((delivery): unknown => JSON.parse(delivery.body.toString()))
  }
  const first = await drawn()
  for (const body of first) {
    expect(body).toMatchObject({
      type: expect.stringMatching(/^(policy_change|censorship_spike)$/),
      model: expect.stringMatching(/^(chatgpt|claude|gemini|mistral|qwen)$/),
      data: {
        category: expect.stringMatching(/^(political|safety|social)$/),
        delta: expect.stringMatching(/^[+-]\d+pp$/),
        detected_at: start,
      },
    })
  }
  expect(await drawn()).toEqual(first)
})

test('repeat sends the same delivery so many times in all', async () => {
  const receiver = await startReceiver()
  const { control, subscribe, untilAttempts } = await startWithClock()
  await subscribe(receiver.url)
  const answer = await control('POST', '/events', { repeat: 15 })
  const { id, deliveries } = Fired.parse(answer.body)
  expect(deliveries).toBe(15)
  await untilAttempts(15)
  expect(new Set(receiver.received.map((delivery) => delivery.body.toString())).size).toBe(1)
  expect(JSON.parse(String(receiver.received[0]?.body))).toMatchObject({ id })
})

test('an event moves the published rate by what it says, and its repeat does not', async () => {
  const { ask, clock, control } = await startWithClock()
  const read = async () => Metrics.parse((await ask('GET', '/monitoring/claude/metrics')).body)
  const before = await read()
  await clock.advance(60_000)
  const event = { id: 'evt_1', model: 'claude', category: 'political', delta: 12 }
  await control('POST', '/events', event)
  const after = await read()
  const rate = 'political_refusal_rate'
  expect((after.metrics[rate] ?? 0) - (before.metrics[rate] ?? 0)).toBeCloseTo(0.12, 10)
  expect(after.metrics.safety_refusal_rate).toBe(before.metrics.safety_refusal_rate)
  expect(after.trend).toBe('rising')
  expect(after.last_updated).toBe('2026-03-01T09:11:00.000Z')
  expect(after.version).toBe(before.version)

  await control('POST', '/events', event)
  expect(await read()).toEqual(after)
})

test('a policy change publishes a new version of the model', async () => {
  const { ask, control } = await startWithClock()
  const read = async () => Metrics.parse((await ask('GET', '/monitoring/qwen/metrics')).body)
  const before = await read()
  await control('POST', '/events', {
    type: 'policy_change',
    model: 'qwen',
    category: 'safety',
    delta: '-4pp',
  })
  const after = await read()
  expect(Number(after.version) - Number(before.version)).toBeCloseTo(0.1, 10)
  expect(after.trend).toBe('falling')
})

test.each([
  [{ modell: 'claude' }, 'The body is not as expected: Unrecognized key: "modell".'],
  [{ delta: [] }, 'The body is not as expected: delta: Invalid input.'],
  [{ repeat: 0 }, 'The body is not as expected: repeat: Too small: expected number to be >=1.'],
])('an event that cannot be fired, %j, answers 400', async (body, message) => {
  const { control } = await startWithClock()
  expect(await control('POST', '/events', body)).toMatchObject({
    status: 400,
    body: { error: { code: 'BAD_REQUEST', message } },
  })
})

test('the attempts are listed over HTTP', async () => {
  const receiver = await startReceiver((response) => response.writeHead(401).end('{"error":{}}'))
  const { control, subscribe, untilAttempts } = await startWithClock()
  const { id } = await subscribe(receiver.url)
  await control('POST', '/events', { id: 'evt_1' })
  await untilAttempts(1)
  const answer = await control('GET', '/deliveries')
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual([
    {
      eventId: 'evt_1',
      subscription: id,
      attempt: 1,
      at: start,
      status: 401,
      answer: '{"error":{}}',
      durationMs: 0,
      willRetryAt: '2026-03-01T09:10:01.000Z',
    },
  ])
})

test("a subscription's status can be set, and shows to its owner", async () => {
  const { ask, control, subscribe } = await startWithClock()
  const { id } = await subscribe('https://desk.example/webhook')
  const set = await control('POST', `/webhooks/${id}`, { status: 'disabled' })
  expect(set).toMatchObject({ status: 200, body: { id, status: 'disabled' } })
  expect(JSON.stringify(set.body)).not.toContain('whsec_')
  expect((await ask('GET', `/webhooks/${id}`)).body).toMatchObject({ status: 'disabled' })
  expect((await control('POST', '/webhooks/wh_none', { status: 'active' })).status).toBe(404)
  expect((await control('POST', `/webhooks/${id}`, {})).status).toBe(400)
})

test('all subscriptions can be forgotten at once', async () => {
  const { ask, control, subscribe } = await startWithClock()
  const { id } = await subscribe('https://desk.example/webhook')
  await ask('POST', '/webhooks', { key: 'sandbox-free', body: { url: 'https://desk.example/webhook' } })
  expect(await control('DELETE', '/webhooks')).toMatchObject({ status: 200, body: { forgotten: 2 } })
  expect((await ask('GET', '/webhooks')).body).toEqual([])
  expect((await ask('GET', `/webhooks/${id}`)).status).toBe(404)
})

test('the control surface describes itself, and each operation it names is there', async () => {
  const { control } = await startWithClock()
  const answer = await control('GET', '')
  expect(answer).toMatchObject({
    status: 200,
    body: { seed: 7, speed: 0, dialect: { 'list-shape': 'bare' } },
  })
  const { operations } = z
    .object({ operations: z.array(z.object({ method: z.string(), path: z.string() })) })
    .parse(answer.body)
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /_sandbox/events',
    'GET /_sandbox/deliveries',
    'GET /_sandbox/requests',
    'GET /_sandbox/openapi.json',
    'DELETE /_sandbox/tokens',
    'POST /_sandbox/webhooks/{id}',
    'DELETE /_sandbox/webhooks',
    'GET /_sandbox/changes',
    'POST /_sandbox/world',
  ])
})
