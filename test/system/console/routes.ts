import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import * as z from 'zod'
import type { Role } from '../../../src/config/values.ts'
import { AlertFilters } from '../../../src/console/query.ts'
import { pageRoutes, programRoutes } from '../../../src/console/routes.ts'
import { listen } from '../../../src/platform/server/listen.ts'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { type Desk, openDesk } from './desk.ts'
import { markupThatRuns } from './markup.ts'
import { quickHashOf } from './quick-hash.ts'
import { storeFigures } from './stored-figures.ts'

const ranks: Role[] = ['reader', 'editor', 'admin']
const people = { eve: 'reader', ben: 'editor', ana: 'admin' } as const
type Name = keyof typeof people
export const names = Object.keys(people) as Name[]

/** A console with a person of each role, and what a test needs to ask it as each of them. For all tests of a file. */
export function routesDesk() {
  const ends: (() => Promise<void>)[] = []
  let desk: Desk
  let routes: string[] = []
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
    const closing = (end: () => Promise<void>) => void ends.push(end)
    const [service, discord] = [await startSandbox({ port: 0, seed: 7 }), await startFakeDiscord()]
    closing(() => service.close())
    closing(() => discord.close())
    const folder = mkdtempSync(join(tmpdir(), 'routes-'))
    const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
    await storeFigures(store, service.url)
    await store.close()
    desk = await openDesk(
      {
        console: { users },
        monitor: { baseUrl: service.url, apiKey: 'sandbox-pro', tier: 'pro' },
        polling: { mode: 'off' },
        discord: { token: discord.token, apiUrl: discord.url },
        channels: [
          { name: 'desk', type: 'console' },
          { name: 'news', type: 'discord', to: discord.channelId },
        ],
      },
      {
        closing,
        folder,
        listen(application, options) {
          if (options.setting === 'console.listen.port') routes = routesOf(application.router.stack)
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
    await vi.waitUntil(async () => (await ana.see('/alerts/evt_1/sent/news')).status === 303)
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  /** As the person with this cookie; closes a stream that does not end. */
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
    const pages = [
      '/silences',
      '/tokens',
      '/feeds',
      '/alerts',
      '/channels',
      '/channels/desk/filters',
      '/alerts/evt_1',
    ]
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

  return { ask, acts, fieldsOf, cookies, tokens, ofPrograms, found: () => routes }
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

/** Names of what there is: an alert with a chart and a message that can be opened, a channel, a model. */
const inPaths: Record<string, string> = {
  ':id': 'evt_1',
  ':name': 'desk',
  ':model': 'claude',
  ':channel': 'news',
}

/** All that the console answers, and who may, from the table that it is served by. */
export const table = [...programRoutes, ...pageRoutes].map(({ method, path: pattern, needs }) => {
  const path = pattern.replace(/:\w+/g, (name) => inPaths[name] ?? name)
  return { route: `${method} ${pattern}`, method, pattern, path, needs }
})
/** All but what is the same for everybody: the files that pages load, and the page that verifies evidence. */
export const rows = table.filter(
  ({ pattern }) => pattern !== '/verify.html' && !/\.(?:css|js)$/.test(pattern),
)
export type Row = (typeof rows)[number]
/** Those of our pages and forms, of a sign-in at a provider, and one that nothing has. */
export const parameters = [
  ...Object.keys(AlertFilters.shape),
  ...'before cursor limit token done about until why to code state error iss surplus'.split(' '),
]
export const guarded = rows.filter(({ needs }) => needs !== 'anyone')
const roleFor = (needs: Row['needs']): Role => (needs === 'editor' || needs === 'admin' ? needs : 'reader')
export const mayBy = (name: Name, needs: Row['needs']) =>
  ranks.indexOf(people[name]) >= ranks.indexOf(roleFor(needs))

/** What in an answer could run: markup of a page, or a page where none is meant; and that it failed. */
export function harmIn({ status, type, text }: Answer, of: string): string[] {
  const isPage = type.startsWith('text/html')
  const wrongType = !isPage && /html|script/.test(type) ? [type] : []
  const failed = status >= 500 ? [`answered ${status}`] : []
  return [...(isPage ? markupThatRuns(text) : wrongType), ...failed].map((what) => `${of}: ${what}`)
}
