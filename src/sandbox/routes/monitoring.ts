import { Router } from 'express'
import { models } from '../change.ts'
import { notFound } from '../errors.ts'
import type { World } from '../world.ts'

export function monitoringRoutes(world: World): Router {
  const router = Router()

  router.get('/:model/metrics', (request, response) => {
    const metrics = world.metrics(request.params.model)
    if (metrics === undefined) {
      throw notFound(`There is no model ${request.params.model}; there are ${models.join(', ')}.`)
    }
    response.json(metrics)
  })

  return router
}
