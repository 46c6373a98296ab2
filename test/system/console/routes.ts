import { afterAll, beforeAll, expect, vi } from 'vitest'
import * as z from 'zod'
import type { Role } from '../../../src/config/console.ts'
import { AlertFilters } from '../../../src/console/query.ts'
import { listen } from '../../../src/platform/server/listen.ts'
import { type Desk, openDesk } from './desk.ts'
import { markupThatRuns } from './markup.ts'
import { quickHashOf } from './quick-hash.ts'

/** Who may: a role; for programs also a token of a use; or everybody. */
type Needs = Role | 'feeds' | 'api' | 'anyone'

/** All that the console answers. A route that is not here fails the first test below. */
export const table: Record<string, Needs> = {
  'GET /': 'reader',
  'GET /alerts': 'reader',
  'GET /alerts/:id': 'reader',
  'GET /alerts/:id/chart': 'reader',
  'GET /alerts/:id/chart-light.svg': 'reader',
  'GET /alerts/:id/chart-dark.svg': 'reader',
  'GET /alerts/:id/evidence': 'reader',
  'GET /models': 'reader',
  'GET /models/comparison-light.svg': 'reader',
  'GET /models/comparison-dark.svg': 'reader',
  'GET /models/:model/chart-light.svg': 'reader',
  'GET /models/:model/chart-dark.svg': 'reader',
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
  'POST /channels/:name/send-held': 'editor',
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
export const names = Object.keys(people) as Name[]

/** A console with a person of each role, and what a test needs to ask it as each of them. For all tests of a file. */
export function routesDesk() {
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
        password: await quickHashOf(`password of ${name}`),
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
    cookies.forged = forged(cookies.signedOut)
    await vi.waitUntil(async () => (await ana.see('/alerts')).html.includes('evt_1'))
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

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

  /** What people did, by the page of it. */
  async function acts(): Promise<number> {
    return (await ask('GET', '/log', { cookie: cookies.ana ?? '' })).text.split('<time').length
  }

  /** The names of fields in our forms: in all of them, and in those that lead there. */
  async function fieldsOf(action: string): Promise<{ all: string[]; own: string[] }> {
    const cookie = cookies.ana ?? ''
    const pages = ['/silences', '/tokens', '/channels', '/channels/desk/filters', '/alerts/evt_1']
    const shown = await Promise.all(pages.map((page) => ask('GET', page, { cookie })))
    const forms = [...shown, await ask('GET', '/sign-in')].flatMap(({ text }) =>
      text.split('<form ').slice(1),
    )
    const namesIn = (given: string[]) => [
      ...new Set(
        given.flatMap((form) =>
          [...form.matchAll(/ name="([\w.-]+)"/g)].flatMap(([, name = '']) =>
            name === 'token' ? [] : [name],
          ),
        ),
      ),
    ]
    const all = namesIn(forms)
    expect(all.length).toBeGreaterThan(15)
    return { all, own: namesIn(forms.filter((form) => form.includes(`action="${action}"`))) }
  }

  return { ask, acts, fieldsOf, cookies, tokens, ofPrograms, found: () => found }
}

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

export interface Answer {
  status: number
  type: string
  to: string
  text: string
}

/** The cookie of a session that has ended, under another name for it: all in it is right, but its signature. */
function forged(cookie: string): string {
  const [text = '', mark = ''] = decodeURIComponent(cookie).split('.')
  const payload = { ...JSON.parse(Buffer.from(text, 'base64url').toString()), id: 'another' }
  return `${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${mark}`
}

export function isRefused({ status, to }: Answer): boolean {
  return [401, 403].includes(status) || (status === 303 && to.startsWith('/console/sign-in'))
}

/** There is nothing at it, or it says no more than which methods there are. */
export function isNothing({ status, text }: Answer): boolean {
  return status === 404 || (status === 200 && text === 'GET, HEAD')
}

export const rows = Object.entries(table).map(([route, needs]) => {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern.replace(':id', 'evt_1').replace(':name', 'desk').replace(':model', 'claude')
  return { route, method, pattern, path, needs }
})
export type Row = (typeof rows)[number]
/** Those of our pages and forms, of a sign-in at a provider, and one that nothing has. */
export const parameters = [
  ...Object.keys(AlertFilters.shape),
  ...'before cursor limit token done about until why to code state error iss whatever'.split(' '),
]
export const guarded = rows.filter(({ needs }) => needs !== 'anyone')
const roleFor = (needs: Needs): Role => (needs === 'editor' || needs === 'admin' ? needs : 'reader')
export const mayBy = (name: Name, needs: Needs) =>
  ranks.indexOf(people[name]) >= ranks.indexOf(roleFor(needs))

/** What in an answer could run: markup of a page, or a page where none is meant; and that it failed. */
export function harmIn({ status, type, text }: Answer, of: string): string[] {
  const isPage = type.startsWith('text/html')
  const wrongType = !isPage && /html|script/.test(type) ? [type] : []
  const failed = status >= 500 ? [`answered ${status}`] : []
  return [...(isPage ? markupThatRuns(text) : wrongType), ...failed].map((what) => `${of}: ${what}`)
}
