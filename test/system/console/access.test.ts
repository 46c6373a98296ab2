import { sign } from 'cookie-signature'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/platform/clock.ts'
import { dayMs, minuteMs } from '../../../src/platform/durations.ts'
import { storedState } from '../../support/stored.ts'
import { type Desk, openDesk } from './desk.ts'
import { quickHashOf } from './quick-hash.ts'
import type { Visitor } from './visitor.ts'

const passwords = { ana: 'correct horse battery', ben: 'staple of the editor', eve: 'only looks at things' }
const roles = { ana: 'admin', ben: 'editor', eve: 'reader' }
type Name = keyof typeof passwords

let users: { name: string; password: string; role: string }[]
let moved = 0
const clock = { ...systemClock, now: () => Date.now() + moved }
const ends: (() => Promise<void>)[] = []
let desk: Desk

beforeAll(async () => {
  users = await Promise.all(
    Object.entries(passwords).map(async ([name, password]) => ({
      name,
      password: await quickHashOf(password),
      role: roles[name as Name],
    })),
  )
  desk = await openDesk({ console: { users } }, { closing: (end) => void ends.push(end), clock })
  await desk.deliver('evt_1')
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

async function signedIn(name: Name, at = desk): Promise<Visitor> {
  const visitor = at.visitor()
  await visitor.signIn(name, passwords[name])
  return visitor
}

const pages = [
  '/',
  '/alerts',
  '/alerts/evt_1',
  '/alerts/evt_1/chart',
  '/models',
  '/models/claude/chart-light.svg',
  '/channels',
  '/silences',
  '/failed',
  '/configuration',
  '/log',
  '/tokens',
  '/dictionary',
  '/figures',
  '/feeds',
]
async function tokenOf(visitor: Visitor, page = '/silences'): Promise<string> {
  return /name="token" value="([^"]+)"/.exec((await visitor.see(page)).html)?.[1] ?? ''
}

test('what the network said of the service is for those who can act on it, not for readers', async () => {
  const more = {
    console: { users },
    monitor: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key' },
    webhook: { publicUrl: 'https://desk.example' },
  }
  const away = await openDesk(more)
  const [ana, eve] = [await signedIn('ana', away), await signedIn('eve', away)]
  await expect.poll(async () => (await ana.see('/')).html).toMatch(/unreachable: GET http/)
  const { html } = await eve.see('/')
  expect(html).toContain('unreachable')
  expect(html).not.toMatch(/GET |127\.0\.0\.1|ECONN|monitor\.baseUrl/)
})

describe('without a sign-in', () => {
  test('every page leads to the page to sign in, and back', async () => {
    const wrong: string[] = []
    for (const page of pages) {
      const { status, headers, html } = await desk.visitor().see(page)
      const isRight = status === 303 && headers.location === `/console/sign-in?to=${encodeURIComponent(page)}`
      if (!isRight || /evt_1.*Claude/s.test(html)) wrong.push(page)
    }
    expect(wrong).toEqual([])
  })

  test('live updates are refused, and the charts too', async () => {
    expect((await desk.visitor().see('/live')).status).toBe(403)
    expect((await desk.visitor().see('/alerts/evt_1/chart-light.svg')).status).toBe(303)
  })
})

