import { afterEach, beforeEach, expect, test } from 'vitest'
import { MonitorClient } from '../../../../src/service/client/client.ts'
import {
  BudgetSpent,
  NotFound,
  RateLimited,
  ServiceFailed,
  Unreachable,
} from '../../../../src/service/client/errors.ts'
import { waitBeforeNext } from '../../../../src/service/client/http/retry.ts'
import { json, type ScriptedService, startScriptedService } from './scripted-service.ts'

let service: ScriptedService
let client: MonitorClient
let slept: number[]
/** Answers before the usual one: a status, or 0 for a connection that is cut. */
let before: { status: number; body?: object }[]

beforeEach(async () => {
  service = await startScriptedService()
  slept = []
  before = []
  let time = 0
  const clock = {
    now: () => time,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds)
      time += milliseconds
    },
  }
  client = new MonitorClient({ baseUrl: service.baseUrl, apiKey: 'key-1234567890', clock, random: () => 0 })
  service.script = (_, response) => {
    const next = before.shift()
    if (next === undefined) return undefined
    if (next.status === 0) response.destroy()
    else json(response, next.status, next.body ?? {})
    return 'answered'
  }
})
afterEach(() => service.close())

test('a question that fails is asked again, after a wait that doubles', async () => {
  before = [{ status: 0 }, { status: 503 }]
  await expect(client.listWebhooks()).resolves.toEqual([])
  expect(slept).toEqual([250, 500])
})

test('the third failure is the answer', async () => {
  before = [{ status: 500 }, { status: 502 }, { status: 503 }, { status: 500 }]
  await expect(client.listWebhooks()).rejects.toMatchObject({ name: 'ServiceFailed', status: 503 })
  expect(service.received).toHaveLength(3)
})

test('a creation is tried once, after any kind of failure', async () => {
  for (const status of [0, 500, 429]) {
    before = [{ status, body: { error: { retry_after: 1 } } }]
    await expect(client.createWebhook({ url: '', events: [], models: [] })).rejects.toThrow('POST')
  }
  expect(service.received).toHaveLength(3)
  expect(service.subscriptions.size).toBe(0)
})

test('a deletion whose answer was lost is not reported as “not found”', async () => {
  const { id } = service.add({})
  service.script = (_, response) => {
    if (!service.subscriptions.delete(id)) return undefined
    response.destroy()
    return 'answered'
  }
  await expect(client.deleteWebhook(id)).resolves.toBeUndefined()
  expect(service.received).toHaveLength(2)
  await expect(client.deleteWebhook(id)).rejects.toBeInstanceOf(NotFound)
})

test('a limit that is over in a moment is waited for', async () => {
  before = [{ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED', retry_after: 1.5 } } }]
  await expect(client.listWebhooks()).resolves.toEqual([])
  expect(slept).toEqual([1_500])
})

test('a longer one is reported at once, and until then no request leaves', async () => {
  before = [{ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED', retry_after: 40 } } }]
  await expect(client.listWebhooks()).rejects.toMatchObject({
    name: 'RateLimited',
    retryAfterMs: 40_000,
    status: 429,
  })
  await expect(client.metrics('claude')).rejects.toMatchObject({ name: 'RateLimited', retryAfterMs: 40_000 })
  expect(service.received).toHaveLength(1)
  expect(slept).toEqual([])
})

test('a signal ends the tries', async () => {
  const cut = new AbortController()
  service.script = (_, response) => {
    cut.abort()
    response.destroy()
    return 'answered'
  }
  await expect(client.listWebhooks(cut.signal)).rejects.toBeInstanceOf(Unreachable)
  expect(service.received).toHaveLength(1)
})

test.each([
  { error: new ServiceFailed('', { retryAfterMs: 7_000 }), repeatable: true, waits: 7_000 },
  { error: new ServiceFailed('', { retryAfterMs: 0 }), repeatable: true, waits: 250 },
  { error: new ServiceFailed('', { retryAfterMs: 3_600_000 }), repeatable: true, waits: undefined },
  { error: new ServiceFailed('', { retryAfterMs: undefined }), repeatable: false, waits: undefined },
  { error: new BudgetSpent('', 900), repeatable: false, waits: 900 },
  { error: new BudgetSpent('', 9_000), repeatable: true, waits: undefined },
  { error: new RateLimited('', { retryAfterMs: undefined }), repeatable: true, waits: undefined },
  { error: new NotFound(''), repeatable: true, waits: undefined },
  { error: new Error('a mistake of ours'), repeatable: true, waits: undefined },
])(
  '$error.name with $error.retryAfterMs ms, repeatable: $repeatable: waits $waits',
  ({ error, repeatable, waits }) => {
    expect(waitBeforeNext({ error, tries: 1, repeatable, random: 0 }, 3)).toBe(waits)
    expect(waitBeforeNext({ error, tries: 3, repeatable, random: 0 }, 3)).toBeUndefined()
  },
)
