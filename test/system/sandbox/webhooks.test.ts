import { expect, test } from 'vitest'
import { startWithClock } from './started.ts'

const url = 'https://desk.example/webhook'

test('a new subscription answers 201 with its secret, and is active', async () => {
  const { ask } = await startWithClock()
  const body = { url, events: ['censorship_spike'], models: ['claude', 'qwen', 'claude'] }
  const answer = await ask('POST', '/webhooks', { body })
  expect(answer.status).toBe(201)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.body).toEqual({
    id: expect.stringMatching(/^wh_[0-9a-f]{24}$/),
    url,
    events: ['censorship_spike'],
    models: ['claude', 'qwen'],
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
    status: 'active',
  })
})

test('a subscription that names no events or models gets all', async () => {
  const { ask } = await startWithClock()
  expect((await ask('POST', '/webhooks', { body: { url } })).body).toMatchObject({
    events: ['policy_change', 'censorship_spike'],
    models: ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen'],
  })
})

test.each([
  ['no url', {}, 'url: must be an http or https address'],
  ['a url that is none', { url: 'desk' }, 'url: must be an http or https address'],
  ['a url of another kind', { url: 'ftp://desk.example/' }, 'url: must be an http or https address'],
  [
    'an unknown event',
    { url, events: ['flood'] },
    'events.0: must be one of policy_change, censorship_spike',
  ],
  ['events that are no list', { url, events: 'policy_change' }, 'events: must be a list'],
  ['no event at all', { url, events: [] }, 'events: must name at least one; leave it out for all'],
  [
    'an unknown model',
    { url, models: ['claude', 'llama'] },
    'models.1: must be one of chatgpt, claude, gemini, mistral, qwen',
  ],
])('%s answers 400 and says which field', async (_name, body, problem) => {
  const { ask } = await startWithClock()
  expect(await ask('POST', '/webhooks', { body })).toMatchObject({
    status: 400,
    body: { error: { code: 'BAD_REQUEST', message: `The body is not as expected: ${problem}.` } },
  })
  expect((await ask('GET', '/webhooks')).body).toEqual([])
})

test.each([
  ['malformed JSON', '{"url":', 'The body is not valid JSON.'],
  ['a list', '[]', 'The body must be a JSON object.'],
  ['nothing', '', 'The body is not as expected: url: must be an http or https address.'],
  [
    'a body beyond 100 kB',
    `{"url":"${'x'.repeat(110_000)}"}`,
    'The request cannot be read: request entity too large.',
  ],
])('%s answers 400', async (_name, raw, message) => {
  const { ask } = await startWithClock()
  expect(await ask('POST', '/webhooks', { raw })).toMatchObject({
    status: 400,
    body: { error: { code: 'BAD_REQUEST', message } },
  })
})

test('the list and a single subscription do not show the secret again', async () => {
  const { ask, subscribe } = await startWithClock()
  const first = await subscribe(url)
  const second = await subscribe(url)
  const list = await ask('GET', '/webhooks')
  expect(list).toMatchObject({ status: 200, body: [{ id: first.id }, { id: second.id }] })
  const subscription = await ask('GET', `/webhooks/${first.id}`)
  expect(subscription.status).toBe(200)
  expect(subscription.body).toEqual({
    id: first.id,
    url,
    events: ['policy_change', 'censorship_spike'],
    models: ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen'],
    status: 'active',
  })
  expect(JSON.stringify(list.body)).not.toContain('whsec_')
})

test('a deleted subscription answers 204 once and 404 from then on', async () => {
  const { ask, subscribe } = await startWithClock()
  const { id } = await subscribe(url)
  expect(await ask('DELETE', `/webhooks/${id}`)).toMatchObject({ status: 204, body: undefined })
  expect((await ask('GET', `/webhooks/${id}`)).status).toBe(404)
  expect((await ask('DELETE', `/webhooks/${id}`)).status).toBe(404)
  expect((await ask('GET', '/webhooks')).body).toEqual([])
})

test("another key's subscription answers 404 and stays", async () => {
  const { ask, subscribe } = await startWithClock()
  const { id } = await subscribe(url)
  const key = 'sandbox-free'
  expect((await ask('GET', '/webhooks', { key })).body).toEqual([])
  expect((await ask('DELETE', `/webhooks/${id}`, { key })).status).toBe(404)
  expect(await ask('GET', `/webhooks/${id}`, { key })).toMatchObject({
    status: 404,
    body: { error: { code: 'NOT_FOUND', message: `There is no subscription ${id}.` } },
  })
  expect((await ask('GET', `/webhooks/${id}`)).status).toBe(200)
})