describe('with a name and a password', () => {
  test('somebody comes to the page that they wanted', async () => {
    const visitor = desk.visitor()
    const seen = await visitor.submit('/sign-in?to=/alerts/evt_1', '/sign-in', {
      name: 'ana',
      password: passwords.ana,
    })
    expect(seen.html).toMatch(/<h1>Claude’s refusal rate/)
    expect(seen.html).toContain('ana, admin')
  })

  test('and nowhere else', async () => {
    const { origin } = new URL(desk.url)
    const led: string[] = []
    for (const to of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/x\r\nSet-Cookie: a=b',
      '/@evil.example',
    ]) {
      const visitor = desk.visitor()
      const token = await tokenOf(visitor, '/sign-in')
      const { headers } = await visitor.post('/sign-in', { token, name: 'ana', password: passwords.ana, to })
      const location = String(headers.location)
      if (!location.startsWith('/console/') || new URL(location, desk.url).origin !== origin) led.push(to)
    }
    expect(led).toEqual([])
  })

  test('a wrong password and an unknown name get the same answer', async () => {
    const wrongPassword = await desk.visitor().signIn('ana', 'wrong')
    const other = await desk.visitor().signIn('nobody', 'wrong')
    expect([wrongPassword.status, other.status]).toEqual([401, 401])
    expect(wrongPassword.html.match(/role="alert">.*?</)?.[0]).toBe(
      other.html.match(/role="alert">.*?</)?.[0],
    )
  })

  test('the session is a signed cookie that no script sees and no other site sends', async () => {
    const visitor = desk.visitor()
    const token = await tokenOf(visitor, '/sign-in')
    const { headers } = await visitor.post('/sign-in', { token, name: 'ana', password: passwords.ana })
    expect(headers['set-cookie']?.[0]).toMatch(
      /^bluepencil_console=[^;]+; Max-Age=604800; Path=\/console; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    )
  })

  test('behind https it travels by https alone', async () => {
    const secure = await openDesk({ console: { users, publicUrl: 'https://desk.example/console' } })
    const { headers } = await secure.visitor().see('/sign-in')
    expect(headers['set-cookie']?.[0]).toContain('; Secure')
  })

  test('it begins another session than that of the page to sign in', async () => {
    const visitor = desk.visitor()
    await visitor.see('/sign-in')
    const before = visitor.cookies.get('bluepencil_console')
    await visitor.signIn('ana', passwords.ana)
    const planted = desk.visitor()
    planted.cookies.set('bluepencil_console', before ?? '')
    expect((await planted.see('/')).status).toBe(303)
  })

  test('signing out ends the session wherever its cookie is', async () => {
    const visitor = await signedIn('ana')
    const stolen = desk.visitor()
    stolen.cookies.set('bluepencil_console', visitor.cookies.get('bluepencil_console') ?? '')
    expect((await stolen.see('/')).status).toBe(200)
    await visitor.submit('/', '/sign-out')
    expect((await stolen.see('/')).status).toBe(303)
    expect((await visitor.see('/')).status).toBe(303)
  })

  test('the session is over after a week', async () => {
    const visitor = await signedIn('eve')
    moved = 7 * dayMs - 60_000
    expect((await visitor.see('/')).status).toBe(200)
    moved = 7 * dayMs + 60_000
    expect((await visitor.see('/')).status).toBe(303)
    moved = 0
  })

  test('it outlives a restart, and ends with the password or the person', async () => {
    const first = await openDesk({ console: { users } }, { closing: () => {} })
    const visitor = await signedIn('ben', first)
    await first.app.stop()
    const cookie = visitor.cookies.get('bluepencil_console') ?? ''
    const second = await openDesk({ console: { users } }, { folder: first.folder })
    const again = second.visitor()
    again.cookies.set('bluepencil_console', cookie)
    expect((await again.see('/')).html).toContain('ben, editor')
    const changed = (given: object) => ({ ...second.config, console: { ...second.config.console, ...given } })
    const demoted = users.map((user) => ({ ...user, role: 'reader' as const }))
    await second.app.reload(changed({ users: demoted }) as never)
    expect((await again.see('/')).html).toContain('ben, reader')
    const other = await quickHashOf('another password')
    await second.app.reload(
      changed({ users: demoted.map((user) => ({ ...user, password: other })) }) as never,
    )
    expect((await again.see('/')).status).toBe(303)
  })

  test('a name with fifty wrong tries waits, in every process and after a restart', async () => {
    const first = await openDesk({ console: { users } }, { closing: () => {}, clock })
    const visitor = first.visitor()
    const token = await tokenOf(visitor, '/sign-in')
    for (let tries = 0; tries < 50; tries++) {
      const wrong = { token, name: 'ana', password: `wrong ${tries}` }
      expect((await visitor.post('/sign-in', wrong)).status).toBe(401)
    }
    const refused = await visitor.signIn('ana', passwords.ana)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(600)
    await first.app.stop()
    const two = await openDesk({ console: { users } }, { folder: first.folder, clock })
    expect((await two.visitor().signIn('ana', passwords.ana)).status).toBe(429)
    moved = 16 * minuteMs
    expect((await two.visitor().signIn('ana', passwords.ana)).status).toBe(200)
    moved = 0
  })

  test('behind a proxy that is not named, a stranger who fails keeps nobody else out', async () => {
    const at = await openDesk({ console: { users, publicUrl: 'http://desk.example/console' } })
    const through = (from: string) => at.visitor({ host: 'desk.example', 'x-forwarded-for': from })
    for (let tries = 0; tries < 12; tries++) {
      expect((await through('203.0.113.66').signIn('ben', 'a guess')).status).toBe(401)
    }
    expect((await through('198.51.100.7').signIn('ana', passwords.ana)).status).toBe(200)
    expect(at.log.join()).toContain('a proxy that server.trustProxy does not name')
  })
})

