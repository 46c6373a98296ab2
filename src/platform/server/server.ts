import type { ErrorRequestHandler, Express, IRouter, RequestHandler } from 'express'
import { type Clock, within } from '../clock.ts'
import { createApplication, createRoutes, isPlainTarget } from './application.ts'
import type { Listening, listen } from './listen.ts'

export interface ServerParts {
  host: string
  port: number
  basePath: string
  /** The path below which the console shares this listener; undefined if it has its own. */
  sharedPath: string | undefined
  /** Adds the way in for deliveries. */
  webhook(routes: IRouter): void
  /** Adds the ways in for what people do in a chat. */
  chat(routes: IRouter): void
  /** Adds the way out for readers of mail. */
  unsubscribing(routes: IRouter): void
  metrics: { text(): Promise<string>; readonly contentType: string }
  /** What `/readyz` answers. */
  ready(): Promise<{ status: 'ready' | 'degraded' | 'unavailable' | 'not_set_up' }>
  clock: Clock
  listen: typeof listen
  onError(error: unknown): void
}

export interface Serving extends Listening {
  /** What is below `sharedPath`, and nobody else's, is this application's, until what this answers is closed. */
  share(application: Express): Listening
}

/** The HTTP side: the webhook and what operators look at. */
export async function startServer(parts: ServerParts): Promise<Serving> {
  const app = createApplication()
  const routes = createRoutes()
  parts.webhook(routes)
  parts.chat(routes)
  parts.unsubscribing(routes)
  routes.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })
  routes.get('/readyz', async (_request, response) => {
    const readiness = await parts.ready()
    response.status(['ready', 'degraded'].includes(readiness.status) ? 200 : 503).json(readiness)
  })
  routes.get('/metrics', async (_request, response) => {
    response.type(parts.metrics.contentType).send(await parts.metrics.text())
  })
  app.use(parts.basePath === '' ? '/' : parts.basePath, (request, response, next) => {
    if (isPlainTarget(request.originalUrl)) routes(request, response, next)
    else next()
  })
  const sharing = createSharing(parts.clock)
  const { sharedPath } = parts
  if (sharedPath !== undefined) {
    app.use((request, response, next) => {
      // By the target as it came: what a proxy reads in another way than Express is not passed on.
      if (isBelow(request.originalUrl, sharedPath)) sharing.answer(request, response, next)
      else next()
    })
  }
  app.use(notFound)
  app.use(((error, _request, response, next) => {
    parts.onError(error)
    if (response.headersSent) return next(error)
    response.status(500).json({ error: { code: 'INTERNAL', message: 'Something went wrong; see the log.' } })
  }) satisfies ErrorRequestHandler)

  const { host, port, clock } = parts
  const listening = await parts.listen(app, { host, port, clock })
  return {
    ...listening,
    share: (application) => ({ port: listening.port, close: sharing.by(application) }),
  }
}

/** What is being answered at the end gets so many milliseconds. */
const closeMs = 2_000

/** The requests of an application that has no listener of its own. */
function createSharing(clock: Clock) {
  let shared: Express | undefined
  const open = new Set<Promise<void>>()
  const answer: RequestHandler = (request, response, next) => {
    if (shared === undefined) {
      const text =
        'The console is not there: it begins, or ends, or could not be served. Please try again in a moment.'
      return void response.status(503).set('Retry-After', '10').type('text').send(text)
    }
    const ended = new Promise<void>((resolve) => response.once('close', resolve))
    open.add(ended)
    void ended.then(() => open.delete(ended))
    shared(request, response, next)
  }
  return {
    answer,
    /** Returns what ends it, when it has answered. */
    by(application: Express): () => Promise<void> {
      shared = application
      return async () => {
        shared = undefined
        await within(clock, closeMs, Promise.all(open))
      }
    },
  }
}

function isBelow(target: string, path: string): boolean {
  return target === path || target.startsWith(`${path}/`) || target.startsWith(`${path}?`)
}

const notFound: RequestHandler = (_request, response) => {
  response.status(404).json({ error: { code: 'NOT_FOUND', message: 'There is nothing at this address.' } })
}
