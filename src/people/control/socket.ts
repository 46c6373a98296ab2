import { chmod, rm } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import express from 'express'
import * as z from 'zod'
import { deskStates } from '../../event/desk.ts'
import { createApplication, createServer, request, whileItIsOpen } from '../../platform/server/application.ts'
import { type StoredEntry, StoreRefused } from '../../store/store.ts'
import { StoredScope } from '../converse/silences.ts'
import { TokenUse } from '../converse/tokens.ts'
import type { RunningControl } from './control.ts'

/** Events in one answer. */
const page = 1_000

/** The kernel's bound on the path of a socket, with its closing zero (unix(7)). */
const longestPath = 107

/** In the store's folder: a command that finds the store finds it. Relative if that is shorter. */
function socketPath(folder: string): string {
  const path = join(folder, 'control.sock')
  const fromHere = relative(process.cwd(), path)
  return fromHere.length < path.length ? fromHere : path
}

function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > longestPath
}

const Page = z.strictObject({
  limit: z.coerce.number().int().min(1).max(page),
  before: z.coerce.number().int().optional(),
  kind: z.enum(['alert', 'notice', 'act', 'digest']).optional(),
  outcome: z.literal('failed').optional(),
  from: z.string().optional(),
  withoutOutcomes: z
    .literal('true')
    .transform(() => true as const)
    .optional(),
})
const FiguresOfOne = z.object({
  service: z.string(),
  model: z.string(),
  category: z.string().exactOptional(),
  from: z.coerce.number(),
})
/** Only its name: the command may see the folder by another path. */
const Snapshot = z.object({ name: z.string().regex(/^snapshot-[\w-]+$/) })
const Subscription = z.object({ channel: z.string(), address: z.string() })
const doer = z.object({
  by: z.object({ name: z.string(), via: z.literal('command') }),
  key: z.string(),
})
const Replay = z.object({ channel: z.string().optional(), doer: doer.optional() })
const SendHeld = z.object({ doer, id: z.string().optional() })
const About = z.object({ doer, about: z.string() })
const SetDesk = z.object({
  doer,
  about: z.string(),
  wanted: z.object({ state: z.enum(deskStates), story: z.string().optional() }),
  seen: z.string().optional(),
})
const Restore = z.object({ doer, subscription: Subscription })
const wantedSilence = z.object({ scope: StoredScope, until: z.number(), why: z.string() })
const MakeSilence = z.object({ doer, wanted: wantedSilence })
const AddConfig = z.object({ doer, file: z.unknown() })
const SetPassword = z.object({ doer, name: z.string(), hash: z.string() })
const MakeToken = z.object({ doer, wanted: z.object({ name: z.string(), use: TokenUse }) })

/** Lets commands beside this process ask it; only its user can open the socket. Returns a function that closes it. */
export async function serveControl(folder: string, control: RunningControl): Promise<() => Promise<void>> {
  const path = socketPath(folder)
  if (isTooLong(path)) {
    throw new StoreRefused(
      `the path ${path} is too long for a socket (${longestPath} bytes); choose a shorter one for store`,
    )
  }
  const { acts, tokens, config } = control
  const app = createApplication()

  function get(path: string, answer: (request: express.Request, id: string) => Promise<unknown>): void {
    app.get(path, async (request, response) => {
      response.json((await answer(request, String(request.params.id))) ?? null)
    })
  }
  function post<Body>(
    path: string,
    schema: z.ZodType<Body>,
    answer: (body: Body, id: string) => Promise<unknown>,
  ): void {
    app.post(path, express.json({ limit: '1mb' }), async (request, response) => {
      const body = schema.parse(request.body ?? {})
      response.json((await answer(body, String(request.params.id))) ?? null)
    })
  }

  get('/events', ({ query }) => control.events(Page.parse(query)))
  get('/events/:id', (_request, id) => control.event(id))
  get('/events/:id/later', (_request, id) => control.later(id))
  app.get('/events/:id/evidence', async (request, response) => {
    const made = await whileItIsOpen(response, (signal) => control.evidence(request.params.id, signal))
    if (made !== undefined) response.json(made)
  })
  get('/chain', () => control.chain())
  get('/verify', () => control.verify())
  get('/readers', () => control.readers())
  get('/figures', ({ query }) => control.figures.read(FiguresOfOne.parse(query)))
  get('/figures/series', () => control.figures.series())
  get('/figures/revised', () => control.figures.revised())
  get('/silences', () => acts.silences())
  get('/tokens', () => tokens.list())
  get('/status', () => control.status())
  get('/ready', () => control.ready())
  post('/events/:id/replay', Replay, ({ channel, doer }, id) => control.replay(id, channel, doer))
  post('/channels/:id/send-held', SendHeld, ({ doer, id }, channel) => control.sendHeld(doer, channel, id))
  post('/snapshot', Snapshot, ({ name }) => control.snapshotTo(join(folder, name)))
  post('/readers/restore', Restore, ({ doer, subscription }) => control.restore(doer, subscription))
  post('/readers/token', Subscription, (subscription) => control.token(subscription))
  post('/acts/about', z.array(z.string()), (ids) => control.actsAbout(ids))
  post('/acts/acknowledge', About, ({ doer, about }) => acts.acknowledge(doer, about))
  post('/acts/set-desk', SetDesk, ({ doer, about, wanted, seen }) => acts.setDesk(doer, about, wanted, seen))
  post('/acts/end-silence', About, ({ doer, about }) => acts.endSilence(doer, about))
  post('/acts/silence', MakeSilence, ({ doer, wanted }) => acts.silence(doer, wanted))
  post('/tokens/make', MakeToken, ({ doer, wanted }) => tokens.make(doer, wanted))
  post('/config/add', AddConfig, ({ doer, file }) => config.add(doer, file))
  post('/config/clear', z.object({ doer }), ({ doer }) => config.clear(doer))
  post('/config/password', SetPassword, ({ doer, name, hash }) => config.setPassword(doer, name, hash))
  post('/tokens/revoke', About, ({ doer, about }) => tokens.revoke(doer, about))
  app.use(((error, _request, response, _next) => {
    response.status(500).json({ error: error instanceof Error ? error.message : String(error) })
  }) satisfies express.ErrorRequestHandler)
  await rm(path, { force: true })
  const server = createServer(app)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  await chmod(path, 0o600)
  return async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    await rm(path, { force: true })
  }
}

