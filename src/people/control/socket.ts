import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import express from 'express'
import * as z from 'zod'
import { deskStates } from '../../event/desk.ts'
import { createApplication } from '../../platform/server/application.ts'
import { createServer, whileItIsOpen } from '../../platform/server/http.ts'
import { StoreRefused } from '../../store/store.ts'
import { StoredScope } from '../converse/silences.ts'
import { TokenUse } from '../converse/tokens.ts'
import { isTooLong, longestPath, mostEventsInAnswer, socketPath } from './connect.ts'
import type { RunningControl } from './control.ts'

const Page = z.strictObject({
  limit: z.coerce.number().int().min(1).max(mostEventsInAnswer),
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
    // It is made within this call: at no moment may others open it.
    const before = process.umask(0o177)
    server.listen(path, resolve)
    process.umask(before)
  })
  return async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    await rm(path, { force: true })
  }
}
