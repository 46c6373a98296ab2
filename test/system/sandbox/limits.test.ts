import { expect, test } from 'vitest'
import * as z from 'zod'
import { startWithClock } from './started.ts'

const metrics = '/monitoring/claude/metrics'
const key = 'sandbox-free'

async function spend(
  ask: (method: string, path: string, question: { key: string }) => Promise<unknown>,
  count: number,
) {
  for (let request = 0; request < count; request++) await ask('GET', metrics, { key })
}

test('in a sliding hour a request is free again an hour after it was made, not sooner', async () => {
  const { ask, clock } = await startWithClock({ dialect: { 'limit-window': 'sliding' } })
  await spend(ask, 40)
  await clock.advance(30 * 60_000)
  await spend(ask, 60)
  expect(await ask('GET', metrics, { key })).toMatchObject({
    status: 429,
    body: { error: { retry_after: 30 * 60 } },
  })
  await clock.advance(30 * 60_000 - 1)
  expect((await ask('GET', metrics, { key })).status).toBe(429)
  await clock.advance(1)
  await spend(ask, 39)
  expect((await ask('GET', metrics, { key })).status).toBe(200)
  expect(await ask('GET', metrics, { key })).toMatchObject({
    status: 429,
    body: { error: { retry_after: 30 * 60 } },
  })
})

test.each([
  ['body', { retry_after: 2999 }, null],
  ['header', {}, '2999'],
  ['both', { retry_after: 2999 }, '2999'],
  ['fractional', { retry_after: 2998.75 }, '2998.75'],
] as const)('with retry-after=%s a 429 says when in the right place', async (form, body, header) => {
  const { ask, clock } = await startWithClock({ dialect: { 'retry-after': form } })
  await spend(ask, 100)
  await clock.advance(1_250)
  const answer = await ask('GET', metrics, { key })
  expect(answer.status).toBe(429)
  expect(answer.body).toEqual({
    error: {
      code: 'RATE_LIMIT_EXCEEDED',
      message: "This key's limit of 100 requests per hour is reached.",
      ...body,
    },
  })
  expect(answer.headers.get('retry-after')).toBe(header)
})

test('X-RateLimit headers count down, and name when the hour ends', async () => {
  const { ask } = await startWithClock({ dialect: { 'rate-headers': 'x-ratelimit' } })
  const { headers } = await ask('GET', metrics, { key })
  expect(headers.get('x-ratelimit-limit')).toBe('100')
  expect(headers.get('x-ratelimit-remaining')).toBe('99')
  expect(headers.get('x-ratelimit-reset')).toBe(String(Date.parse('2026-03-01T10:00:00Z') / 1000))
  await spend(ask, 99)
  expect((await ask('GET', metrics, { key })).headers.get('x-ratelimit-remaining')).toBe('0')
})

test('RateLimit headers are those of the IETF draft', async () => {
  const { ask } = await startWithClock({ dialect: { 'rate-headers': 'ratelimit' } })
  const { headers } = await ask('GET', metrics, { key })
  expect(headers.get('ratelimit-policy')).toBe('"hour";q=100;w=3600')
  expect(headers.get('ratelimit')).toBe('"hour";r=99;t=3000')
})

test('a client over the limit gets 429 before anything about scopes or paths', async () => {
  const { ask } = await startWithClock()
  const readonly = { key: 'sandbox-readonly' }
  for (let request = 0; request < 1_000; request++) await ask('GET', '/nothing', readonly)
  expect((await ask('GET', '/webhooks', readonly)).status).toBe(429)
})

test('the control surface shows what was asked, by whom, and the most of any 60 minutes', async () => {
  const { ask, control, clock } = await startWithClock()
  await spend(ask, 3)
  await clock.advance(40 * 60_000)
  await spend(ask, 2)
  await clock.advance(40 * 60_000)
  await spend(ask, 2)
  await ask('GET', '/webhooks', { key: 'sandbox-readonly' })
  await ask('GET', '/webhooks', { key: 'nobody' })
  const Asked = z.object({ mostInAnHour: z.unknown(), requests: z.array(z.unknown()) })
  const all = Asked.parse((await control('GET', '/requests')).body)
  expect(all.mostInAnHour).toEqual({ 'sandbox-free': 5, 'sandbox-readonly': 1 })
  expect(all.requests).toHaveLength(9)
  expect(all.requests.slice(-2)).toEqual([
    {
      at: '2026-03-01T10:30:00.000Z',
      key: 'sandbox-readonly',
      method: 'GET',
      path: '/v1/webhooks',
      status: 403,
    },
    { at: '2026-03-01T10:30:00.000Z', key: null, method: 'GET', path: '/v1/webhooks', status: 401 },
  ])
  const some = Asked.parse((await control('GET', '/requests?key=sandbox-free')).body)
  expect(some.requests).toHaveLength(7)
})
