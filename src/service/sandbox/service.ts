import express, { type Express, Router } from 'express'
import type { Clock } from '../../platform/clock.ts'
import { extraFields } from './answer.ts'
import { readJson } from './body.ts'
import { answerError, answerUnknownPath } from './errors.ts'
import { HourlyLimits, limitExceeded, rateHeaders } from './limits.ts'
import { alertRoutes } from './routes/alerts.ts'
import { biasRoutes } from './routes/bias.ts'
import { type ControlledParts, controlRoutes } from './routes/control.ts'
import { monitoringRoutes } from './routes/monitoring.ts'
import { oauthRoutes } from './routes/oauth.ts'
import { fileRoutes, researchRoutes } from './routes/research.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { refuseWhileDown, worldRoutes } from './routes/world.ts'
import type { World } from './world.ts'

/** The service under `/v1`, its token endpoint beside it, and what steers it under `/_sandbox`. */
export function createService(world: World, clock: Clock, parts: ControlledParts): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set(extraFields, parts.dialect['extra-fields'] === 'yes')
  app.use(['/v1', '/oauth'], parts.requests.note(parts.access))
  app.use('/v1', versionOne(world, clock, parts))
  app.use('/oauth', oauthRoutes(parts.tokens, clock))
  app.use('/files', fileRoutes(world, parts.links, parts.dialect))
  app.use('/_sandbox', readJson, controlRoutes(parts), worldRoutes(world, clock))
  app.use(answerUnknownPath)
  app.use(answerError)
  return app
}

/** Who asks comes first, then how often; so nobody without a key learns what there is. */
function versionOne(
  world: World,
  clock: Clock,
  { events, subscriptions, access, links, dialect }: ControlledParts,
): Router {
  const limits = new HourlyLimits(dialect['limit-window'])
  const router = Router()
  router.use(refuseWhileDown(world))
  router.use((request, response, next) => {
    const now = clock.now()
    const allowance = limits.take(access.of(request), now)
    response.set(rateHeaders(allowance, now, dialect['rate-headers']))
    if (!allowance.granted) throw limitExceeded(allowance, dialect['retry-after'])
    next()
  })
  if (dialect.alerts === 'present') {
    router.use('/monitoring/alerts', access.require('monitoring.read'), alertRoutes(events, dialect))
  }
  router.use('/monitoring', access.require('monitoring.read'), monitoringRoutes(world, dialect))
  router.use('/bias', access.require('monitoring.read'), biasRoutes(world, dialect))
  router.use('/research', access.require('research.read'), researchRoutes(world, links, dialect))
  router.use('/webhooks', webhookRoutes(subscriptions, access, dialect))
  return router
}
