import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/clock.ts'
import { hashOf } from '../../../src/console/access/password.ts'
import { dayMs, minuteMs } from '../../../src/durations.ts'
import { type Desk, openDesk } from './desk.ts'
import type { Visitor } from './visitor.ts'

const passwords = { ana: 'correct horse battery', ben: 'staple of the editor', eve: 'only looks at things' }
const roles = { ana: 'admin', ben: 'editor', eve: 'reader' }
type Name = keyof typeof passwords
/** The least that a configuration may have: what counts here is not how long it takes. */
const quick = { ln: 14, r: 8, p: 1 }

let users: { name: string; password: string; role: string }[]
let moved = 0
const clock = { ...systemClock, now: () => Date.now() + moved }
const ends: (() => Promise<void>)[] = []
let desk: Desk

beforeAll(async () => {
  users = await Promise.all(
    Object.entries(passwords).map(async ([name, password]) => ({
      name,
      password: await hashOf(password, quick),
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
]
const acts = [
  '/alerts/evt_1/acknowledge',
  '/alerts/evt_1/send-again',
  '/silences',
  '/silences/act_1/end',
  '/channels/desk/test',
  '/tokens',
  '/tokens/tok_1/revoke',
]

async function tokenOf(visitor: Visitor, page = '/silences'): Promise<string> {
  return /name="token" value="([^"]+)"/.exec((await visitor.see(page)).html)?.[1] ?? ''
}

/** What people did, as the store has it. */
async function entries(): Promise<number> {
  const admin = await signedIn('ana')
  return (await admin.see('/log')).html.split('<time').length
}

describe('without a sign-in', () => {
  test.each(pages)('%s leads to the page to sign in, and back', async (page) => {
    const { status, headers, html } = await desk.visitor().see(page)
    expect(status).toBe(303)
    expect(headers.location).toBe(`/console/sign-in?to=${encodeURIComponent(page)}`)
    expect(html).not.toMatch(/evt_1.*Claude/s)
  })

  test.each(acts)('%s does nothing', async (act) => {
    const before = await entries()
    const visitor = desk.visitor()
    const token = await tokenOf(visitor, '/sign-in')
    const { status, headers } = await visitor.post(act, {
      token,
      key: 'k',
      channel: 'desk',
      until: '1h',
      why: 'x',
    })
    expect([status, headers.location]).toEqual([303, '/console/sign-in'])
    expect(await entries()).toBe(before)
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
    expect(seen.html).toMatch(/<h1>Claude refuses/)
    expect(seen.html).toContain('ana, admin')
  })

  test.each([
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/x\r\nSet-Cookie: a=b',
    '/@evil.example',
  ])('and nowhere else: %s', async (to) => {
    const visitor = desk.visitor()
    const token = await tokenOf(visitor, '/sign-in')
    const { headers } = await visitor.post('/sign-in', { token, name: 'ana', password: passwords.ana, to })
    expect(headers.location).toMatch(/^\/console\//)
    expect(new URL(String(headers.location), desk.url).origin).toBe(new URL(desk.url).origin)
  })

  test('a wrong password and an unknown name are told the same', async () => {
    const one = await desk.visitor().signIn('ana', 'wrong')
    const other = await desk.visitor().signIn('nobody', 'wrong')
    expect([one.status, other.status]).toEqual([401, 401])
    expect(one.html.match(/role="alert">.*?</)?.[0]).toBe(other.html.match(/role="alert">.*?</)?.[0])
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
    const other = await hashOf('another password', quick)
    await second.app.reload(
      changed({ users: demoted.map((user) => ({ ...user, password: other })) }) as never,
    )
    expect((await again.see('/')).status).toBe(303)
  })

  test('who fails too often waits, from their network and by their name, in every process and after a restart', async () => {
    const one = await openDesk({ console: { users } }, { closing: () => {}, clock })
    const visitor = one.visitor()
    for (let tries = 0; tries < 10; tries++) {
      expect((await visitor.signIn('ana', `wrong ${tries}`)).status).toBe(401)
    }
    const refused = await visitor.signIn('ana', passwords.ana)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(600)
    await one.app.stop()
    const two = await openDesk({ console: { users } }, { folder: one.folder, clock })
    expect((await two.visitor().signIn('ana', passwords.ana)).status).toBe(429)
    moved = 16 * minuteMs
    expect((await two.visitor().signIn('ana', passwords.ana)).status).toBe(200)
    moved = 0
  })
})

describe('each role', () => {
  test.each([
    ['eve', '/configuration', 403],
    ['eve', '/log', 403],
    ['ben', '/configuration', 403],
    ['ben', '/log', 403],
    ['ana', '/configuration', 200],
    ['ana', '/log', 200],
    ['eve', '/alerts/evt_1', 200],
  ] as const)('%s at %s: %i', async (name, page, status) => {
    expect((await (await signedIn(name)).see(page)).status).toBe(status)
  })

  test.each(acts)('a reader does nothing by %s, and is shown no button for it', async (act) => {
    const before = await entries()
    const visitor = await signedIn('eve')
    const token = await tokenOf(visitor, '/')
    expect(token).not.toBe('')
    const { status } = await visitor.post(act, { token, key: 'k', channel: 'desk', until: '1h', why: 'x' })
    expect(status).toBe(403)
    expect(await entries()).toBe(before)
    for (const page of ['/alerts/evt_1', '/silences', '/channels']) {
      expect((await visitor.see(page)).html).not.toMatch(/method="post" action="\/console\/(?!sign-out)/)
    }
  })

  test('an editor acts, and the entry has their name', async () => {
    const visitor = await signedIn('ben')
    await visitor.submit('/alerts/evt_1', '/alerts/evt_1/acknowledge')
    const admin = await signedIn('ana')
    expect((await admin.see('/log')).html).toContain('ben acknowledged evt_1')
  })
})

describe('a cookie', () => {
  const forge = (change: (payload: Record<string, unknown>) => object) => (cookie: string) => {
    const [text = '', mark = ''] = decodeURIComponent(cookie).split('.')
    const payload = JSON.parse(Buffer.from(text, 'base64url').toString())
    return `${Buffer.from(JSON.stringify(change(payload))).toString('base64url')}.${mark}`
  }
  test.each<[string, (cookie: string) => string]>([
    ['that names another person', forge((payload) => ({ ...payload, user: 'ana' }))],
    ['that lasts longer', forge((payload) => ({ ...payload, until: Date.now() * 2 }))],
    ['without its signature', (cookie) => decodeURIComponent(cookie).split('.')[0] ?? ''],
    ['with another signature', (cookie) => `${decodeURIComponent(cookie).split('.')[0]}.AAAA`],
    ['that is no JSON', () => 'x.y'],
    ['that is far too long', () => 'x'.repeat(8_000)],
  ])('%s is nobody’s', async (_, change) => {
    const visitor = await signedIn('eve')
    const forged = desk.visitor()
    forged.cookies.set('bluepencil_console', change(visitor.cookies.get('bluepencil_console') ?? ''))
    expect((await forged.see('/')).status).toBe(303)
  })
})

describe('a form', () => {
  const fields = { key: 'k', model: 'claude', until: '1h', why: 'x' }

  test.each<[string, (own: string, others: string) => [Record<string, string>, Record<string, string>]]>([
    ['without its token', () => [{}, {}]],
    ['with a token that is made up', () => [{ token: 'A'.repeat(43) }, {}]],
    ['with the token of somebody else', (_, others) => [{ token: others }, {}]],
    ['that another site sends', (own) => [{ token: own }, { origin: 'https://evil.example' }]],
    [
      'that the browser says is from elsewhere',
      (own) => [{ token: own }, { 'sec-fetch-site': 'cross-site' }],
    ],
    ['from a page without an address', (own) => [{ token: own }, { origin: 'null' }]],
  ])('%s does nothing', async (_, given) => {
    const before = await entries()
    const visitor = await signedIn('ben')
    const [own, others] = [await tokenOf(visitor), await tokenOf(await signedIn('ana'))]
    const [more, headers] = given(own, others)
    const { status, html } = await visitor.post('/silences', { ...fields, ...more }, headers)
    expect(status).toBe(403)
    expect(html).toContain('Nothing was done')
    expect(await entries()).toBe(before)
  })

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

  test.each([
    'evil.example',
    'evil.example:8081',
    '192.0.2.1:8081',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
  ])('a page that a browser was led to under the name %s shows nothing', async (host) => {
    const { status, html } = await open.visitor({ host }).see('/')
    expect(status).toBe(403)
    expect(html).not.toContain('Newest alerts')
  })

  test.each(['localhost', 'localhost:9999', '127.0.0.1', '[::1]:8081'])(
    'this machine is answered, as %s',
    async (host) => {
      expect((await open.visitor({ host }).see('/')).status).toBe(200)
    },
  )

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host'])(
    'what a proxy passes on with %s is refused',
    async (name) => {
      expect((await open.visitor({ [name]: '203.0.113.7' }).see('/')).status).toBe(403)
    },
  )

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
    expect((await visitor.see('/silences')).html).toContain('No silence is in force.')
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

  test('who has no role is told so', async () => {
    const behind = await openDesk({ console: { proxy: { ...proxy, roles: { ana: 'admin' } } } })
    const { status, html } = await behind.visitor({ 'x-forwarded-user': 'zoe' }).see('/')
    expect(status).toBe(403)
    expect(html).toContain('zoe has no role here')
  })
})
