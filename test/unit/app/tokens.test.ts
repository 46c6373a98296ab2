import { afterEach, beforeEach, expect, test } from 'vitest'
import { sharedTokens } from '../../../src/app/services.ts'
import { MonitorClient } from '../../../src/service/client/client.ts'
import { createManualClock, type ManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'
import { json, type ScriptedService, startScriptedService } from '../service/client/scripted-service.ts'

const began = Date.parse('2026-03-01T12:00:00Z')
let service: ScriptedService
let clock: ManualClock
let backing: ReturnType<typeof createMemoryBacking>
/** Each refresh token is good once, and only the newest token is accepted. */
let issued: number
let grants: string[]

beforeEach(async () => {
  service = await startScriptedService()
  clock = createManualClock(began)
  backing = createMemoryBacking(clock)
  issued = 0
  grants = []
  service.script = ({ path, headers, body }, response) => {
    if (path === '/oauth/token') {
      const refresh = new URLSearchParams(body).get('refresh_token') ?? 'none'
      grants.push(refresh)
      if (refresh !== `refresh-${issued}`) json(response, 400, { error: 'invalid_grant' })
      else {
        issued += 1
        const token = { access_token: `token-${issued}`, token_type: 'Bearer', expires_in: 600 }
        json(response, 200, { ...token, refresh_token: `refresh-${issued}` })
      }
      return 'answered'
    }
    if (headers.authorization === `Bearer token-${issued}`) return undefined
    json(response, 401, { error: { code: 'UNAUTHORIZED', message: 'no' } })
    return 'answered'
  }
})
afterEach(() => service.close())

/** A client of a process of its own; `secrets` are those that it keeps out of its log. */
function start(refreshToken = 'refresh-0') {
  const secrets: string[] = []
  const client = new MonitorClient({
    baseUrl: service.baseUrl,
    oauth: {
      tokenUrl: `${service.origin}/oauth/token`,
      clientId: 'desk',
      clientSecret: 'secret',
      refreshToken,
    },
    clock,
    tries: 1,
    tokens: sharedTokens(backing.open(), clock),
    onSecret: (secret) => secrets.push(secret),
  })
  return { ask: () => client.listWebhooks(), secrets }
}

test('two processes that ask at once are given one token', async () => {
  const [one, other] = [start(), start()]
  await Promise.all([one.ask(), other.ask()])
  expect(grants).toEqual(['refresh-0'])
  expect([one.secrets, other.secrets]).toEqual([
    ['token-1', 'refresh-1'],
    ['token-1', 'refresh-1'],
  ])
})

test('each renewal uses the newest refresh token, even if another process got it, and after a restart', async () => {
  const [one, other] = [start(), start()]
  await one.ask()
  for (const each of [other, one, start(), other]) {
    await clock.advance(600_000)
    await each.ask()
  }
  expect(grants).toEqual(['refresh-0', 'refresh-1', 'refresh-2', 'refresh-3', 'refresh-4'])
})

test('a token that another has replaced is not renewed again when the service refuses it', async () => {
  const [one, other] = [start(), start()]
  await one.ask()
  await other.ask()
  // The service has ended it before its time.
  issued += 1
  grants = []
  service.script = ({ path, headers }, response) => {
    if (path === '/oauth/token') {
      grants.push('asked')
      json(response, 200, { access_token: 'token-new', token_type: 'Bearer', expires_in: 600 })
      return 'answered'
    }
    if (headers.authorization === 'Bearer token-new') return undefined
    json(response, 401, { error: { code: 'UNAUTHORIZED', message: 'no' } })
    return 'answered'
  }
  await one.ask()
  await other.ask()
  expect(grants).toEqual(['asked'])
})

test('another refresh token in the configuration is another client: what was given before is not used', async () => {
  await start().ask()
  issued = 7
  await start('refresh-7').ask()
  expect(grants).toEqual(['refresh-0', 'refresh-7'])
})
