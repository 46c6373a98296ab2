import { type Request, Router } from 'express'
import { answer } from '../answer.ts'
import { isModel, models } from '../change.ts'
import type { ServiceDialect } from '../dialect.ts'
import { badRequest, notFound, type ServiceError } from '../errors.ts'
import { DeliveryBody, type Events } from '../events.ts'
import { answerList } from '../lists.ts'
import type { LatestReading } from '../monitored.ts'
import { categories, type Topic, topics } from '../prompts.ts'
import { choice, commaList } from '../request-input.ts'
import { biasForm } from '../shapes/bias.ts'
import { compareForm } from '../shapes/compare.ts'
import { type HistoryPeriod, historyForm, periods } from '../shapes/history.ts'
import { metricsForm } from '../shapes/metrics.ts'
import type { World } from '../world.ts'

const periodNames: readonly HistoryPeriod[] = ['7d', '30d', '90d', '1y']

/** Metrics, history and comparison. The defaults of queries are "not shown": the last 30 days, and everything. */
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
    const names = commaList(request.query, 'models', models.slice(0, 2).join(',')) ?? world.models()
    const unknown = names.find((name) => !isModel(name))
    if (unknown !== undefined) throw unknownModel(unknown)
    answer(response, compare.schema, compare.write(names.flatMap((name) => world.latest(name) ?? [])))
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

export function biasRoutes(world: World, dialect: ServiceDialect): Router {
  const router = Router()
  const form = biasForm(dialect)
  router.get('/:model', (request, response) => {
    const latest = latestOf(world, request.params.model)
    const about = commaList(request.query, 'topics', 'political,social')?.map(topicOf) ?? topics
    answer(response, form.schema, form.write({ latest, about }))
  })
  return router
}

/** Throws a 404 for a model that does not exist or is hidden. */
function latestOf(world: World, model: string): LatestReading {
  const latest = world.latest(model)
  if (latest === undefined) throw unknownModel(model)
  return latest
}

function unknownModel(model: string): ServiceError {
  return notFound(`There is no model ${model}; there are ${models.join(', ')}.`)
}

/** Throws a 400 that names those there are. */
function topicOf(name: string): Topic {
  const topic = topics.find((other) => other === name)
  if (topic === undefined) throw badRequest(`There is no topic ${name}; topics are ${topics.join(', ')}.`)
  return topic
}

/**
 * The polling alternative to webhooks, which the specification refers to without its path or shape: everything that
 * was reported, as a list of delivery bodies, with and without receivers.
 */
export function alertRoutes(events: Events, dialect: ServiceDialect): Router {
  const router = Router()
  router.get('/', (request, response) => {
    const since = sinceOf(request)
    // A time that cannot be read belongs to an event that a test fired; it is always shown.
    const entries = events.reported().filter(({ data }) => !(Date.parse(data.detected_at) < since))
    if (dialect['alerts-order'] === 'newest-first') entries.reverse()
    answerList(request, response, { schema: DeliveryBody, entries, dialect })
  })
  return router
}

/** Milliseconds since the epoch; 0 if it is left out. Throws a 400. */
function sinceOf(request: Request): number {
  const { since } = request.query
  if (since === undefined) return 0
  const time = typeof since === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(since) ? Date.parse(since) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw badRequest('since must be a time in ISO 8601, such as since=2026-03-01T09:00:00Z.')
}
