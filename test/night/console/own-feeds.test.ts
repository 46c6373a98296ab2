import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../../src/platform/clock.ts'
import { dayMs, hourMs } from '../../../src/platform/durations.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { readAtom } from '../../support/atom.ts'
import { startOpenIdProvider } from '../../support/fakes/openid-provider.ts'
import { storedState } from '../../support/stored.ts'
import { type Desk, openDesk } from '../../system/console/desk.ts'
import { hourlySweeps } from '../../system/console/hourly-sweeps.ts'
import { callbackOf, oidcOf, sentenceOf, signIn } from '../../system/console/oidc-desk.ts'
import { quickHashOf } from '../../system/console/quick-hash.ts'
import { firstAdmin, openUnset } from '../../system/console/setup-desk.ts'
import type { Visitor } from '../../system/console/visitor.ts'

const ends: (() => Promise<void>)[] = []
const closing = (end: () => Promise<void>) => void ends.push(end)
let moved = 0
const clock = { ...systemClock, now: () => Date.now() + moved }
let users: { name: string; password: string; role: string }[]
let desk: Desk
const password = 'correct horse battery'

beforeAll(async () => {
  const hash = await quickHashOf(password)
  users = [
    { name: 'ana', password: hash, role: 'admin' },
    { name: 'eve', password: hash, role: 'reader' },
  ]
  desk = await openDesk({ console: { users, publicUrl: 'https://desk.example/console' } }, { closing, clock })
  await desk.deliver('evt_claude')
  await desk.deliver('evt_gemini', { model: 'gemini' })
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

async function signedIn(name: string, at = desk): Promise<Visitor> {
  const visitor = at.visitor()
  await visitor.signIn(name, password)
  return visitor
}

/** The path of an address that a page has just shown, below the console's. */
function pathIn(html: string): string {
  return /\/console(\/feed\/bpown_[\w-]{43}\/alerts\.atom)/.exec(html)?.[1] ?? ''
}

async function follow(visitor: Visitor, list = '/alerts'): Promise<string> {
  const path = pathIn((await visitor.submit(list, '/feeds')).html)
  expect(path).not.toBe('')
  return path
}

const statusOf = async (path: string, at = desk, headers = {}) => (await at.visitor(headers).see(path)).status

test('a reader follows what the list shows, by an address of her own, until she withdraws it', async () => {
  const eve = await signedIn('eve')
  const { html } = await eve.submit('/alerts?model=gemini', '/feeds')
  expect(html).toContain('Your address for model gemini')
  const path = pathIn(html)
  const reader = desk.visitor()
  const atom = readAtom((await reader.see(path)).html)
  expect(atom.entries.map(({ title }) => title)).toEqual([expect.stringContaining('Gemini')])
  expect(atom.links).toMatchObject({
    self: `https://desk.example/console${path}`,
    alternate: 'https://desk.example/console/alerts?model=gemini',
  })
  const json = await reader.see(path.replace('.atom', '.json'))
  expect(JSON.parse(json.html)).toMatchObject({ items: [{ title: expect.stringContaining('Gemini') }] })
  expect(reader.cookies.size).toBe(0)

  await vi.waitUntil(async () => (await eve.see('/feeds')).html.includes('to the hour'))
  const secret = path.split('/')[2] ?? ''
  const page = (await eve.see('/feeds')).html
  expect(page).toMatch(/model gemini<\/a>/)
  expect(page).not.toContain(secret)

  const [id = ''] = /feed_[\w-]+(?=\/withdraw)/.exec(page) ?? []
  const { html: after } = await eve.submit('/feeds', `/feeds/${id}/withdraw`)
  expect(after).toContain('The address is withdrawn')
  expect(await statusOf(path)).toBe(410)
  const log = (await (await signedIn('ana')).see('/log')).html
  expect(log).toContain('eve made a feed address for “model gemini”')
  expect(log).toContain('eve withdrew a feed address for “model gemini”')
  for (const place of [log, desk.log.join(''), storedState(`${desk.folder}/data`)])
    expect(place).not.toContain(secret)
})

test('an address that nobody made is not found', async () => {
  const made = `bpown_${'A'.repeat(43)}`
  for (const secret of [made, 'x', '%00', '__proto__', 'x'.repeat(3_000)])
    expect([secret, await statusOf(`/feed/${secret}/alerts.atom`)]).toEqual([secret, 404])
  const { headers } = await desk.visitor().see(`/feed/${made}/alerts.json`)
  expect(headers['content-type']).toBe('application/problem+json')
})

test('nobody withdraws that of somebody else, and nobody sees it', async () => {
  const [ana, eve] = [await signedIn('ana'), await signedIn('eve')]
  const path = await follow(eve)
  const [id = ''] = /feed_[\w-]+(?=\/withdraw)/.exec((await eve.see('/feeds')).html) ?? []
  expect((await ana.see('/feeds')).html).not.toContain(id)
  const token = /name="token" value="([^"]+)"/.exec((await ana.see('/feeds')).html)?.[1] ?? ''
  expect(await ana.post(`/feeds/${id}/withdraw`, { token, key: 'k' })).toMatchObject({ status: 404 })
  expect(await statusOf(path)).toBe(200)
})