describe('each role', () => {
  test('a reader is shown no button that does anything', async () => {
    const visitor = await signedIn('eve')
    for (const page of ['/alerts/evt_1', '/silences', '/channels']) {
      expect((await visitor.see(page)).html).not.toMatch(/method="post" action="\/console\/(?!sign-out)/)
    }
  })

  test('an editor acts, and the entry has their name', async () => {
    const visitor = await signedIn('ben')
    await visitor.submit('/alerts/evt_1', '/alerts/evt_1/acknowledge')
    const admin = await signedIn('ana')
    expect((await admin.see('/log')).html).toContain('ben acknowledged <a href="/console/alerts/evt_1">')
  })
})

describe('a cookie', () => {
  const forge = (change: (payload: Record<string, unknown>) => object) => (cookie: string) => {
    const [text = '', mark = ''] = decodeURIComponent(cookie).split('.')
    const payload = JSON.parse(Buffer.from(text, 'base64url').toString())
    return `${Buffer.from(JSON.stringify(change(payload))).toString('base64url')}.${mark}`
  }
  const changes: [string, (cookie: string) => string][] = [
    ['names another person', forge((payload) => ({ ...payload, user: 'ana' }))],
    ['lasts longer', forge((payload) => ({ ...payload, until: Date.now() * 2 }))],
    ['without its signature', (cookie) => decodeURIComponent(cookie).split('.')[0] ?? ''],
    ['with another signature', (cookie) => `${decodeURIComponent(cookie).split('.')[0]}.AAAA`],
    ['no JSON', () => 'x.y'],
    ['far too long', () => 'x'.repeat(8_000)],
  ]

  test('that is not as we signed it is nobody’s', async () => {
    const cookie = (await signedIn('eve')).cookies.get('bluepencil_console') ?? ''
    const accepted: string[] = []
    for (const [name, change] of changes) {
      const forged = desk.visitor()
      forged.cookies.set('bluepencil_console', change(cookie))
      if ((await forged.see('/')).status !== 303) accepted.push(name)
    }
    expect(accepted).toEqual([])
  })
})

test('a cookie that a version before wrote otherwise, with the same key, leads to the page to sign in', async () => {
  await desk.visitor().see('/')
  const [key = ''] = /(?<="key":\s*")[\w-]{43}/.exec(storedState(`${desk.folder}/data`)) ?? []
  const text = Buffer.from(JSON.stringify({ id: 'x', name: 'ana', until: Date.now() + 60_000 })).toString(
    'base64url',
  )
  const visitor = desk.visitor()
  visitor.cookies.set('bluepencil_console', sign(text, key))
  const { status, headers } = await visitor.see('/alerts')
  expect([status, headers.location]).toEqual([303, '/console/sign-in?to=%2Falerts'])
})

describe('a form', () => {
  const fields = { key: 'k', model: 'claude', until: '1h', why: 'x' }

  test('of another kind than a form of ours, and one that is far too large, is refused', async () => {
    const visitor = await signedIn('ben')
    const json = await visitor.post('/silences', fields, { 'content-type': 'application/json' })
    expect(json.status).toBe(403)
    const large = await visitor.post('/silences', { why: 'x'.repeat(50_000) })
    expect(large.status).toBe(413)
  })
})

describe('where nobody has to sign in', () => {
  let open: Desk
  beforeAll(async () => {
    open = await openDesk({}, { closing: (end) => void ends.push(end) })
  })

  test('a page that a browser was led to under another name shows nothing', async () => {
    const shown: string[] = []
    for (const host of [
      'evil.example',
      'evil.example:8081',
      '192.0.2.1:8081',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ]) {
      const { status, html } = await open.visitor({ host }).see('/')
      if (status !== 403 || html.includes('Newest alerts')) shown.push(host)
    }
    expect(shown).toEqual([])
  })

  test('this machine is answered, by each of its names', async () => {
    const refused: string[] = []
    for (const host of ['localhost', 'localhost:9999', '127.0.0.1', '[::1]:8081'])
      if ((await open.visitor({ host }).see('/')).status !== 200) refused.push(host)
    expect(refused).toEqual([])
  })

  test('what a proxy passes on is refused', async () => {
    const shown: string[] = []
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host'])
      if ((await open.visitor({ [name]: '203.0.113.7' }).see('/')).status !== 403) shown.push(name)
    expect(shown).toEqual([])
  })

  test('a form that another site sends does nothing', async () => {
    const visitor = open.visitor()
    const token = await tokenOf(visitor)
    const sent = await visitor.post(
      '/silences',
      { token, key: 'k', until: '1h', why: 'x' },
      { origin: 'https://evil.example' },
    )
    expect(sent.status).toBe(403)
    expect((await visitor.post('/silences', { key: 'k', until: '1h', why: 'x' })).status).toBe(403)
    expect((await visitor.see('/silences')).html).toContain('There are no active silences.')
  })
})

describe('behind a proxy that signs people in', () => {
  const proxy = { header: 'X-Forwarded-User', from: ['127.0.0.1/32'], roles: { ana: 'admin', '*': 'reader' } }

  test('its header says who it is, and a role is given by name', async () => {
    const behind = await openDesk({ console: { proxy } })
    expect((await behind.visitor({ 'x-forwarded-user': 'ana' }).see('/')).html).toContain('ana, admin')
    expect((await behind.visitor({ 'x-forwarded-user': 'zoe' }).see('/')).html).toContain('zoe, reader')
    expect((await behind.visitor({ 'x-forwarded-user': '__proto__' }).see('/')).html).toContain(
      '__proto__, reader',
    )
    expect((await behind.visitor().see('/')).status).toBe(403)
  })

  test('from elsewhere the header counts for nothing', async () => {
    const behind = await openDesk({ console: { proxy: { ...proxy, from: ['192.0.2.0/24'] } } })
    expect((await behind.visitor({ 'x-forwarded-user': 'ana' }).see('/')).status).toBe(403)
  })

  test('a person without a role gets an answer that says so', async () => {
    const behind = await openDesk({ console: { proxy: { ...proxy, roles: { ana: 'admin' } } } })
    const { status, html } = await behind.visitor({ 'x-forwarded-user': 'zoe' }).see('/')
    expect(status).toBe(403)
    expect(html).toContain('zoe has no role here')
  })
})
