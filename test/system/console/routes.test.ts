import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import type { Role } from '../../../src/config/role.ts'
import { hashOf } from '../../../src/console/access/password.ts'
import { Filters } from '../../../src/console/asked.ts'
import { listen } from '../../../src/server/listen.ts'
import { type Desk, openDesk } from './desk.ts'
import { harmful, markupThatRuns } from './markup.ts'

/** Who may: a role; for programs also a token of a use; or everybody. */
type Needs = Role | 'feeds' | 'api' | 'anyone'

/** All that the console answers. A route that is not here fails the first test below. */
const table: Record<string, Needs> = {
  'GET /': 'reader',
  'GET /alerts': 'reader',
  'GET /alerts/:id': 'reader',
  'GET /alerts/:id/chart': 'reader',
  'GET /alerts/:id/chart-light.svg': 'reader',
  'GET /alerts/:id/chart-dark.svg': 'reader',
  'GET /alerts/:id/evidence': 'reader',
  'GET /channels': 'reader',
  'GET /silences': 'reader',
  'GET /failed': 'reader',
  'GET /dictionary': 'reader',
  'GET /live': 'reader',
  'GET /channels/:name/filters': 'editor',
  'GET /configuration': 'admin',
  'GET /log': 'admin',
  'GET /tokens': 'admin',
  'POST /alerts/:id/acknowledge': 'editor',
  'POST /alerts/:id/send-again': 'editor',
  'POST /silences': 'editor',
  'POST /silences/:id/end': 'editor',
  'POST /channels/:name/test': 'editor',
  'POST /channels/:name/filters': 'editor',
  'POST /channels/:name/filters/try': 'editor',
  'POST /channels/:name/filters/restore': 'editor',
  'POST /tokens': 'admin',
  'POST /tokens/:id/revoke': 'admin',
  'GET /feed.atom': 'feeds',
  'GET /feed.json': 'feeds',
  'GET /alerts.csv': 'api',
  'GET /alerts.json': 'api',
  'GET /alerts/:id/citation.json': 'api',
  'GET /alerts/:id/citation.bib': 'api',
  'GET /api/v1/events': 'api',
  'GET /api/v1/events/:id': 'api',
  'GET /api/v1/openapi.json': 'api',
  // What there is nothing at, in the words of a program.
  'ALL /api': 'anyone',
  'ALL /api/{*path}': 'anyone',
  'GET /sign-in': 'anyone',
  'POST /sign-in': 'anyone',
  'GET /sign-in/oidc': 'anyone',
  'GET /sign-in/oidc/callback': 'anyone',
  'POST /sign-out': 'anyone',
  'GET /ASSET.css': 'anyone',
  'GET /ASSET.js': 'anyone',
}

const ranks: Role[] = ['reader', 'editor', 'admin']
const people = { eve: 'reader', ben: 'editor', ana: 'admin' } as const
type Name = keyof typeof people
const names = Object.keys(people) as Name[]

const ends: (() => Promise<void>)[] = []
let desk: Desk
let found: string[] = []
const cookies: Record<string, string> = {}
const tokens: Record<string, string> = {}
const ofPrograms = { feeds: '', api: '' }

