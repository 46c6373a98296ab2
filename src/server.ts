import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type IRouter } from 'express'
import { classesOf, createApplication } from './application.ts'
import { createPatientServer } from './patience.ts'
import type { Readiness } from './telemetry/health.ts'
import type { Metrics } from './telemetry/metrics.ts'

export interface ServerParts {
  host: string
  port: number
  basePath: string
  /** Adds the way in for deliveries. */
  webhook(routes: IRouter): void
  metrics: Pick<Metrics, 'text' | 'contentType'>
  ready(): Promise<Readiness>
  onError(error: unknown): void
}

export interface Server {
  readonly port: number
  /** Takes no new connections, and ends when the requests under way are answered, or cut off after a moment. */
  close(): Promise<void>
}

/** At the end, what is still being sent to us gets so many milliseconds. */
const closeMs = 2_000

/** Rejects with a sentence where it cannot listen. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen'
}

/** The HTTP side: the webhook and what operators look at. */
export async function startServer(parts: ServerParts): Promise<Server> {
  const app = createApplication()
  const routes = express.Router()
  parts.webhook(routes)
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
  app.use(parts.basePath === '' ? '/' : parts.basePath, routes)
  app.use((_request, response) => {
    response.status(404).json({ error: { code: 'NOT_FOUND', message: 'There is nothing at this address.' } })
  })
  app.use(((error, _request, response, next) => {
    parts.onError(error)
    if (response.headersSent) return next(error)
    response.status(500).json({ error: { code: 'INTERNAL', message: 'Something went wrong; see the log.' } })
  }) satisfies express.ErrorRequestHandler)

  const server = await listen(app, parts)
  return {
    port: portOf(server.address()),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), closeMs)
      await closed
      clearTimeout(timer)
    },
  }
}

function listen(app: express.Express, { host, port }: ServerParts): Promise<HttpServer> {
  const server = createPatientServer(app, classesOf(app))
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `cannot listen on ${host} port ${port}: ${cause.message}; set server.port`
      reject(new CannotListen(message, { cause }))
    })
    server.listen(port, host, () => resolve(server))
  })
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}