/** Asks the `serve` that holds the store in this folder; undefined if none answers. */
export async function connectControl(folder: string): Promise<RunningControl | undefined> {
  const path = socketPath(folder)
  if (isTooLong(path)) return undefined
  const get = <T>(address: string) => call<T>(path, 'GET', address)
  const post = <T>(address: string, body: object) => call<T>(path, 'POST', address, body)
  const eventPath = (id: string) => `/events/${encodeURIComponent(id)}`
  try {
    await get('/status')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
  return {
    async events({ limit, before, ...filter }) {
      const rows: StoredEntry[] = []
      for (let from = before; rows.length < limit; from = rows.at(-1)?.seq) {
        const wanted = Math.min(limit - rows.length, page)
        const query = Object.entries({ ...filter, limit: wanted, before: from }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)]],
        )
        const more = await get<StoredEntry[]>(`/events?${new URLSearchParams(query)}`)
        rows.push(...more)
        if (more.length < wanted) break
      }
      return rows
    },
    event: async (id) => (await get<StoredEntry | null>(eventPath(id))) ?? undefined,
    later: (id) => get(`${eventPath(id)}/later`),
    actsAbout: (ids) => post('/acts/about', ids),
    replay: (id, channel, doer) => post(`${eventPath(id)}/replay`, { channel, doer }),
    sendHeld: (doer, channel, id) => post(`/channels/${encodeURIComponent(channel)}/send-held`, { doer, id }),
    evidence: (id) => get(`${eventPath(id)}/evidence`),
    chain: () => get('/chain'),
    verify: async () => (await get<string[] | null>('/verify')) ?? undefined,
    snapshotTo: (to) => post('/snapshot', { name: basename(to) }),
    status: () => get('/status'),
    ready: () => get('/ready'),
    figures: {
      read: ({ service, model, category, from }) => {
        const query = { service, model, from: String(from), ...(category !== undefined && { category }) }
        return get(`/figures?${new URLSearchParams(query)}`)
      },
      series: () => get('/figures/series'),
      revised: () => get('/figures/revised'),
    },
    readers: () => get('/readers'),
    restore: (doer, subscription) => post('/readers/restore', { doer, subscription }),
    token: (subscription) => post('/readers/token', subscription),
    acts: {
      acknowledge: (doer, about) => post('/acts/acknowledge', { doer, about }),
      setDesk: (doer, about, wanted, seen) => post('/acts/set-desk', { doer, about, wanted, seen }),
      silence: (doer, wanted) => post('/acts/silence', { doer, wanted }),
      endSilence: (doer, about) => post('/acts/end-silence', { doer, about }),
      silences: () => get('/silences'),
    },
    tokens: {
      list: () => get('/tokens'),
      make: (doer, wanted) => post('/tokens/make', { doer, wanted }),
      revoke: (doer, about) => post('/tokens/revoke', { doer, about }),
    },
    config: {
      add: (doer, file) => post('/config/add', { doer, file }),
      clear: (doer) => post('/config/clear', { doer }),
      setPassword: (doer, name, hash) => post('/config/password', { doer, name, hash }),
    },
    close: async () => {},
  }
}

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR'
}

/** The other end is this program: what it answers is of the type that `serveControl` sends. */
function call<T>(socketPath: string, method: string, path: string, body?: object): Promise<T> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { socketPath, method, path, headers: { 'content-type': 'application/json' } },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (answer.statusCode === 200) resolve(JSON.parse(text) as T)
          else reject(new Error(`the running service answered ${answer.statusCode}: ${text}`))
        })
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
