import { Router } from 'express'
import { answer } from '../answer.ts'
import type { ServiceDialect } from '../dialect.ts'
import { badRequest } from '../errors.ts'
import { type Topic, topics } from '../prompts.ts'
import { commaList } from '../query.ts'
import { biasForm } from '../shapes/bias.ts'
import type { World } from '../world.ts'
import { latestOf } from './monitoring.ts'

export function biasRoutes(world: World, dialect: ServiceDialect): Router {
  const router = Router()
  const form = biasForm(dialect)

  router.get('/:model', (request, response) => {
    const latest = latestOf(world, request.params.model)
    const asked = commaList(request.query, 'topics', 'political,social')?.map(topicOf) ?? topics
    answer(response, form.schema, form.write({ latest, asked }))
  })

  return router
}

/** Throws a 400 that names those there are. */
function topicOf(name: string): Topic {
  const topic = topics.find((known) => known === name)
  if (topic === undefined) throw badRequest(`There is no topic ${name}; topics are ${topics.join(', ')}.`)
  return topic
}
