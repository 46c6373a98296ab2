import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MonitorClient, type MonitorClientOptions } from '../../../../src/service/client/client.ts'
import { createManualClock, type ManualClock } from '../../../support/fakes/manual-clock.ts'
import { json, type ScriptedService, startScriptedService } from './scripted-service.ts'

const clientSecret = 'very/secret+1'
let service: ScriptedService
let clock: ManualClock
/** Tokens that the service takes. */
let valid: Set<string>
let issued: number
let answer: (given: URLSearchParams) => { status?: number; body: object; headers?: Record<string, string> }

beforeEach(async () => {
  service = await startScriptedService()
  clock = createManualClock(Date.parse('2026-03-01T12:00:00Z'))
  valid = new Set()
  issued = 0
  answer = () => ({ body: token({ expires_in: 3_600 }) })
  service.script = ({ path, headers, body }, response) => {
    if (path === '/oauth/token') {
      const { status = 200, body: text, headers: more } = answer(new URLSearchParams(body))
      json(response, status, text, more)
      return 'answered'
    }
    if (valid.has((headers.authorization ?? '').replace('Bearer ', ''))) return undefined
    json(response, 401, { error: { code: 'UNAUTHORIZED', message: `not ${headers.authorization}` } })
    return 'answered'
  }
})
afterEach(() => service.close())

function token(more: object): object {
  issued += 1
  valid.add(`token-${issued}`)
  return { access_token: `token-${issued}`, token_type: 'Bearer', ...more }
}

function open(oauth: Partial<MonitorClientOptions['oauth']> = {}, more: Partial<MonitorClientOptions> = {}) {
  const tokenUrl = `${service.origin}/oauth/token`
  return new MonitorClient({
    baseUrl: service.baseUrl,
    oauth: { tokenUrl, clientId: 'desk', clientSecret, ...oauth },
    clock,
    tries: 1,
    ...more,
  })
}

function grants() {
  return service.received
    .filter(({ path }) => path === '/oauth/token')
    .map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
}

async function failureOf(call: Promise<unknown>): Promise<Error> {
  const error: unknown = await call.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  )
  expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/very|token-\d|refresh-\d/)
  if (!(error instanceof Error)) throw error
  return error
}

test('a token is asked for with the client’s credentials and the scope for subscriptions, and is kept', async () => {
  const client = open()
  await Promise.all([client.listWebhooks(), client.listWebhooks()])
  await client.listWebhooks()
  expect(grants()).toEqual([{ grant_type: 'client_credentials', scope: 'webhooks.write' }])
  const basic = Buffer.from(`desk:${encodeURIComponent(clientSecret)}`).toString('base64')
  expect(service.received[0]?.headers.authorization).toBe(`Basic ${basic}`)
  expect(service.received.at(-1)?.headers.authorization).toBe('Bearer token-1')
})

test('other scopes are asked for where they are configured', async () => {
  await open({ scopes: ['webhooks.write', 'monitoring.read'] }).listWebhooks()
  expect(grants()[0]?.scope).toBe('webhooks.write monitoring.read')
})

test.each([
  { seconds: 3_600, renewedAfter: 3_540 },
  { seconds: 60, renewedAfter: 54 },
  { seconds: '300', renewedAfter: 270 },
])(
  'a token of $seconds s is renewed after $renewedAfter s, before it ends',
  async ({ seconds, renewedAfter }) => {
    answer = () => ({ body: token({ expires_in: seconds }) })
    const client = open()
    await client.listWebhooks()
    await clock.advance(renewedAfter * 1_000 - 1)
    await client.listWebhooks()
    expect(grants()).toHaveLength(1)
    await clock.advance(1)
    await client.listWebhooks()
    expect(grants()).toHaveLength(2)
  },
)

test('a token that the service no longer accepts is renewed once, by the first request that it refuses', async () => {
  const client = open()
  await client.listWebhooks()
  valid.clear()
  await Promise.all([client.listWebhooks(), client.listWebhooks(), client.listWebhooks()])
  expect(grants()).toHaveLength(2)
})

test('if the service accepts no token, the error comes after one renewal', async () => {
  answer = () => ({ body: { access_token: 'token-0', token_type: 'bearer', expires_in: 60 } })
  const error = await failureOf(open().listWebhooks())
  expect(error).toMatchObject({ name: 'Unauthenticated', status: 401 })
  expect(error.message).toContain('monitor.oauth')
  expect(grants()).toHaveLength(2)
})

test('a configured refresh token is used, and the one that takes its place', async () => {
  answer = (given) => ({
    body: token({ expires_in: 60, refresh_token: `refresh-${given.get('refresh_token')?.slice(-1)}1` }),
  })
  const client = open({ refreshToken: 'refresh-0' })
  await client.listWebhooks()
  await clock.advance(60_000)
  await client.listWebhooks()
  expect(grants()).toEqual([
    { grant_type: 'refresh_token', refresh_token: 'refresh-0' },
    { grant_type: 'refresh_token', refresh_token: 'refresh-01' },
  ])
})

test('a configured refresh token that has expired is reported, and no client token is requested instead', async () => {
  answer = () => ({ status: 400, body: { error: 'invalid_grant', error_description: 'no refresh-0' } })
  const error = await failureOf(open({ refreshToken: 'refresh-0' }).listWebhooks())
  expect(error).toMatchObject({ name: 'Unauthenticated', code: 'invalid_grant' })
  expect(error.message).toContain('the refresh token is no longer valid')
  expect(grants()).toHaveLength(1)
})

