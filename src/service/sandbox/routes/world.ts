import { type RequestHandler, Router } from 'express'
import * as z from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import { parseBody } from '../body.ts'
import { models } from '../change.ts'
import { notFound, unavailable } from '../errors.ts'
import { writeTime } from '../shapes/rate.ts'
import type { PastChange, World } from '../world.ts'

const WorldRequest = z.strictObject({
  /** Left out: all of them. */
  model: z.string().optional(),
  hide: z.boolean().optional(),
  silent: z.boolean().optional(),
  down: z.boolean().optional(),
  measure: z.literal(true).optional(),
})

export const worldOperations = [
  {
    method: 'GET',
    path: '/_sandbox/changes',
    does: 'lists what truly changed in the year before the start and since, oldest first',
    answers: '200 [{"id","at","type","model","category","delta","version"}]',
  },
  {
    method: 'POST',
    path: '/_sandbox/world',
    body: {
      model: `${models.join(', ')}; all unless given`,
      hide: 'true: the model is published no more; compare leaves it out, the rest answers 404',
      silent: 'true: the model may change, but no reading of it is published; last_updated stands still',
      down: 'true: the service answers 503 to every request, and delivers what it has to',
      measure: 'true: every model is read anew, as happens by itself four times a day at speed 1',
    },
    does: 'makes trouble, or ends it with false',
    answers: '200 {"down","models": {MODEL: {"hide","silent"}}}',
  },
]

/** What a test or a person does to the world itself. */
export function worldRoutes(world: World, clock: Clock): Router {
  const router = Router()

  router.get('/changes', (_request, response) => {
    response.json(world.changes().map(showChange))
  })

  router.post('/world', (request, response) => {
    const { model, hide, silent, down, measure } = parseBody(WorldRequest, request.body)
    for (const name of model === undefined ? models : [model]) {
      if (!world.trouble(name, { hide, silent })) throw notFound(`There is no model ${name}.`)
    }
    world.down = down ?? world.down
    if (measure) world.measure(clock.now())
    response.json({ down: world.down, models: world.troubles() })
  })

  return router
}

export function refuseWhileDown(world: World): RequestHandler {
  return (_request, _response, next) => {
    if (world.down) throw unavailable('The service is down for a while.')
    next()
  }
}

function showChange({ id, at, type, model, category, delta, version }: PastChange) {
  return { id, at: writeTime(at), type, model, category, delta, version }
}
