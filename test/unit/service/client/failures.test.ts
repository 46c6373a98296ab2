import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MonitorClient } from '../../../../src/service/client/client.ts'
import {
  MonitorError,
  RateLimited,
  ServiceFailed,
  Unreachable,
} from '../../../../src/service/client/errors.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { json, type ScriptedService, startScriptedService } from './scripted-service.ts'

const key = 'key-1234567890'
let service: ScriptedService
let client: MonitorClient

beforeEach(async () => {
  service = await startScriptedService()
  client = new MonitorClient({ baseUrl: service.baseUrl, apiKey: key, timeoutMs: 2_000, tries: 1 })
})
afterEach(() => service.close())

function answerWith(respond: (response: ServerResponse) => void): void {
  service.script = (_, response) => {
    respond(response)
    return 'answered'
  }
}

/** The error of a call, after it was made sure that no secret is anywhere in it. */
async function failureOf(call: Promise<unknown>): Promise<MonitorError> {
  const error: unknown = await call.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  )
  expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/key-1234567890|whsec_[a-z0-9]/)
  if (!(error instanceof MonitorError)) throw error
  return error
}

test.each([
  { status: 400, name: 'BadRequest', says: 'rejects this request' },
  { status: 422, name: 'BadRequest', says: 'rejects this request' },
  {
    status: 401,
    name: 'Unauthenticated',
    says: 'Copy a current key from the service’s dashboard to monitor.apiKey',
  },
  { status: 403, name: 'MissingScope', says: 'webhooks.write' },
  { status: 404, name: 'NotFound', says: 'monitor.baseUrl ends in /v1' },
  { status: 429, name: 'RateLimited', says: 'Try again in 12 s' },
  { status: 500, name: 'ServiceFailed', says: 'the service failed' },
  { status: 503, name: 'ServiceFailed', says: 'Try again in 12 s' },
])('status $status is $name and says what to do', async ({ status, name, says }) => {
  const message = `No good:\r\n ${key} and whsec_abcdef \u202e`
  answerWith((response) => json(response, status, { error: { code: 'SOME_CODE', message, retry_after: 12 } }))
  const error = await failureOf(client.listWebhooks())
  expect(error).toMatchObject({ name, status, code: 'SOME_CODE' })
  expect(error.message).toContain(`GET ${service.baseUrl}/webhooks answered ${status}: `)
  expect(error.message).toContain(says)
  expect(error.message).toContain('The service said: SOME_CODE "No good: [key] and [secret]".')
})

test.each([
  { body: { error: { message: 'url must be https' } }, words: 'The service said: "url must be https".' },
  { body: { error: { code: 'INVALID_URL', message: 7 } }, words: 'The service said: INVALID_URL.' },
  { body: { error: { message: 'x'.repeat(10_000) } }, words: `"${'x'.repeat(200)}…".` },
  { body: { error: 'no' }, words: 'a retry would not help.' },
])('of an error body, what can be read is said: $words', async ({ body, words }) => {
  answerWith((response) => json(response, 400, body))
  const { message } = await failureOf(client.listWebhooks())
  expect(message.slice(-words.length)).toBe(words)
})

test.each([
  { body: { error: { retry_after: 1.5 } }, headers: {}, ms: 1_500 },
  { body: { error: {} }, headers: { 'retry-after': '3' }, ms: 3_000 },
  { body: {}, headers: {}, ms: undefined },
])('a rate limit with $body and $headers asks to wait $ms ms', async ({ body, headers, ms }) => {
  answerWith((response) => json(response, 429, body, headers))
  const error = await failureOf(client.listWebhooks())
  expect(error instanceof RateLimited && error.retryAfterMs).toBe(ms)
})

test('a Retry-After date is read against the clock of the service', async () => {
  const headers = { date: 'Thu, 01 Jan 2015 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2015 00:00:40 GMT' }
  answerWith((response) => json(response, 503, {}, headers))
  const error = await failureOf(client.listWebhooks())
  expect(error instanceof ServiceFailed && error.retryAfterMs).toBe(40_000)
})

test('a Retry-After date without the time of the service is read against our clock', async () => {
  const clock = createManualClock(Date.parse('2015-01-01T00:00:00Z'))
  const early = new MonitorClient({ baseUrl: service.baseUrl, apiKey: key, tries: 1, clock })
  answerWith((response) => {
    response.sendDate = false
    json(response, 503, {}, { 'retry-after': 'Thu, 01 Jan 2015 00:00:40 GMT' })
  })
  const error = await failureOf(early.listWebhooks())
  expect(error instanceof ServiceFailed && error.retryAfterMs).toBe(40_000)
})

