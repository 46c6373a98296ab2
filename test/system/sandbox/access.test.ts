import { expect, test } from 'vitest'
import { startWithClock } from './started.ts'

const metrics = '/monitoring/claude/metrics'

test('each of the five keys reads the metrics', async () => {
  const { ask } = await startWithClock()
  for (const tier of ['free', 'researcher', 'pro', 'enterprise', 'readonly']) {
    expect((await ask('GET', metrics, { key: `sandbox-${tier}` })).status).toBe(200)
  }
})

test('a request without a key answers 401', async () => {
  const { sandbox, send } = await startWithClock()
  const answer = await send('GET', sandbox.url + metrics, {})
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  expect(answer.body).toEqual({
    error: {
      code: 'UNAUTHORIZED',
      message: 'The API key is missing; send the header Authorization: Bearer <API_KEY>.',
    },
  })
})

test('a key that was never given out answers 401 and is not repeated in the answer', async () => {
  const { ask } = await startWithClock()
  const answer = await ask('GET', metrics, { key: 'somebody-elses' })
  expect(answer.status).toBe(401)
  expect(JSON.stringify(answer.body)).not.toContain('somebody-elses')
})

test('another scheme than Bearer answers 401', async () => {
  const { sandbox } = await startWithClock()
  const response = await fetch(sandbox.url + metrics, { headers: { authorization: 'Basic sandbox-pro' } })
  expect(response.status).toBe(401)
})

test('the read-only key gets 403 for everything about webhooks, with any body', async () => {
  const { ask } = await startWithClock()
  const key = 'sandbox-readonly'
  const answers = [
    await ask('GET', '/webhooks', { key }),
    await ask('GET', '/webhooks/wh_1', { key }),
    await ask('DELETE', '/webhooks/wh_1', { key }),
    await ask('POST', '/webhooks', { key, body: { url: 'http://127.0.0.1:1/' } }),
    await ask('POST', '/webhooks', { key, raw: '{' }),
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(403)
    expect(answer.body).toEqual({
      error: { code: 'FORBIDDEN', message: 'This key lacks the scope webhooks.write.' },
    })
  }
})

test('an unknown path or method answers 404 in the form of the service', async () => {
  const { sandbox, ask, send } = await startWithClock()
  expect(await ask('GET', '/monitoring')).toMatchObject({
    status: 404,
    body: { error: { code: 'NOT_FOUND', message: 'There is no GET /v1/monitoring here.' } },
  })
  expect((await ask('PUT', '/webhooks')).status).toBe(404)
  expect(await send('GET', `${sandbox.origin}/elsewhere`, {})).toMatchObject({
    status: 404,
    body: { error: { code: 'NOT_FOUND' } },
  })
})

test('a path that does not decode answers 400', async () => {
  const { ask } = await startWithClock()
  expect(await ask('GET', '/monitoring/%E0%A4%A/metrics')).toMatchObject({
    status: 400,
    body: { error: { code: 'BAD_REQUEST' } },
  })
})

test('the free key has 100 requests in an hour of the clock, and again in the next', async () => {
  const { ask, clock } = await startWithClock()
  const key = 'sandbox-free'
  for (let request = 0; request < 100; request++) {
    expect((await ask('GET', metrics, { key })).status).toBe(200)
  }
  await clock.advance(1_500)
  expect(await ask('GET', metrics, { key })).toMatchObject({
    status: 429,
    body: {
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: "This key's limit of 100 requests per hour is reached.",
        retry_after: 50 * 60 - 1,
      },
    },
  })
  await clock.advance((50 * 60 - 1) * 1000)
  expect((await ask('GET', metrics, { key })).status).toBe(200)
})

test("one key's limit leaves the others alone", async () => {
  const { ask } = await startWithClock()
  for (let request = 0; request < 101; request++) await ask('GET', metrics, { key: 'sandbox-free' })
  expect((await ask('GET', metrics, { key: 'sandbox-free' })).status).toBe(429)
  expect((await ask('GET', metrics, { key: 'sandbox-researcher' })).status).toBe(200)
})
