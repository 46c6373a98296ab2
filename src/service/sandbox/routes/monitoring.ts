import { Router } from 'express'
import { answer } from '../answer.ts'
import { isModel, models } from '../change.ts'
import type { ServiceDialect } from '../dialect.ts'
import { notFound, type ServiceError } from '../errors.ts'
import type { LatestReading } from '../monitored.ts'
import { categories } from '../prompts.ts'
import { choice, commaList } from '../query.ts'
import { compareForm } from '../shapes/compare.ts'
import { type HistoryPeriod, historyForm, periods } from '../shapes/history.ts'
import { metricsForm } from '../shapes/metrics.ts'
import type { World } from '../world.ts'

const periodNames: readonly HistoryPeriod[] = ['7d', '30d', '90d', '1y']

/** Metrics, history and comparison. What may be left out is "not shown": the last 30 days, and all there is. */
export function monitoringRoutes(world: World, dialect: ServiceDialect): Router {
  const router = Router()
  const compare = compareForm(dialect)
  const metrics = metricsForm(dialect)
  const histories = {
    political: historyForm(dialect, 'political'),
    safety: historyForm(dialect, 'safety'),
    social: historyForm(dialect, 'social'),
    all: historyForm(dialect, 'all'),
  }

  router.get('/compare', (request, response) => {
    const asked = commaList(request.query, 'models', models.slice(0, 2).join(',')) ?? world.models()
    const unknown = asked.find((model) => !isModel(model))
    if (unknown !== undefined) throw unknownModel(unknown)
    answer(response, compare.schema, compare.write(asked.flatMap((model) => world.latest(model) ?? [])))
  })

  router.get('/:model/metrics', (request, response) => {
    answer(response, metrics.schema, metrics.write(latestOf(world, request.params.model)))
  })

  router.get('/:model/history', (request, response) => {
    const { model, reading } = latestOf(world, request.params.model)
    const period = choice(request.query, 'period', periodNames, '30d')
    const category = choice(request.query, 'category', [...categories, 'all'] as const, 'all')
    const readings = world.history(model, periods[period]) ?? []
    const { schema, write } = histories[category]
    answer(response, schema, write({ model, period, readings, updatedAt: reading.at }))
  })

  return router
}

/** Throws a 404 for a model that is not there, or hidden. */
export function latestOf(world: World, model: string): LatestReading {
  const latest = world.latest(model)
  if (latest === undefined) throw unknownModel(model)
  return latest
}

function unknownModel(model: string): ServiceError {
  return notFound(`There is no model ${model}; there are ${models.join(', ')}.`)
}
