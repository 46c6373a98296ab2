import express, { type Express, Router } from 'express'
import { extraFields } from './answer.ts'
import { answerError, answerUnknownPath, ServiceError } from './errors.ts'
import { HourlyLimits, limitExceeded, rateHeaders } from './limits.ts'
import { readJson } from './request-input.ts'
import { controlRoutes, type SandboxParts } from './routes/control.ts'
import { alertRoutes, biasRoutes, monitoringRoutes } from './routes/monitoring.ts'
import { oauthRoutes } from './routes/oauth.ts'
import { fileRoutes, researchRoutes } from './routes/research.ts'
import { webhookRoutes } from './routes/webhooks.ts'

/** The service under `/v1`, its token endpoint beside it, and its controls under `/_sandbox`. */
export function createService(parts: SandboxParts): Express {
  const { world, clock, tokens, links, dialect } = parts
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set(extraFields, dialect['extra-fields'] === 'yes')
  app.use(['/v1', '/oauth'], parts.requests.log)
  app.use('/v1', versionOne(parts))
  app.use('/oauth', oauthRoutes(tokens, clock))
  app.use('/files', fileRoutes(world, links, dialect))
  app.use('/_sandbox', readJson, controlRoutes(parts))
  app.use(answerUnknownPath)
  app.use(answerError)
  return app
}

/** The key comes first, then its limit; so nobody without a key learns what there is. */
function versionOne({ world, clock, events, subscriptions, access, links, dialect }: SandboxParts): Router {
  const limits = new HourlyLimits(dialect['limit-window'])
  const router = Router()
  router.use((request, response, next) => {
    if (world.down) throw new ServiceError(503, 'The service is down for a while.')
    const now = clock.now()
    const allowance = limits.count(access.keyOf(request), now)
    response.set(rateHeaders(allowance, now, dialect['rate-headers']))
    if (!allowance.granted) throw limitExceeded(allowance, dialect['retry-after'])
    next()
  })
  const monitoring = access.require('monitoring.read')
  if (dialect.alerts === 'present') {
    router.use('/monitoring/alerts', monitoring, alertRoutes(events, dialect))
  }
  router.use('/monitoring', monitoring, monitoringRoutes(world, dialect))
  router.use('/bias', monitoring, biasRoutes(world, dialect))
  router.use('/research', access.require('research.read'), researchRoutes(world, links, dialect))
  router.use('/webhooks', webhookRoutes(subscriptions, access, dialect))
  return router
}