beforeAll(async () => {
  const users = await Promise.all(
    Object.entries(people).map(async ([name, role]) => ({
      name,
      password: await hashOf(`password of ${name}`, { ln: 14, r: 8, p: 1 }),
      role,
    })),
  )
  desk = await openDesk(
    { console: { users } },
    {
      closing: (end) => void ends.push(end),
      listen(application, options) {
        if (options.setting === 'console.listen.port') found = routesOf(application.router.stack)
        return listen(application, options)
      },
    },
  )
  await desk.deliver('evt_1')
  for (const name of Object.keys(people)) {
    const visitor = desk.visitor()
    await visitor.signIn(name, `password of ${name}`)
    cookies[name] = visitor.cookies.get('bluepencil_console') ?? ''
    tokens[name] = /name="token" value="([^"]+)"/.exec((await visitor.see('/')).html)?.[1] ?? ''
  }
  const [ana, gone] = [desk.visitor(), desk.visitor()]
  await ana.signIn('ana', 'password of ana')
  cookies.second = ana.cookies.get('bluepencil_console') ?? ''
  for (const use of ['feeds', 'api'] as const) {
    const { html } = await ana.submit('/tokens', '/tokens', { name: use, use })
    ofPrograms[use] = /bp(?:feeds|api)_[\w-]{43}/.exec(html)?.[0] ?? ''
  }
  await gone.signIn('ana', 'password of ana')
  cookies.signedOut = gone.cookies.get('bluepencil_console') ?? ''
  await gone.submit('/', '/sign-out')
  cookies.forged = forged(cookies.eve ?? '')
  await vi.waitUntil(async () => (await ana.see('/alerts')).html.includes('evt_1'))
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** What the routers of an Express application answer, as "GET /alerts/:id", in the order of its routers. */
function routesOf(stack: unknown): string[] {
  const path = z.union([z.string(), z.string().array()])
  const Layer = z.object({
    route: z.object({ path, methods: z.record(z.string(), z.boolean()) }).optional(),
    handle: z.unknown(),
  })
  return z
    .array(Layer)
    .parse(stack)
    .flatMap(({ route, handle }) => {
      if (typeof handle === 'function' && 'stack' in handle) return routesOf(handle.stack)
      if (route === undefined) return []
      const methods = Object.keys(route.methods).map((one) => (one === '_all' ? 'ALL' : one.toUpperCase()))
      return [route.path].flat().flatMap((one) => methods.map((method) => `${method} ${one}`))
    })
}

interface Answer {
  status: number
  type: string
  to: string
  text: string
}