test('a proxy’s page of HTML with status 502 is the service failing', async () => {
  answerWith((response) => response.writeHead(502).end('<html>Bad gateway</html>'))
  expect(await failureOf(client.listWebhooks())).toMatchObject({
    name: 'ServiceFailed',
    status: 502,
    code: undefined,
  })
})

test.each([
  { what: 'HTML', body: '<!doctype html><p>Welcome', says: 'a page of HTML or XML (text/html)' },
  {
    what: 'broken JSON',
    body: '[{"id":"wh_1","secret":"whsec_abcdef"x',
    says: 'characters that are not JSON',
  },
  { what: 'a text', body: '"hello"', says: 'no list of subscriptions' },
  { what: 'another object', body: '{"ok":true}', says: 'no list of subscriptions' },
  { what: 'a list of other things', body: '[{"name":"whsec_abcdef"}]', says: 'unexpected JSON' },
  { what: 'nothing', body: '', says: 'no list of subscriptions' },
])('$what instead of a list is unintelligible', async ({ body, says }) => {
  answerWith((response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body))
  const error = await failureOf(client.listWebhooks())
  expect(error).toMatchObject({ name: 'Unintelligible', status: 200 })
  expect(error.message).toContain(says)
  expect(error.message).toContain('monitor.baseUrl')
})

test('a body without end is not read past 5 MB', async () => {
  let sent = 0
  const closed = Promise.withResolvers<void>()
  answerWith((response) => {
    response.on('close', () => closed.resolve())
    const block = Buffer.alloc(65_536, ' ')
    const write = () => {
      while (!response.destroyed) {
        sent += block.length
        if (!response.write(block)) return response.once('drain', write)
      }
      return response
    }
    write()
  })
  expect((await failureOf(client.listWebhooks())).message).toContain('more than 5 MB')
  await closed.promise
  expect(sent).toBeLessThan(50_000_000)
})

test('a small answer that unpacks to more than 5 MB is not unpacked to its end', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
  answerWith((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
  expect((await failureOf(client.listWebhooks())).message).toContain('more than 5 MB')
})

test('a redirect to another host is not followed, and the key does not arrive there', async () => {
  const other = await startScriptedService()
  try {
    answerWith((response) => response.writeHead(307, { location: `${other.baseUrl}/webhooks` }).end())
    const error = await failureOf(
      client.createWebhook({ url: 'https://desk.example/', events: [], models: [] }),
    )
    expect(error).toMatchObject({ name: 'Unintelligible', status: 307 })
    expect(error.message).toContain(`a redirect to ${new URL(other.origin).host}`)
    expect(other.received).toEqual([])
  } finally {
    await other.close()
  }
})

test.each([
  { what: 'no answer at all', respond: () => undefined },
  {
    what: 'an answer that stops in the middle',
    respond: (response: ServerResponse) => void response.writeHead(200).write('[{"id":'),
  },
])('$what ends in a time-out', async ({ respond }) => {
  client = new MonitorClient({ baseUrl: service.baseUrl, apiKey: key, timeoutMs: 60, tries: 1 })
  answerWith(respond)
  const error = await failureOf(client.listWebhooks())
  expect(error).toMatchObject({ name: 'Unreachable', status: undefined, timedOut: true })
  expect(error.message).toContain('no complete answer within 0.06 s')
})

test('a signal cuts a request off', async () => {
  const cut = new AbortController()
  answerWith(() => cut.abort())
  expect(await failureOf(client.listWebhooks(cut.signal))).toMatchObject({
    name: 'Unreachable',
    timedOut: false,
  })
})

test('a service that is not there is unreachable, with the reason', async () => {
  await service.close()
  const error = await failureOf(client.listWebhooks())
  expect(error).toBeInstanceOf(Unreachable)
  expect(error.message).toContain('ECONNREFUSED')
  expect(error.cause).toBeInstanceOf(Error)
  service = await startScriptedService()
})

test('bytes that are not HTTP do not leave a secret in the error', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.end(
        'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{"secret":"whsec_abcdef"}\r\n',
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const broken = new MonitorClient({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: key, tries: 1 })
  const error = await failureOf(
    broken.createWebhook({ url: 'https://desk.example/', events: [], models: [] }),
  )
  expect(error).toMatchObject({ name: 'Unreachable', timedOut: false })
  server.close()
})
