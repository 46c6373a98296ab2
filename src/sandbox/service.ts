import express, { type Express, Router } from 'express'
import type { Clock } from '../clock.ts'
import { readJson } from './body.ts'
import { answerError, answerUnknownPath } from './errors.ts'
import { authenticate } from './keys.ts'
import { HourlyLimits } from './limits.ts'
import { type ControlledParts, controlRoutes } from './routes/control.ts'
import { monitoringRoutes } from './routes/monitoring.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import type { World } from './world.ts'

/** The service under `/v1`, and what steers it under `/_sandbox`. */
export function createService(world: World, clock: Clock, parts: ControlledParts): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use('/v1', versionOne(world, clock, parts))
  app.use('/_sandbox', readJson, controlRoutes(parts))
  app.use(answerUnknownPath)
  app.use(answerError)
  return app
}

/** Who asks comes first, then how often; so nobody without a key learns what there is. */
function versionOne(world: World, clock: Clock, { subscriptions, dialect }: ControlledParts): Router {
  const limits = new HourlyLimits()
  const router = Router()
  router.use((request, _response, next) => {
    limits.take(authenticate(request.get('authorization')), clock.now())
    next()
  })
  router.use('/monitoring', monitoringRoutes(world))
  router.use('/webhooks', webhookRoutes(subscriptions, dialect))
  return router
}