/** As whoever has this cookie; a stream that does not end is left. */
async function ask(
  method: string,
  path: string,
  {
    cookie,
    fields,
    headers = {},
  }: { cookie?: string; fields?: object; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const leaving = new AbortController()
  const answer = await fetch(`${desk.url.replace(/\/$/, '')}${path}`, {
    method,
    redirect: 'manual',
    signal: leaving.signal,
    headers: { ...(cookie !== undefined && { cookie: `bluepencil_console=${cookie}` }), ...headers },
    ...(fields && { body: new URLSearchParams({ ...fields }) }),
  })
  const type = answer.headers.get('content-type') ?? ''
  const text = type.includes('event-stream') ? '' : await answer.text()
  leaving.abort()
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  return { status: answer.status, type, to: answer.headers.get('location') ?? '', text }
}

function forged(cookie: string): string {
  const [text = '', mark = ''] = decodeURIComponent(cookie).split('.')
  const payload = { ...JSON.parse(Buffer.from(text, 'base64url').toString()), user: 'ana' }
  return `${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${mark}`
}

/** What people did, by the page of it. */
async function acts(): Promise<number> {
  return (await ask('GET', '/log', { cookie: cookies.ana ?? '' })).text.split('<time').length
}

function isRefused({ status, to }: Answer): boolean {
  return [401, 403].includes(status) || (status === 303 && to.startsWith('/console/sign-in'))
}

/** There is nothing at it, or it says no more than which methods there are. */
function isNothing({ status, text }: Answer): boolean {
  return status === 404 || (status === 200 && text === 'GET, HEAD')
}

const rows = Object.entries(table).map(([route, needs]) => {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern.replace(':id', 'evt_1').replace(':name', 'desk')
  return { route, method, pattern, path, needs }
})
const guarded = rows.filter(({ needs }) => needs !== 'anyone')
const roleFor = (needs: Needs): Role => (needs === 'editor' || needs === 'admin' ? needs : 'reader')
const mayBy = (name: Name, needs: Needs) => ranks.indexOf(people[name]) >= ranks.indexOf(roleFor(needs))

test('every route of the console is in the table, and nothing else is', () => {
  const shown = found.map((route) => route.replace(/\/(?:style|live-page)-[0-9a-f]{12}(?=\.)/, '/ASSET'))
  const ofBase = ['GET /console', 'GET /']
  expect(shown.filter((route) => !(route in table) && !ofBase.includes(route))).toEqual([])
  expect(Object.keys(table).filter((route) => !shown.includes(route))).toEqual([])
})

describe.each(guarded)('$route', ({ method, path, needs }) => {
  const fieldsOf = (name: string) =>
    method === 'POST' ? { fields: { token: tokens[name] ?? '', key: 'k' } } : {}

  test('is refused to nobody, to a forged cookie, and to one that was signed out', async () => {
    const before = await acts()
    const without = await ask(method, path, fieldsOf('ana'))
    expect(isRefused(without)).toBe(true)
    for (const name of ['forged', 'signedOut']) {
      expect(isRefused(await ask(method, path, { cookie: cookies[name] ?? '', ...fieldsOf('ana') }))).toBe(
        true,
      )
    }
    expect(without.text).not.toContain('Claude refuses')
    expect(await acts()).toBe(before)
  })

  test.each(names.filter((name) => !mayBy(name, needs)))('is refused to %s by their role', async (name) => {
    const before = await acts()
    const answer = await ask(method, path, { cookie: cookies[name] ?? '', ...fieldsOf(name) })
    expect([answer.status, answer.text.includes(`It needs the role ${needs}`)]).toEqual([403, true])
    expect(await acts()).toBe(before)
  })

  test.each(names.filter((name) => method === 'GET' && mayBy(name, needs)))(
    'is shown to %s',
    async (name) => {
      expect((await ask(method, path, { cookie: cookies[name] ?? '' })).status).toBe(200)
    },
  )

  test('a token opens it where it was made for it, and nowhere else', async () => {
    for (const use of ['feeds', 'api'] as const) {
      const inAddress = await ask(method, `${path}?token=${ofPrograms[use]}`, fieldsOf('ana'))
      const headers = { authorization: `Bearer ${ofPrograms[use]}` }
      const inHeader = await ask(method, path, { headers, ...fieldsOf('ana') })
      expect([isRefused(inAddress), isRefused(inHeader)]).toEqual([
        !(needs === 'feeds' && use === 'feeds'),
        !(needs === 'api' && use === 'api'),
      ])
    }
  })
})

describe.each(guarded.filter(({ method }) => method === 'POST'))('the form of $route', ({ path }) => {
  test.each<[string, object, Record<string, string>]>([
    ['without its token', {}, {}],
    ['with somebody else’s', { token: 'of ben' }, {}],
    ['from another site', { token: 'own' }, { origin: 'https://evil.example' }],
    ['that the browser says is from elsewhere', { token: 'own' }, { 'sec-fetch-site': 'cross-site' }],
  ])('%s does nothing', async (_, given, headers) => {
    const before = await acts()
    const written = { 'of ben': tokens.ben, own: tokens.ana }
    const fields = Object.fromEntries(
      Object.entries(given).map(([name, of]) => [name, written[of as keyof typeof written] ?? '']),
    )
    const answer = await ask('POST', path, {
      cookie: cookies.ana ?? '',
      headers,
      fields: { key: 'k', ...fields },
    })
    expect([answer.status, answer.text.includes('Nothing was done')]).toEqual([403, true])
    expect(await acts()).toBe(before)
  })
})

test('another method than that of a route does nothing, and shows nobody anything', async () => {
  const before = await acts()
  for (const path of new Set(guarded.map((row) => row.path))) {
    const known = new Set(rows.filter((row) => row.path === path).map(({ method }) => method))
    if (known.has('GET')) known.add('HEAD')
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const nobody = await ask(method, path)
      expect([method, path, isRefused(nobody) || isNothing(nobody)]).toEqual([method, path, true])
      if (known.has(method)) continue
      const admin = await ask(method, path, { cookie: cookies.ana ?? '' })
      expect([method, path, isNothing(admin)]).toEqual([method, path, true])
    }
  }
  expect(await acts()).toBe(before)
})

