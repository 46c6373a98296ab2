import { BadRequest } from '../errors.ts'
import { get, type ServiceConnection } from '../http/request.ts'
import { answerNames, comparisonNames, metricsNames, sampleSizeNames } from '../names.ts'
import { type Fields, firstOf, isFields, pick, placesIn, readText, readTime } from '../readers/fields.ts'
import { pickRate, rateNamed, rateNames, readSampleSize } from '../readers/rates.ts'
import { type ModelMetrics, readModelMetrics } from './metrics.ts'

export interface Comparison {
  /** In the order of the answer, each model once. */
  models: ModelMetrics[]
  /** Requested models without an answer, as the request names them. */
  missing: string[]
  /** Prompts behind each rate, if the answer has one number for all. */
  sampleSize: number | null
  /** ISO 8601, UTC. */
  lastUpdated: string | null
  /** Models that were there and could not be read. */
  unread: number
}

const scoreNames = new Set<string>(metricsNames.bias)
const deepest = 4

/** GET /monitoring/compare ("Endpoints"). Throws `BadRequest`, without a request, if you name no model. */
export async function compare(
  connection: ServiceConnection,
  models: readonly string[],
  signal?: AbortSignal,
): Promise<Comparison> {
  const names = separable(models, 'model')
  if (names.length === 0)
    throw new BadRequest('No model to compare was named. Name one or more, such as claude.')
  return await get(
    connection,
    { path: '/monitoring/compare', query: { models: names.join(',') }, signal },
    (body) => readComparison(body, names),
    'no list of metrics with model, no metrics by model, no models by overall_refusal_rate',
  )
}

/** Each once, without blanks around it. Throws `BadRequest` if one cannot stand in a list parted by commas. */
export function separable(names: readonly string[], of: string): string[] {
  const trimmed = names.map((name) => name.trim())
  const bad = trimmed.find((name) => name === '' || name.includes(','))
  if (bad === undefined) return [...new Set(trimmed)]
  throw new BadRequest(`"${bad}" is not a valid ${of}. Write each ${of} by itself, without a comma.`)
}

/**
 * A list of metrics, an object with a model's metrics under its name, or one with the models' numbers under each
 * metric's name; bare or wrapped. Undefined if nothing can be read.
 */
export function readComparison(answer: unknown, requested: readonly string[]): Comparison | undefined {
  const listed = findModels(answer, requested, deepest)
  if (listed === undefined || (listed.models.length === 0 && listed.unread > 0)) return undefined
  const byName = new Map<string, ModelMetrics>()
  for (const metrics of listed.models) {
    const name = metrics.model.toLowerCase()
    if (!byName.has(name)) byName.set(name, metrics)
  }
  const places = placesIn(answer)
  return {
    models: [...byName.values()],
    missing: requested.filter((name) => !byName.has(name.toLowerCase())),
    sampleSize: readSampleSize(places).total,
    lastUpdated: firstOf(places, answerNames.updated, readTime),
    unread: listed.unread,
  }
}

interface ListedModels {
  models: ModelMetrics[]
  unread: number
}

function findModels(value: unknown, requested: readonly string[], depth: number): ListedModels | undefined {
  if (Array.isArray(value)) return inList(value)
  if (!isFields(value) || depth === 0) return undefined
  const byMetric = underMetrics(value, requested)
  if (byMetric !== undefined) return byMetric
  for (const name of comparisonNames.lists) {
    const inner = findModels(pick(value, [name]), requested, depth - 1)
    if (inner !== undefined) return inner
  }
  const byModel = underModels(value, requested)
  if (byModel !== undefined) return byModel
  const single = readModelMetrics(value, requested.length === 1 ? (requested[0] ?? null) : null)
  return single === undefined ? undefined : { models: [single], unread: 0 }
}

function inList(list: readonly unknown[]): ListedModels | undefined {
  if (list.length > 0 && !list.some(isFields)) return undefined
  const models = list.flatMap(
    (one) => readModelMetrics(one, isFields(one) ? readText(pick(one, comparisonNames.model)) : null) ?? [],
  )
  return { models, unread: list.length - models.length }
}

/** `{"claude": {"metrics": {…}}, …}`; beside the models there may be other things. */
function underModels(fields: Fields, requested: readonly string[]): ListedModels | undefined {
  const wanted = new Set(requested.map((name) => name.toLowerCase()))
  const models: ModelMetrics[] = []
  let unread = 0
  for (const [name, value] of Object.entries(fields)) {
    if (!isFields(value)) continue
    const read = readModelMetrics(value, name)
    if (read !== undefined) models.push({ ...read, model: readText(pick(value, ['model'])) ?? name })
    else if (wanted.has(name.toLowerCase())) unread += 1
  }
  return models.length === 0 && unread === 0 ? undefined : { models, unread }
}

/**
 * `{"overall_refusal_rate": {"claude": 0.1, …}, …}`, or lists in the order of `models`. Undefined if none of
 * the models in it was asked for: then the names below a metric are of other things.
 */
function underMetrics(fields: Fields, requested: readonly string[]): ListedModels | undefined {
  const order = new Map(namesIn(fields).map((name, index) => [name, index]))
  const inner = pick(fields, comparisonNames.byMetric)
  const metrics = isFields(inner) && columnsOf(inner).length > 0 ? inner : fields
  const names = new Set(
    columnsOf(metrics).flatMap((column) => (Array.isArray(column) ? [...order.keys()] : Object.keys(column))),
  )
  const wanted = new Set(requested.map((name) => name.toLowerCase()))
  if (![...names].some((name) => wanted.has(name.toLowerCase()))) return undefined

  const cell = (column: unknown, model: string): unknown => {
    if (Array.isArray(column)) return column[order.get(model) ?? -1]
    return isFields(column) ? pick(column, [model]) : undefined
  }
  const beside = (spelled: readonly string[], model: string): unknown =>
    cell(pick(fields, spelled), model) ?? cell(pick(metrics, spelled), model)
  const models = [...names].flatMap((model) => {
    const rates = rateNames.map((name) => [name, cell(pickRate(metrics, name), model)])
    const metricsOfModel = {
      model,
      metrics: { ...Object.fromEntries(rates), bias_score: cell(pick(metrics, metricsNames.bias), model) },
      version: beside(comparisonNames.versions, model),
      trend: beside(comparisonNames.trends, model),
      last_updated: beside(answerNames.updated, model),
      sample_size: beside(sampleSizeNames.size, model),
    }
    return readModelMetrics(metricsOfModel, model) ?? []
  })
  return { models, unread: 0 }
}

/** What stands under a metric's name and is not a single number. */
function columnsOf(fields: Fields): (Fields | readonly unknown[])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (rateNamed(name) === undefined && !scoreNames.has(name)) return []
    return isFields(value) || Array.isArray(value) ? [value] : []
  })
}

function namesIn(fields: Fields): string[] {
  const names = pick(fields, comparisonNames.order)
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}
