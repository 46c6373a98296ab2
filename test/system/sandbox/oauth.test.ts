import { expect, test } from 'vitest'
import * as z from 'zod'
import { startWithClock } from './started.ts'

const Token = z.object({ access_token: z.string(), refresh_token: z.string().optional() })
const client = { client_id: 'sandbox-client', client_secret: 'sandbox-client-secret' }

async function start(options: Parameters<typeof startWithClock>[0] = {}) {
  const started = await startWithClock(options)

  /** Asks the token endpoint with a form. */
  async function token(form: Record<string, string> | string, headers: Record<string, string> = {}) {
    const response = await fetch(`${started.sandbox.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers,
    })
    const body: unknown = await response.json()
    return { status: response.status, headers: response.headers, body }
  }

  async function granted(form: Record<string, string>) {
    const answer = await token(form)
    return Token.parse(answer.body)
  }

  return { ...started, token, granted }
}

function basic(id: string, secret: string) {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }
}

test('client credentials give a token that may do what the client may, for an hour of the clock', async () => {
  const { token, ask, clock } = await start()
  const answer = await token({ grant_type: 'client_credentials', ...client })
  expect(answer).toMatchObject({
    status: 200,
    body: {
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'monitoring.read research.read webhooks.write',
    },
  })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const key = Token.parse(answer.body).access_token
  expect((await ask('GET', '/webhooks', { key })).status).toBe(200)
  await clock.advance(3_599_999)
  expect((await ask('GET', '/webhooks', { key })).status).toBe(200)
  await clock.advance(1)
  const late = await ask('GET', '/webhooks', { key })
  expect(late.status).toBe(401)
  expect(late.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
})

test('the client may authenticate in the header instead, its parts encoded', async () => {
  const { token } = await start()
  const form = { grant_type: 'client_credentials' }
  expect((await token(form, basic('sandbox-client', 'sandbox-client-secret'))).status).toBe(200)
  expect((await token(form, basic('sandbox%2Dclient', 'sandbox%2Dclient%2Dsecret'))).status).toBe(200)
})

test('a token with fewer scopes answers 403 to the rest and names the scope', async () => {
  const { granted, ask } = await start({ dialect: { 'read-scopes': 'needed' } })
  const { access_token: key } = await granted({
    grant_type: 'client_credentials',
    scope: 'monitoring.read',
    ...client,
  })
  expect((await ask('GET', '/monitoring/claude/metrics', { key })).status).toBe(200)
  expect((await ask('GET', '/research/datasets', { key })).status).toBe(403)
  const refused = await ask('POST', '/webhooks', { key, raw: '{' })
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
  expect(refused.headers.get('www-authenticate')).toBe(
    'Bearer error="insufficient_scope", scope="webhooks.write"',
  )
})

test('by default, reading needs no scope that the specification does not name', async () => {
  const { granted, ask } = await start()
  const form = { grant_type: 'client_credentials', scope: 'webhooks.write', ...client }
  const { access_token: key } = await granted(form)
  for (const path of ['/monitoring/claude/metrics', '/bias/claude', '/research/datasets', '/webhooks']) {
    expect((await ask('GET', path, { key })).status).toBe(200)
  }
})

test('the read-only client cannot have the scope for webhooks', async () => {
  const { token, granted, ask } = await start()
  const readonly = {
    client_id: 'sandbox-client-readonly',
    client_secret: 'sandbox-client-readonly-secret',
    grant_type: 'client_credentials',
  }
  expect(await token({ ...readonly, scope: 'webhooks.write' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_scope' },
  })
  const { access_token: key } = await granted(readonly)
  expect((await ask('GET', '/webhooks', { key })).status).toBe(403)
})

test('the tokens of a client share its hourly limit and its subscriptions', async () => {
  const { granted, ask } = await start()
  const free = {
    client_id: 'sandbox-client-free',
    client_secret: 'sandbox-client-free-secret',
    grant_type: 'client_credentials',
  }
  const first = (await granted(free)).access_token
  const second = (await granted(free)).access_token
  await ask('POST', '/webhooks', { key: first, body: { url: 'https://desk.example/webhook' } })
  expect((await ask('GET', '/webhooks', { key: second })).body).toHaveLength(1)
  for (let request = 2; request < 100; request++) await ask('GET', '/nothing', { key: first })
  expect((await ask('GET', '/nothing', { key: second })).status).toBe(429)
})

test('where refresh tokens rotate, each works once', async () => {
  const { granted, token, ask } = await start({ dialect: { 'refresh-token': 'rotating' } })
  const first = (await granted({ grant_type: 'client_credentials', ...client })).refresh_token ?? ''
  const refresh = { grant_type: 'refresh_token', refresh_token: first, ...client }
  const next = await granted(refresh)
  expect((await ask('GET', '/webhooks', { key: next.access_token })).status).toBe(200)
  expect(await token(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await token({ ...refresh, refresh_token: next.refresh_token ?? '' })).toMatchObject({ status: 200 })
})

test('where refresh tokens last, one works again and again', async () => {
  const { granted, token } = await start({ dialect: { 'refresh-token': 'lasting' } })
  const { refresh_token = '' } = await granted({ grant_type: 'client_credentials', ...client })
  for (let time = 0; time < 2; time++) {
    expect((await token({ grant_type: 'refresh_token', refresh_token, ...client })).status).toBe(200)
  }
})

test('each client has a refresh token to begin with, which is of no use to another', async () => {
  const { token } = await start()
  const form = { grant_type: 'refresh_token', refresh_token: 'sandbox-client-refresh' }
  expect((await token(form, basic('sandbox-client', 'sandbox-client-secret'))).status).toBe(200)
  expect(await token(form, basic('sandbox-client-free', 'sandbox-client-free-secret'))).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  })
})

test.each([
  [
    { grant_type: 'client_credentials', client_id: 'sandbox-client', client_secret: 'no' },
    401,
    'invalid_client',
  ],
  [{ grant_type: 'client_credentials' }, 401, 'invalid_client'],
  [{ grant_type: 'password', ...client }, 400, 'unsupported_grant_type'],
  [{ ...client }, 400, 'invalid_request'],
  [{ grant_type: 'refresh_token', ...client }, 400, 'invalid_request'],
  [{ grant_type: 'refresh_token', refresh_token: 'x', ...client }, 400, 'invalid_grant'],
  [{ grant_type: 'client_credentials', scope: 'all', ...client }, 400, 'invalid_scope'],
  ['grant_type=client_credentials&grant_type=client_credentials', 400, 'invalid_request'],
])('the form %j answers %i %s', async (form, status, error) => {
  const { token } = await start()
  expect(await token(form)).toMatchObject({ status, body: { error, error_description: expect.any(String) } })
})

test('wrong credentials in the header are answered with a challenge for the header', async () => {
  const { token } = await start()
  const answer = await token({ grant_type: 'client_credentials' }, basic('sandbox-client', 'wrong'))
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toBe('Basic realm="oauth"')
})

test('a client that authenticates twice, or sends no form, gets an error that says so', async () => {
  const { token, send, sandbox } = await start()
  const twice = { grant_type: 'client_credentials', ...client }
  expect(await token(twice, basic('sandbox-client', 'sandbox-client-secret'))).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  })
  expect(await send('POST', `${sandbox.origin}/oauth/token`, { raw: '{}' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  })
})

test.each([
  ['too long', { scope: 'x'.repeat(20_000) }, {}],
  ['packed in a way that it is not', { grant_type: 'client_credentials' }, { 'content-encoding': 'gzip' }],
])('a form that is %s is refused in the form of RFC 6749', async (_, form, headers) => {
  const { token } = await start()
  const answer = await token({ ...form }, headers)
  expect(answer).toMatchObject({
    status: 400,
    body: {
      error: 'invalid_request',
      error_description: expect.stringMatching(/^The body cannot be read: /),
    },
  })
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('all tokens can be ended before their time', async () => {
  const { granted, ask, control } = await start()
  const { access_token: key } = await granted({ grant_type: 'client_credentials', ...client })
  expect(await control('DELETE', '/tokens')).toMatchObject({ status: 200, body: { ended: 1 } })
  expect((await ask('GET', '/monitoring/claude/metrics', { key })).status).toBe(401)
})