test('a form that is sent twice makes one address, and the twenty-first is refused', async () => {
  const ana = await signedIn('ana')
  const { html } = await ana.see('/feeds')
  const hidden = Object.fromEntries(
    Array.from(html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g), ([, name, value]) => [
      name,
      value,
    ]),
  )
  expect(pathIn((await ana.post('/feeds', hidden)).html)).not.toBe('')
  const again = await ana.post('/feeds', hidden)
  expect([again.status, pathIn(again.html)]).toEqual([422, ''])
  expect(again.html).toContain('This form was already sent')
  for (let count = 1; count < 20; count++) await follow(ana)
  const { status, html: full } = await ana.submit('/feeds', '/feeds')
  expect([status, pathIn(full)]).toEqual([422, ''])
  expect(full).toContain('You have 20 addresses')
})

test('a filter that there is not makes no feed of everything', async () => {
  const eve = await signedIn('eve')
  const token = /name="token" value="([^"]+)"/.exec((await eve.see('/feeds')).html)?.[1] ?? ''
  const { status, html } = await eve.post('/feeds', { token, key: 'bad', outcome: 'whatever' })
  expect([status, pathIn(html)]).toEqual([422, ''])
})

/** A desk whose hourly sweep of feeds runs when a test says so; each is an hour after the one before. */
async function openSwept(console: object) {
  const sweeps = hourlySweeps(clock)
  const swept = await openDesk({ console }, { closing, clock: sweeps.clock })
  async function sweep(times = 1): Promise<void> {
    for (let count = 0; count < times; count++) {
      moved += hourMs
      await sweeps.sweep()
    }
  }
  return { ...swept, sweep }
}

describe('an address ends', () => {
  const changed = (at: Desk, console: object) =>
    at.app.reload({ ...at.config, console: { ...at.config.console, ...console } } as never)

  test('with the account of its owner, for good, and the audit log says so; not with her password or role', async () => {
    const other = await openSwept({ users })
    const read = await follow(await signedIn('eve', other))
    const later = await quickHashOf('another password')
    await changed(other, { users: users.map((user) => ({ ...user, password: later, role: 'editor' })) })
    expect(await statusOf(read, other)).toBe(200)
    await changed(other, { users: users.filter(({ name }) => name === 'ana') })
    expect(await statusOf(read, other)).toBe(403)
    await other.sweep(3)
    expect(await statusOf(read, other)).toBe(410)
    await changed(other, { users })
    expect(await statusOf(read, other)).toBe(410)
    expect((await (await signedIn('ana', other)).see('/log')).html).toContain(
      'Bluepencil withdrew a feed address of eve for “all alerts”',
    )
  })

  test('also if nobody reads it meanwhile', async () => {
    const other = await openSwept({ users })
    const path = await follow(await signedIn('eve', other))
    await changed(other, { users: users.filter(({ name }) => name === 'ana') })
    await other.sweep(3)
    await changed(other, { users })
    expect(await statusOf(path, other)).toBe(410)
  })

  test('not by a mistake in the configuration that is corrected: it rests meanwhile', async () => {
    const other = await openSwept({ users })
    const path = await follow(await signedIn('eve', other))
    const mistake = { users: users.filter(({ name }) => name === 'ana') }
    for (const _again of [1, 2, 3]) {
      await changed(other, mistake)
      const answer = await other.visitor().see(path)
      expect([answer.status, JSON.parse(answer.html).title]).toEqual([403, 'This feed rests'])
      await other.sweep(2)
      await changed(other, { users })
      expect(await statusOf(path, other)).toBe(200)
      await other.sweep()
    }
    expect((await (await signedIn('ana', other)).see('/log')).html).not.toContain('Bluepencil withdrew')
  })

  test('with the role of somebody whom a proxy signs in; it rests if they were not here for a month', async () => {
    const proxy = { header: 'X-Forwarded-User', from: ['127.0.0.1/32'], roles: { zoe: 'reader' } }
    const behind = await openDesk({ console: { proxy } }, { closing, clock })
    const zoe = { 'x-forwarded-user': 'zoe' }
    const path = await follow(behind.visitor(zoe))
    expect(await statusOf(path, behind)).toBe(200)
    moved += 31 * dayMs
    expect(await statusOf(path, behind)).toBe(403)
    expect((await behind.visitor(zoe).see('/alerts')).status).toBe(200)
    await vi.waitUntil(async () => (await statusOf(path, behind)) === 200)
    moved -= 31 * dayMs
    await changed(behind, { proxy: { ...proxy, roles: { ana: 'admin' } } })
    expect(await statusOf(path, behind)).toBe(403)
  })

  test('with the role of somebody at an OpenID provider: by the configuration, or by what their next sign-in says', async () => {
    const provider = await startOpenIdProvider({ inToken: true })
    closing(() => provider.close())
    const at = await openDesk({ console: { oidc: oidcOf(provider) } }, { closing, clock })
    provider.trust([callbackOf(at)])
    const [ana, ben] = [at.visitor(), at.visitor()]
    await signIn(ana, 'ana')
    await signIn(ben, 'ben')
    const [ofAna, ofBen] = [await follow(ana), await follow(ben)]
    provider.changeTokens((claims) => ({ ...claims, groups: ['sports'] }))
    expect(await sentenceOf(at.visitor(), await signIn(at.visitor(), 'ben'))).toMatchObject({ status: 403 })
    await vi.waitUntil(async () => (await statusOf(ofBen, at)) === 403)
    expect(await statusOf(ofAna, at)).toBe(200)
    await changed(at, { oidc: oidcOf(provider, { clientId: 'other', clientSecret: 'another' }) })
    expect(await statusOf(ofAna, at)).toBe(403)
  })

  test('if people have to sign in from now on: that of this machine was nobody’s; until then only it reads there', async () => {
    const open = await openDesk({}, { closing, clock })
    const path = await follow(open.visitor())
    expect(await statusOf(path, open)).toBe(200)
    expect(await statusOf(path, open, { host: 'evil.example' })).toBe(403)
    await changed(open, { users })
    expect(await statusOf(path, open)).toBe(403)
  })
})

