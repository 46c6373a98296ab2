import { connect } from 'node:net'
import express, { type Response } from 'express'
import { describe, expect, onTestFinished, test } from 'vitest'
import { webhook } from '../../../../src/intake/receive/webhook.ts'
import type { Readiness } from '../../../../src/operators/readiness.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { listen } from '../../../../src/platform/server/listen.ts'
import { startServer } from '../../../../src/platform/server/server.ts'
import { secret, sign } from '../../intake/receive/endpoint.ts'

const unavailable: Readiness = {
  status: 'unavailable',
  store: { ok: false, why: 'the disk is full' },
  subscription: { state: 'not configured' },
  polling: { mode: 'off' },
  channels: [],
  troubles: [],
}
const body = '{"id":"evt_1"}'
const signed = { method: 'POST', body, headers: { 'X-Service-Signature': sign(body) } }

/** Takes everything that is signed. */
const sound: Parameters<typeof startServer>[0] = {
  host: '127.0.0.1',
  port: 0,
  clock: systemClock,
  unsubscribing() {},
  listen,
  basePath: '',
  sharedPath: undefined,
  chat() {},
  webhook: webhook({
    path: '/hooks/alerts',
    secrets: () => [secret],
    pinned: {},
    remembered: () => undefined,
    remember() {},
    accept: async () => 'new',
    clock: systemClock,
    onReceived() {},
  }),
  metrics: { text: async () => 'up 1\n', contentType: 'text/plain' },
  ready: async () => unavailable,
  onError(error) {
    throw error
  },
}

describe.each(['', '/desk/bluepencil'])('behind server.basePath "%s"', (basePath) => {
  test.each([
    ['POST', `${basePath}/hooks/alerts`, 202],
    ['GET', `${basePath}/hooks/alerts`, 405],
    ['GET', `${basePath}/healthz`, 200],
    ['GET', `${basePath}/readyz`, 503],
    ['GET', `${basePath}/metrics`, 200],
    ['HEAD', `${basePath}/metrics`, 200],
    ['OPTIONS', `${basePath}/metrics`, 200],
    ['OPTIONS', `${basePath}/hooks/alerts`, 405],
    ['OPTIONS', `${basePath}/elsewhere`, 404],
    ['GET', `${basePath}/`, 404],
    ['POST', `/elsewhere${basePath}/hooks/alerts`, 404],
  ])('%s %s is answered %i', async (method, path, status) => {
    const origin = await start(basePath)
    const answer = await fetch(origin + path, method === 'POST' ? signed : { method })
    expect(answer.status).toBe(status)
    if (status !== 404) return
    expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })
})

describe.each(['', '/desk/bluepencil'])(
  'behind server.basePath "%s" a path is meant to the letter',
  (basePath) => {
    const paths = ['/hooks/alerts', '/healthz', '/readyz', '/metrics']
    test.each([
      ['another case', (path: string) => basePath + path.toUpperCase()],
      [
        'one letter of another case',
        (path: string) => basePath + path.replace(/s$|z$/, (last) => last.toUpperCase()),
      ],
      ['a slash after it', (path: string) => `${basePath}${path}/`],
      ['two slashes before it', (path: string) => `${basePath}/${path}`],
      ['two slashes before it all', (path: string) => `/${basePath}${path}`],
      [
        'a letter in percent',
        (path: string) =>
          basePath + path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      ],
      ['a blank in percent after it', (path: string) => `${basePath}${path}%20`],
      ['a parameter after ;', (path: string) => `${basePath}${path};a=b`],
      ['a dot segment', (path: string) => `${basePath}/.${path}`],
      ['a way back', (path: string) => `${basePath}/healthz/..${path}`],
      ['a fragment', (path: string) => `${basePath}${path}#/healthz`],
      ['a backslash', (path: string) => `${basePath}${path.replace('/', '\\')}`],
      [
        'a backslash and an address before it',
        (path: string) => `http://desk${basePath}${path.replace('/', '\\')}`,
      ],
      [
        'a base path of another case',
        (path: string) => (basePath === '' ? '/X' : basePath.toUpperCase()) + path,
      ],
    ])('%s is another path', async (_what, changed) => {
      const { port } = new URL(await start(basePath))
      for (const path of paths) {
        const method = path === '/hooks/alerts' ? 'POST' : 'GET'
        expect(await statusOf(Number(port), method, basePath + path)).not.toBe(404)
        expect([400, 404]).toContain(await statusOf(Number(port), method, changed(path)))
      }
    })
  },
)

/** The status of a request with exactly this target. */
function statusOf(port: number, method: string, target: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(Number(answer.split(' ')[1])))
    socket.write(
      `${method} ${target} HTTP/1.1\r\nHost: desk\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    )
  })
}

test('nothing is served outside server.basePath', async () => {
  const origin = await start('/desk')
  expect((await fetch(`${origin}/hooks/alerts`, signed)).status).toBe(404)
  expect((await fetch(`${origin}/metrics`)).status).toBe(404)
})

test('operators get the cause of a fault in an answer, and the client doesn’t', async () => {
  const errors: unknown[] = []
  const origin = await start('', {
    ready: () => Promise.reject(new Error('at postgres://desk:password@db')),
    onError: (error) => errors.push(error),
  })
  const answer = await fetch(`${origin}/readyz`)
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain('password')
  expect(errors).toEqual([new Error('at postgres://desk:password@db')])
})

describe('an application that shares the listener', () => {
  test('is asked to be patient with before it is there and when it has ended, which it does when it has answered', async () => {
    const server = await startServer({ ...sound, sharedPath: '/console' })
    onTestFinished(() => server.close())
    const ask = (path = '/console/') => fetch(`http://127.0.0.1:${server.port}${path}`)
    const early = await ask()
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '10'])
    const answering = Promise.withResolvers<Response>()
    const application = express()
    application.use((_request, response) => answering.resolve(response))
    const sharing = server.share(application)
    const slow = ask()
    const response = await answering.promise
    let isClosed = false
    const closing = sharing.close().then(() => {
      isClosed = true
    })
    expect((await ask()).status).toBe(503)
    expect(isClosed).toBe(false)
    response.send('whole')
    expect(await (await slow).text()).toBe('whole')
    await closing
    expect((await ask('/consoles')).status).toBe(404)
  })
})

/** The HTTP side on a loopback port. Closed after the test. */
async function start(
  basePath: string,
  parts: Partial<Parameters<typeof startServer>[0]> = {},
): Promise<string> {
  const server = await startServer({ ...sound, basePath, ...parts })
  onTestFinished(() => server.close())
  return `http://127.0.0.1:${server.port}`
}