/** What in an answer could run: markup of a page, or a page where none is meant; and that it failed. */
function harmIn({ status, type, text }: Answer, of: string): string[] {
  const isPage = type.startsWith('text/html')
  const wrongType = !isPage && /html|script/.test(type) ? [type] : []
  const failed = status >= 500 ? [`answered ${status}`] : []
  return [...(isPage ? markupThatRuns(text) : wrongType), ...failed].map((what) => `${of}: ${what}`)
}

/** The names of fields in our forms: in all of them, and in those that lead there. */
async function fieldsOf(action: string): Promise<{ all: string[]; own: string[] }> {
  const cookie = cookies.ana ?? ''
  const pages = ['/silences', '/tokens', '/channels', '/channels/desk/filters', '/alerts/evt_1']
  const shown = await Promise.all(pages.map((page) => ask('GET', page, { cookie })))
  const forms = [...shown, await ask('GET', '/sign-in')].flatMap(({ text }) => text.split('<form ').slice(1))
  const namesIn = (given: string[]) => [
    ...new Set(
      given.flatMap((form) =>
        [...form.matchAll(/ name="([\w.-]+)"/g)].flatMap(([, name = '']) => (name === 'token' ? [] : [name])),
      ),
    ),
  ]
  const all = namesIn(forms)
  expect(all.length).toBeGreaterThan(15)
  return { all, own: namesIn(forms.filter((form) => form.includes(`action="${action}"`))) }
}

describe('a script in what is asked', () => {
  const parameters = [
    ...Object.keys(Filters.shape),
    ...'before cursor limit token done about until why to code state error iss whatever'.split(' '),
  ]

  test.each(rows.filter(({ method }) => method === 'GET'))(
    'of $route is harmless, in each of its parameters and in none of its own',
    async ({ path, pattern }) => {
      const cookie = cookies.ana ?? ''
      const harm: string[] = []
      for (const name of [...parameters, harmful('name')]) {
        const text = encodeURIComponent(harmful(name))
        harm.push(
          ...harmIn(await ask('GET', `${path}?${encodeURIComponent(name)}=${text}`, { cookie }), name),
        )
      }
      const list = parameters.map((name) => `${name}[]=${encodeURIComponent(harmful(name))}`).join('&')
      harm.push(...harmIn(await ask('GET', `${path}?${list}`, { cookie }), 'lists'))
      const inPath = pattern.replace(/:\w+/, encodeURIComponent(harmful('path')))
      harm.push(...harmIn(await ask('GET', inPath, { cookie }), 'path'))
      expect(harm).toEqual([])
    },
  )

  test.each(rows.filter(({ method }) => method === 'POST'))(
    'of $route is harmless, in every field of our forms',
    async ({ path, pattern }) => {
      const cookie = cookies.ana ?? ''
      const harm: string[] = []
      const { all, own } = await fieldsOf(`/console${path}`)
      const token = tokens.ana ?? ''
      const harmfulIn = (names: string[]) => Object.fromEntries(names.map((name) => [name, harmful(name)]))
      harm.push(...harmIn(await ask('POST', path, { cookie, fields: { ...harmfulIn(all), token } }), 'all'))
      for (const name of own) {
        harm.push(
          ...harmIn(await ask('POST', path, { cookie, fields: { ...harmfulIn([name]), token } }), name),
        )
      }
      const inPath = pattern.replace(/:\w+/, encodeURIComponent(harmful('path')))
      harm.push(...harmIn(await ask('POST', inPath, { cookie, fields: { token } }), 'path'))
      expect(harm).toEqual([])
    },
  )
})

test('after all of that each page of an administrator is harmless, and each act has its person', async () => {
  // That of the other one was among what was signed out.
  const cookie = cookies.second ?? ''
  const harm: string[] = []
  for (const { method, path } of rows) {
    if (method === 'GET') harm.push(...harmIn(await ask('GET', path, { cookie }), path))
  }
  const { text } = await ask('GET', '/log', { cookie })
  expect(harm).toEqual([])
  expect(text).toContain('ana acknowledged evt_1')
  expect(text).not.toContain('eve acknowledged')
})
