import { chmod, rm } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import express from 'express'
import * as z from 'zod'
import type { Readiness } from '../../operators/readiness.ts'
import { createApplication } from '../../platform/server/application.ts'
import { createServer, request } from '../../platform/server/http.ts'
import { whileItIsOpen } from '../../platform/server/while-open.ts'
import type { FollowUps } from '../../store/near.ts'
import { type StoredEntry, StoreRefused } from '../../store/store.ts'
import type { SentHeld } from '../converse/acts.ts'
import { TokenUse } from '../converse/tokens.ts'
import type { Suppressions } from '../readers/suppressions.ts'
import type { ChainReport, ControlStatus, ReplayAnswer, RunningControl } from './control.ts'

/** Events in one answer. */
const page = 1_000

/** The kernel's bound on the path of a socket, with its closing zero (unix(7)). */
const longestPath = 107

/** In the store's folder, so that it is found by who finds the store; relative where that is shorter. */
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
/** Who asks may see the folder by another path. */
const Snapshot = z.object({ name: z.string().regex(/^snapshot-[\w-]+$/) })
const Subscribed = z.object({ channel: z.string(), address: z.string() })
const doer = z.object({
  by: z.object({ name: z.string(), via: z.literal('command') }),
  key: z.string(),
})
const ReplayBody = z.object({ channel: z.string().optional(), doer: doer.optional() })
const SendHeldBody = z.object({ doer, id: z.string().optional() })
const Asked = z.object({ doer, about: z.string() })
const AskedRestore = z.object({ doer, subscription: Subscribed })
const AskedSilence = z.object({
  doer,
  wanted: z.object({
    scope: z.object({
      model: z.string().exactOptional(),
      category: z.string().exactOptional(),
      channel: z.string().exactOptional(),
    }),
    until: z.number(),
    why: z.string(),
  }),
})

const AskedToken = z.object({ doer, wanted: z.object({ name: z.string(), use: TokenUse }) })

