import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Language } from '../../../../src/message/words/phrases.ts'
import { createReaders } from '../../../../src/people/readers/readers.ts'
import { unsubscribing } from '../../../../src/people/readers/routes.ts'
import type { Unsubscribed } from '../../../../src/people/readers/suppressions.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { createApplication, createRoutes } from '../../../../src/platform/server/application.ts'
import { listen } from '../../../../src/platform/server/listen.ts'
import { StoreUnavailable } from '../../../../src/store/store.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

/** The way out on a loopback port, with the token of one reader. */
async function start(basePath = '', speaks: Language = 'en') {
  const store = createMemoryBacking(systemClock).open()
  const left: Unsubscribed[] = []
  const onError = (error: unknown) => {
    throw error
  }
  const readers = createReaders({
    store,
    now: systemClock.now,
    onUnsubscribed: (one) => left.push(one),
    onRefused() {},
    onError,
  })
  const app = createApplication()
  const routes = createRoutes()
  const contact = () => 'desk@desk.example'
  const language = (channel: string) => (channel === 'policy-mail' ? speaks : undefined)
  unsubscribing({ readers, contact, language, onError() {} })(routes)
  app.use(basePath === '' ? '/' : basePath, routes)
  const server = await listen(app, { host: '127.0.0.1', port: 0, clock: systemClock })
  onTestFinished(() => server.close())
  const token = (await readers.token('policy-mail', 'ombud@desk.example')) ?? ''
  const at = (which: string) => `http://127.0.0.1:${server.port}${basePath}/unsubscribe/${which}`
  return { store, left, url: at(token), at, token }
}

const oneClick = {
  method: 'POST',
  body: 'List-Unsubscribe=One-Click',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
}

test('GET asks, as often as scanners open the link, and changes nothing', async () => {
  const { store, left, url } = await start()
  for (const method of ['GET', 'HEAD', 'GET']) {
    const answer = await fetch(url, { method })
    expect(answer.status).toBe(200)
  }
  const page = await (await fetch(url)).text()
  expect(page).toContain('<form method="post">')
  expect(page).toContain('o…@desk.example')
  expect(page).not.toContain('ombud')
  expect(await store.readState('readers')).toBeUndefined()
  expect(left).toEqual([])
})

test.each([
  ['a mail program', oneClick],
  ['the button of the page', { ...oneClick, redirect: 'manual' as const }],
  [
    'a program that sends form data',
    { method: 'POST', body: new URLSearchParams('List-Unsubscribe=One-Click') },
  ],
  ['a program that sends nothing', { method: 'POST' }],
])('POST by %s does it, on disk before the answer, and a second time changes nothing', async (_, request) => {
  const { store, left, url } = await start('/desk/mail')
  const answer = await fetch(url, request)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('Unsubscribed from policy-mail')
  const kept = await store.readState('readers')
  expect(kept).toMatchObject({ unsubscribed: [{ channel: 'policy-mail', address: 'ombud@desk.example' }] })
  expect((await fetch(url, request)).status).toBe(200)
  expect(await store.readState('readers')).toEqual(kept)
  expect(left).toHaveLength(1)
  expect(await (await fetch(url)).text()).toContain('Already unsubscribed')
})

test('what cannot be stored is not answered with 2xx', async () => {
  const { store, url } = await start()
  store.changeState = () => Promise.reject(new StoreUnavailable('the disk is full'))
  const answer = await fetch(url, oneClick)
  expect(answer.status).toBe(503)
  expect(answer.headers.get('Retry-After')).toBe('60')
  expect(await answer.text()).toContain('You still get mail')
})

test('a process that ended between the two leaves an act that the next click makes', async () => {
  const { store, url } = await start()
  const accept = store.accept.bind(store)
  store.accept = () => Promise.reject(new StoreUnavailable('its process ended'))
  expect((await fetch(url, oneClick)).status).toBe(503)
  store.accept = accept
  expect((await fetch(url, oneClick)).status).toBe(200)
  expect((await fetch(url, oneClick)).status).toBe(200)
  const acts = await store.list({ limit: 10 })
  expect(acts.map(({ entry }) => entry)).toMatchObject([
    { kind: 'act', does: 'unsubscribe', address: 'ombud@desk.example', channel: 'policy-mail' },
  ])
})

test('a body that never comes is not waited for', async () => {
  const { url, left } = await start()
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\nList-`)
  const [first] = await once(socket, 'data')
  expect(String(first)).toMatch(/^HTTP\/1\.1 200 /)
  expect(left).toHaveLength(1)
})

test('what is no token of ours changes nothing and says whom to write to', async () => {
  const { store, at, token } = await start()
  for (const wrong of [`${token}A`, token.slice(1), 'check', 'a.b']) {
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(at(wrong), { method })
      expect(answer.status).toBe(404)
      expect(await answer.text()).toContain('desk@desk.example')
    }
  }
  expect(await store.readState('readers')).toBeUndefined()
})

test('the page is in the language of its channel; if that is unknown, in that of the reader’s browser', async () => {
  const { url, at } = await start('', 'de')
  const asking = { headers: { 'Accept-Language': 'pt-BR,pt;q=0.9,en;q=0.5' } }
  expect(await (await fetch(url, asking)).text()).toMatch(/<html lang="de">.*policy-mail abbestellen\?/s)
  expect(await (await fetch(url, { ...asking, method: 'POST' })).text()).toContain('ist abbestellt')
  expect(await (await fetch(at('check'), asking)).text()).toMatch(/<html lang="pt">.*não é válido/s)
  expect(await (await fetch(at('check'), { headers: { 'Accept-Language': 'eo' } })).text()).toContain(
    'lang="en"',
  )
})

test('other methods are refused', async () => {
  const { url, left } = await start()
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    const answer = await fetch(url, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, POST')
  }
  expect(left).toEqual([])
})

test('the page loads and runs nothing, is kept nowhere, and fits a phone and both colour schemes', async () => {
  const { url } = await start()
  const answer = await fetch(url)
  const page = await answer.text()
  expect(answer.headers.get('Content-Security-Policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  )
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer')
  expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  expect(page).not.toMatch(/<script|<img|<link|\son\w+=|https?:/i)
  expect(page).toContain('width=device-width')
  expect(page).toContain('prefers-color-scheme:dark')
})

test('two processes of one store have one key', async () => {
  const backing = createMemoryBacking(systemClock)
  const [one, other] = [backing.open(), backing.open()].map((store) =>
    createReaders({ store, now: systemClock.now, onUnsubscribed() {}, onRefused() {}, onError() {} }),
  )
  const [first, second] = await Promise.all([
    one?.token('desk', 'a@b.example'),
    other?.token('desk', 'c@d.example'),
  ])
  expect(await one?.read(second ?? '')).toEqual({ channel: 'desk', address: 'c@d.example' })
  expect(await other?.read(first ?? '')).toEqual({ channel: 'desk', address: 'a@b.example' })
})
