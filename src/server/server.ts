import type { ErrorRequestHandler, IRouter, RequestHandler } from 'express'
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

/** The HTTP side: the webhook and what operators look at. */
export async function startServer(parts: ServerParts): Promise<Listening> {
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
    else notFound(request, response, next)
  })
  app.use(notFound)
  app.use(((error, _request, response, next) => {
    parts.onError(error)
    if (response.headersSent) return next(error)
    response.status(500).json({ error: { code: 'INTERNAL', message: 'Something went wrong; see the log.' } })
  }) satisfies ErrorRequestHandler)

  const { host, port, clock } = parts
  return parts.listen(app, { host, port, clock })
}

const notFound: RequestHandler = (_request, response) => {
  response.status(404).json({ error: { code: 'NOT_FOUND', message: 'There is nothing at this address.' } })
}