/** Lets commands beside this process ask it; only its user can open the socket. Answers a function that closes it. */
export async function serveControl(folder: string, control: RunningControl): Promise<() => Promise<void>> {
  const path = socketPath(folder)
  if (isTooLong(path)) {
    throw new StoreRefused(
      `the path ${path} is too long for a socket (${longestPath} bytes); choose a shorter one for store`,
    )
  }
  const app = createApplication()
  app.get('/events', async (asked, answer) => {
    answer.json(await control.events(Page.parse(asked.query)))
  })
  app.get('/events/:id', async (asked, answer) => {
    answer.json((await control.event(asked.params.id)) ?? null)
  })
  app.get('/events/:id/later', async (asked, answer) => {
    answer.json(await control.later(asked.params.id))
  })
  app.post('/events/:id/replay', express.json(), async (asked, answer) => {
    const { channel, doer } = ReplayBody.parse(asked.body ?? {})
    answer.json(await control.replay(asked.params.id, channel, doer))
  })
  app.post('/channels/:name/send-held', express.json(), async (asked, answer) => {
    const { doer, id } = SendHeldBody.parse(asked.body)
    answer.json(await control.sendHeld(doer, asked.params.name, id))
  })
  app.get('/events/:id/evidence', async (asked, answer) => {
    const made = await whileItIsOpen(answer, (signal) => control.evidence(asked.params.id, signal))
    if (made !== undefined) answer.json(made)
  })
  app.get('/chain', async (_asked, answer) => {
    answer.json(await control.chain())
  })
  app.get('/verify', async (_asked, answer) => {
    answer.json((await control.verify()) ?? null)
  })
  app.post('/snapshot', express.json(), async (asked, answer) => {
    await control.snapshotTo(join(folder, Snapshot.parse(asked.body).name))
    answer.json(null)
  })
  app.get('/readers', async (_asked, answer) => {
    answer.json(await control.readers())
  })
  app.post('/readers/restore', express.json(), async (asked, answer) => {
    const { doer, subscription } = AskedRestore.parse(asked.body)
    answer.json(await control.restore(doer, subscription))
  })
  app.post('/readers/token', express.json(), async (asked, answer) => {
    answer.json(await control.token(Subscribed.parse(asked.body)))
  })
  app.post('/acts/acknowledge', express.json(), async (asked, answer) => {
    const { doer, about } = Asked.parse(asked.body)
    answer.json(await control.acts.acknowledge(doer, about))
  })
  app.post('/acts/end-silence', express.json(), async (asked, answer) => {
    const { doer, about } = Asked.parse(asked.body)
    answer.json(await control.acts.endSilence(doer, about))
  })
  app.post('/acts/silence', express.json(), async (asked, answer) => {
    const { doer, wanted } = AskedSilence.parse(asked.body)
    answer.json(await control.acts.silence(doer, wanted))
  })
  app.get('/silences', async (_asked, answer) => {
    answer.json(await control.acts.silences())
  })
  app.get('/tokens', async (_asked, answer) => {
    answer.json(await control.tokens.list())
  })
  app.post('/tokens/make', express.json(), async (asked, answer) => {
    const { doer, wanted } = AskedToken.parse(asked.body)
    answer.json(await control.tokens.make(doer, wanted))
  })
  app.post('/tokens/revoke', express.json(), async (asked, answer) => {
    const { doer, about } = Asked.parse(asked.body)
    answer.json(await control.tokens.revoke(doer, about))
  })
  app.get('/status', async (_asked, answer) => {
    answer.json(await control.status())
  })
  app.get('/ready', async (_asked, answer) => {
    answer.json(await control.ready())
  })
  app.use(((error, _asked, answer, _next) => {
    answer.status(500).json({ error: error instanceof Error ? error.message : String(error) })
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

/** Asks the `serve` that holds the store in this folder; undefined where none answers. */
export async function connectControl(folder: string): Promise<RunningControl | undefined> {
  const path = socketPath(folder)
  if (isTooLong(path)) return undefined
  const ask = <T>(method: string, address: string, body?: unknown) => call<T>(path, method, address, body)
  try {
    await ask('GET', '/status')
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
        const more = await ask<StoredEntry[]>('GET', `/events?${new URLSearchParams(query)}`)
        rows.push(...more)
        if (more.length < wanted) break
      }
      return rows
    },
    event: async (id) =>
      (await ask<StoredEntry | null>('GET', `/events/${encodeURIComponent(id)}`)) ?? undefined,
    later: (id) => ask<FollowUps>('GET', `/events/${encodeURIComponent(id)}/later`),
    replay: (id, channel, doer) =>
      ask<ReplayAnswer>('POST', `/events/${encodeURIComponent(id)}/replay`, { channel, doer }),
    sendHeld: (doer, channel, id) =>
      ask<SentHeld>('POST', `/channels/${encodeURIComponent(channel)}/send-held`, { doer, id }),
    evidence: (id) => ask('GET', `/events/${encodeURIComponent(id)}/evidence`),
    chain: () => ask<ChainReport>('GET', '/chain'),
    verify: async () => (await ask<string[] | null>('GET', '/verify')) ?? undefined,
    snapshotTo: (to) => ask('POST', '/snapshot', { name: basename(to) }),
    status: () => ask<ControlStatus>('GET', '/status'),
    ready: () => ask<Readiness>('GET', '/ready'),
    readers: () => ask<Suppressions>('GET', '/readers'),
    restore: (doer, subscription) => ask<Suppressions>('POST', '/readers/restore', { doer, subscription }),
    token: (subscription) => ask<string>('POST', '/readers/token', subscription),
    acts: {
      acknowledge: (doer, about) => ask('POST', '/acts/acknowledge', { doer, about }),
      silence: (doer, wanted) => ask('POST', '/acts/silence', { doer, wanted }),
      endSilence: (doer, about) => ask('POST', '/acts/end-silence', { doer, about }),
      silences: () => ask('GET', '/silences'),
    },
    tokens: {
      list: () => ask('GET', '/tokens'),
      make: (doer, wanted) => ask('POST', '/tokens/make', { doer, wanted }),
      revoke: (doer, about) => ask('POST', '/tokens/revoke', { doer, about }),
    },
    close: async () => {},
  }
}

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR'
}

/** The other end is this program: what it answers is of the type that `serveControl` sends. */
function call<T>(socketPath: string, method: string, path: string, body: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const asked = request(
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
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
