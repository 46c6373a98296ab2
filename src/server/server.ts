import type { ErrorRequestHandler, Express, IRouter, RequestHandler } from 'express'
import type { Clock } from '../clock.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createApplication, createRoutes, isPlainTarget } from './application.ts'
import type { Listening, listen } from './listen.ts'
import type { Readiness } from './readiness.ts'

export interface ServerParts {
  host: string
  port: number
  basePath: string
  /** Adds the way in for deliveries. */
  webhook(routes: IRouter): void
  /** Adds the ways in for what people do in a chat. */
  chat(routes: IRouter): void
  /** Adds the way out for readers of mail. */
  unsubscribing(routes: IRouter): void
  metrics: Pick<Metrics, 'text' | 'contentType'>
  ready(): Promise<Readiness>
  clock: Clock
  listen: typeof listen
  onError(error: unknown): void
}

export interface Serving extends Listening {
  /** What is below this path, and nobody else's, is this application's, until what it answers is closed. */
  share(application: Express, below: string): Listening
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
    response.status(readiness.status === 'unavailable' ? 503 : 200).json(readiness)
  })
  routes.get('/metrics', async (_request, response) => {
    response.type(parts.metrics.contentType).send(await parts.metrics.text())
  })
  app.use(parts.basePath === '' ? '/' : parts.basePath, (request, response, next) => {
    if (isPlainTarget(request.originalUrl)) routes(request, response, next)
    else next()
  })
  let shared: { application: Express; below: string } | undefined
  app.use((request, response, next) => {
    // By the target as it came: what a proxy reads in another way than Express is not passed on.
    if (shared !== undefined && isBelow(request.originalUrl, shared.below))
      shared.application(request, response, next)
    else next()
  })
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
    share(application, below) {
      shared = { application, below }
      return {
        port: listening.port,
        async close() {
          shared = undefined
        },
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
