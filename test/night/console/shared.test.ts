import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { hashOf } from '../../../src/console/access/password.ts'
import { type Clock, systemClock } from '../../../src/platform/clock.ts'
import { configOf } from '../../support/app.ts'
import { type Desk, openDesk } from '../../system/console/desk.ts'
import { createVisitor } from '../../system/console/visitor.ts'

const below = '/tools/console'
const console = {
  listen: { port: 'server' },
  publicUrl: `https://desk.example${below}`,
  users: [{ name: 'ana', password: await hashOf('a long password', { ln: 14, r: 8, p: 1 }), role: 'editor' }],
}

/** On the listener of deliveries, behind proxies of these networks. */
function open(trustProxy: string[], given: Parameters<typeof openDesk>[1] = {}) {
  return openDesk({ console, server: { host: '127.0.0.1', port: 0, trustProxy } }, given)
}

/** After two seconds a stop cuts off what is still being answered; here after twenty. A slow disk is no page that holds it up. */
const patientClock: Clock = {
  ...systemClock,
  sleep: (milliseconds, signal) => systemClock.sleep(milliseconds === 2_000 ? 20_000 : milliseconds, signal),
}

/** As a proxy passes on what somebody asks. */
function through({ app }: Desk, from = '203.0.113.7') {
  const passed = { host: 'desk.example', 'x-forwarded-for': from }
  return createVisitor(`http://127.0.0.1:${app.port}${below}/`, passed)
}

test('behind a proxy the console stands on the port of deliveries, below the path of its address', async () => {
  const desk = await open(['127.0.0.0/8'])
  expect(desk.url).toBe('https://desk.example/tools/console/')
  expect(await desk.deliver('evt_1')).toBe(202)
  const visitor = through(desk)
  const { headers } = await visitor.see('/alerts/evt_1')
  expect(headers.location).toBe(`${below}/sign-in?to=%2Falerts%2Fevt_1`)
  expect(String(headers['set-cookie'])).toMatch(/; Path=\/tools\/console; .*; HttpOnly; Secure; SameSite=Lax/)
  await visitor.signIn('ana', 'a long password')
  const page = await visitor.see('/alerts/evt_1')
  expect(page.html).toContain('ana, editor')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  await visitor.submit('/alerts/evt_1', '/alerts/evt_1/acknowledge')
  expect((await visitor.see('/alerts/evt%5F1')).html).toContain('<strong>ana</strong> is checking it')
})

test('what is not below that path is not the console’s', async () => {
  const desk = await open(['127.0.0.0/8'])
  const at = `http://127.0.0.1:${desk.app.port}`
  for (const path of ['/', '/console/', '/tools', '/tools/consoles', '/TOOLS/CONSOLE/', '//tools/console/']) {
    const answer = await fetch(`${at}${path}`, { redirect: 'manual' })
    expect([path, answer.status]).toEqual([path, 404])
  }
  expect((await fetch(`${at}/healthz`)).status).toBe(200)
  expect((await fetch(`${at}${below}`, { redirect: 'manual' })).headers.get('location')).toBe(`${below}/`)
})

test('a request that does not come through the proxy is refused, with any headers', async () => {
  const desk = await open(['10.0.0.0/8'])
  const visitor = through(desk, '10.0.0.1')
  for (const path of ['/', '/sign-in', '/api/v1/alerts', '/feeds/atom']) {
    const { status, html } = await visitor.see(path)
    expect([path, status, html]).toEqual([
      path,
      403,
      'You can only reach the console through the proxy (server.trustProxy).',
    ])
  }
  expect(await desk.deliver('evt_1')).toBe(202)
})

test('tries that failed count against who is behind the proxy, and against nobody else there', async () => {
  const desk = await open(['127.0.0.0/8'])
  const tries = async (from: string) => (await through(desk, from).signIn('ana', 'a guess')).status
  for (let tried = 0; tried < 10; tried += 1) expect(await tries('203.0.113.7')).toBe(401)
  expect(await tries('203.0.113.7')).toBe(429)
  expect(await tries('203.0.113.8')).toBe(401)
})