test('it outlives a restart', async () => {
  const first = await openDesk({ console: { users } }, { closing: () => {}, clock })
  const path = await follow(await signedIn('eve', first))
  await first.app.stop()
  const second = await openDesk({ console: { users } }, { folder: first.folder, closing, clock })
  expect(await statusOf(path, second)).toBe(200)
})

describe('an account that is made in the browser begins without feeds', () => {
  test('somebody of the same name has left one: it is withdrawn before the new account is there', async () => {
    const at = await openUnset()
    const ana = await firstAdmin(at)
    async function join(): Promise<Visitor> {
      const { html } = await ana.submit('/settings/people', '/settings/people', {
        name: 'eve',
        role: 'reader',
      })
      const key = /reset#([\w-]+)/.exec(html)?.[1] ?? ''
      const eve = at.visitor()
      await eve.submit('/reset', '/reset', { key, password, again: password })
      return eve
    }
    const path = await follow(await join())
    const read = async () => (await at.visitor().see(path)).status
    expect(await read()).toBe(200)
    await ana.submit('/settings/people', '/settings/people/eve/remove')
    expect(await read()).toBe(403)
    const eve = await join()
    expect((await eve.see('/feeds')).html).toContain('You have no feed addresses yet')
    expect(await read()).toBe(410)
    expect((await ana.see('/log')).html).toContain('Bluepencil withdrew a feed address of eve')
  })
  test('also the first one, after what was made in the browser was cleared', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'setup-'))
    const before = await openUnset({}, { folder, closing: () => {} })
    const path = await follow(await firstAdmin(before))
    await before.app.stop()
    const store = await openSqliteStore(join(folder, 'data'), { now: clock.now, onTrouble: () => {} })
    await store.changeState('settings', (stored) => ({ ...Object(stored), config: undefined }))
    await store.close()
    const again = await openUnset({}, { folder, closing })
    const ana = await firstAdmin(again)
    expect((await ana.see('/feeds')).html).toContain('You have no feed addresses yet')
    expect((await again.visitor().see(path)).status).toBe(410)
  })
})

test('if all people together have as many as there can be, the page says that, not that she has twenty', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  const store = await openSqliteStore(join(folder, 'data'), { now: clock.now, onTrouble: () => {} })
  const feeds = Array.from({ length: 2_000 }, (_, index) => ({
    id: `feed_${index}`,
    owner: { by: 'password', name: `person-${index % 200}` },
    filters: {},
    hash: `hash-${index}`,
    madeAt: new Date().toISOString(),
  }))
  await store.changeState('settings', () => ({ revision: 1, feeds: { feeds, withdrawn: [] } }))
  await store.close()
  const full = await openDesk({ console: { users } }, { folder, closing, clock })
  const { status, html } = await (await signedIn('eve', full)).submit('/feeds', '/feeds')
  expect([status, pathIn(html)]).toEqual([422, ''])
  expect(html).toContain('All people together have 2000 addresses')
  expect(html).not.toContain('You have 20 addresses')
})