test('a refresh token that came with a token and has ended is not needed', async () => {
  answer = (given) =>
    given.has('refresh_token')
      ? { status: 400, body: { error: 'invalid_grant' } }
      : { body: token({ expires_in: 60, refresh_token: 'refresh-7' }) }
  const client = open()
  await client.listWebhooks()
  await clock.advance(60_000)
  await client.listWebhooks()
  expect(grants().map(({ grant_type }) => grant_type)).toEqual([
    'client_credentials',
    'refresh_token',
    'client_credentials',
  ])
})

test('while the token endpoint is away, a token that still holds is used, and the endpoint left in peace', async () => {
  const client = open()
  await client.listWebhooks()
  answer = () => ({ status: 503, body: {} })
  await clock.advance(3_550_000)
  await client.listWebhooks()
  await client.listWebhooks()
  expect(grants()).toHaveLength(2)
  await clock.advance(50_000)
  expect(await failureOf(client.listWebhooks())).toMatchObject({ name: 'ServiceFailed', status: 503 })
})

test.each([
  {
    status: 401,
    body: { error: 'invalid_client' },
    name: 'Unauthenticated',
    says: 'clientId and clientSecret',
  },
  { status: 401, body: {}, name: 'Unauthenticated', says: 'clientId and clientSecret' },
  { status: 400, body: { error: 'invalid_scope' }, name: 'MissingScope', says: 'monitor.oauth.scopes' },
  { status: 400, body: { error: 'unsupported_grant_type' }, name: 'BadRequest', says: 'tokenUrl' },
  { status: 429, body: {}, name: 'RateLimited', says: 'too many tokens' },
  { status: 302, body: {}, name: 'Unintelligible', says: 'a redirect, which Bluepencil does not follow' },
  { status: 200, body: {}, name: 'Unintelligible', says: 'no usable token' },
  {
    status: 200,
    body: { access_token: 'token-1', token_type: 'mac' },
    name: 'Unintelligible',
    says: 'no usable token',
  },
  {
    status: 400,
    body: { error: { code: 'X', message: 'no' } },
    name: 'BadRequest',
    says: 'The service said: X',
  },
])('a token endpoint that answers $status $body is $name', async ({ status, body, name, says }) => {
  answer = () => ({
    status,
    body,
    headers: { 'www-authenticate': 'Basic realm="x"', location: 'https://a.example/' },
  })
  const error = await failureOf(open().listWebhooks())
  expect(error.name).toBe(name)
  expect(error.message).toContain(`POST ${service.origin}/oauth/token`)
  expect(error.message).toContain(says)
})

test.each([
  { by: 'the clock of the token endpoint', headers: { date: 'Thu, 01 Jan 2015 00:00:10 GMT' }, ms: 30_000 },
  { by: 'our clock where it has none', headers: {}, ms: 40_000 },
])('a Retry-After date of a token endpoint is read by $by', async ({ headers, ms }) => {
  clock.set(Date.parse('2015-01-01T00:00:00Z'))
  const answered = service.script
  service.script = (received, response) => {
    response.sendDate = false
    return answered(received, response)
  }
  const until = { 'retry-after': 'Thu, 01 Jan 2015 00:00:40 GMT', ...headers }
  answer = () => ({ status: 503, body: {}, headers: until })
  expect(await failureOf(open().listWebhooks())).toMatchObject({ name: 'ServiceFailed', retryAfterMs: ms })
})

test('a token endpoint that is not there, or never answers, is unreachable', async () => {
  const away = open({ tokenUrl: 'http://127.0.0.1:1/token' })
  expect(await failureOf(away.listWebhooks())).toMatchObject({ name: 'Unreachable', timedOut: false })
  service.script = () => 'answered'
  const slow = open({}, { timeoutMs: 50 })
  expect(await failureOf(slow.listWebhooks())).toMatchObject({ name: 'Unreachable', timedOut: true })
})

test('a caller who is called off does not take the token from the others', async () => {
  const requested = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const usual = service.script
  service.script = async (received, response) => {
    if (received.path === '/oauth/token') {
      requested.resolve()
      await go.promise
    }
    return usual(received, response)
  }
  const client = open()
  const cut = new AbortController()
  const impatient = failureOf(client.listWebhooks(cut.signal))
  const patient = client.listWebhooks()
  await requested.promise
  cut.abort()
  expect(await impatient).toMatchObject({ name: 'Unreachable' })
  go.resolve()
  expect(await patient).toEqual([])
  expect(grants()).toHaveLength(1)
})

test('each token is registered as a secret to keep out of the log', async () => {
  const secrets: string[] = []
  answer = () => ({ body: token({ refresh_token: 'refresh-1' }) })
  await open({}, { onSecret: (secret) => secrets.push(secret) }).listWebhooks()
  expect(secrets).toEqual(['token-1', 'refresh-1'])
})

test.each([
  'http://service.example/token',
  'service.example',
  'ftp://127.0.0.1/',
  'https://a:b@service.example/',
])('a token is not asked for at %s', (tokenUrl) => {
  expect(() => open({ tokenUrl })).toThrow('monitor.oauth.tokenUrl is not an https address')
})

test('a token and each try that repeats a request are taken from the budget', async () => {
  let taken = 0
  const budget = {
    async take() {
      taken += 1
    },
    told: async () => {},
    left: async () => 100 - taken,
  }
  const quick = { now: () => clock.now(), sleep: async () => {} }
  const scripted = service.script
  let failures = 2
  service.script = (request, response) => {
    if (request.path === '/oauth/token' || failures === 0) return scripted(request, response)
    failures -= 1
    json(response, 503, {})
    return 'answered'
  }
  await open({}, { budget, clock: quick, tries: 3 }).listWebhooks()
  expect(service.received.map(({ path }) => path)).toEqual(['/oauth/token', ...Array(3).fill('/v1/webhooks')])
  expect(taken).toBe(4)
})