test('tries that failed count for the network around it as well: many of one customer are one', async () => {
  const desk = await open(['127.0.0.0/8'])
  const tries = async (from: string) => (await through(desk, from).signIn('ana', 'a guess')).status
  for (let tried = 0; tried < 40; tried += 1) expect(await tries(`2001:db8:1:${tried}::1`)).toBe(401)
  expect(await tries('2001:db8:1:ffff::1')).toBe(429)
  expect(await tries('2001:db8:2::1')).toBe(401)
}, 60_000)

test('beside twelve who guess without a pause from ever other networks, who has the password gets in within five seconds', {
  timeout: 120_000,
}, async () => {
  const ana = { name: 'ana', password: await hashOf('a long password'), role: 'editor' }
  const desk = await openDesk({
    console: { ...console, users: [ana] },
    server: { host: '127.0.0.1', port: 0, trustProxy: ['127.0.0.0/8'] },
  })
  let isOver = false
  let tried = 0
  const networks = [
    (one: number) => `2001:db8:1:${one.toString(16)}::1`,
    (one: number) => `2001:db8:${one.toString(16)}::1`,
    (one: number) => `192.${one % 199}.${one % 251}.1`,
  ]
  async function guess(from: (one: number) => string): Promise<void> {
    while (!isOver) await through(desk, from(++tried)).signIn(`guest${tried}`, 'a guess')
  }
  const guessing = Array.from({ length: 4 }, () => networks.map(guess)).flat()
  const seen: { status: number; ms: number }[] = []
  for (let number = 0; number < 20; number += 1) {
    const began = performance.now()
    const { status } = await through(desk, '198.51.100.7').signIn('ana', 'a long password')
    seen.push({ status, ms: performance.now() - began })
  }
  isOver = true
  await Promise.all(guessing)
  expect(seen.filter(({ status, ms }) => status !== 200 || ms > 5_000)).toEqual([])
})

test('an open page does not hold up a stop', async () => {
  const desk = await open(['127.0.0.0/8'], { closing: () => {}, clock: patientClock })
  const visitor = through(desk)
  await visitor.signIn('ana', 'a long password')
  const cookie = [...visitor.cookies].map((one) => one.join('=')).join('; ')
  const stream = request(`http://127.0.0.1:${desk.app.port}${below}/live`, { headers: { cookie } }).end()
  const [answer] = await once(stream, 'response')
  expect(answer.statusCode).toBe(200)
  answer.resume()
  const ended = once(answer, 'close')
  const began = performance.now()
  await desk.app.stop()
  await ended
  // What holds it up is left behind after 8.7 seconds.
  expect(performance.now() - began).toBeLessThan(8_000)
})

test('where the file asks nobody to sign in any more, it is closed until a restart', async () => {
  const desk = await open(['127.0.0.0/8'])
  const store = { store: `file:${desk.folder}/data`, server: desk.config.server }
  expect(await desk.app.reload(configOf([], { ...store, console: { listen: { port: 0 } } }))).toEqual([
    'console',
  ])
  const asThisMachine = createVisitor(`http://127.0.0.1:${desk.app.port}${below}/`)
  for (const path of ['/', '/tokens', '/api/v1/alerts']) {
    const { status, html } = await asThisMachine.see(path)
    expect([status, html]).toEqual([403, expect.stringContaining('closed here until a restart')])
  }
})

test('a file that is being read at a stop is whole', { timeout: 120_000 }, async () => {
  const desk = await open(['127.0.0.0/8'], { closing: () => {}, clock: patientClock })
  const visitor = through(desk)
  await visitor.signIn('ana', 'a long password')
  for (let number = 0; number < 450; number += 1) await desk.deliver(`evt_${number}`)
  const linesOf = (csv: string) => csv.trimEnd().split('\n').length
  await vi.waitUntil(async () => linesOf((await visitor.see('/alerts.csv')).html) > 450, 90_000)
  const cookie = [...visitor.cookies].map((one) => one.join('=')).join('; ')
  const address = `http://127.0.0.1:${desk.app.port}${below}/alerts.csv`
  const [answer] = await once(request(address, { headers: { cookie } }).end(), 'response')
  const read = text(answer)
  await Promise.all([once(answer, 'readable'), desk.app.stop()])
  expect(linesOf(await read)).toBeGreaterThan(450)
})
