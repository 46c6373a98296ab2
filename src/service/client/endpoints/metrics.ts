import { OtherModel } from '../errors.ts'
import { get, place, type ServiceConnection, segment } from '../http/request.ts'
import { answerNames, metricsNames, modelNames, rateFieldNames } from '../names.ts'
import {
  type Fields,
  firstOf,
  isFields,
  pick,
  placesIn,
  readDated,
  readNumber,
  readText,
} from '../readers/fields.ts'
import { hasRate, ratePlaces, readRates, readSampleSize, type SampleSizes } from '../readers/rates.ts'

/**
 * What one model did with the fixed set of 500 prompts ("Model metrics"). Rates are as the service writes
 * them: whether a fraction or percent is not specified. What is absent is `null`.
 */
export interface ModelMetrics {
  model: string
  /** Version label of the measured model. */
  version: string | null
  overallRefusalRate: number | null
  politicalRefusalRate: number | null
  safetyRefusalRate: number | null
  /** Can be negative; unit and range are not specified. */
  biasScore: number | null
  /** `rising` occurs; other values are not specified. */
  trend: string | null
  /** ISO 8601, UTC. */
  lastUpdated: string | null
  /** `lastUpdated` was written as a date, and stands for its beginning. */
  isDateOnly?: true
  /** Prompts behind the rates. */
  sampleSize: number | null
  sampleSizes: SampleSizes
}

/**
 * GET /monitoring/{model}/metrics ("Endpoints"). `NotFound` if the service does not monitor the model, `OtherModel` if it
 * answers with the figures of another.
 */
export async function metrics(
  connection: ServiceConnection,
  model: string,
  signal?: AbortSignal,
): Promise<ModelMetrics> {
  const path = `/monitoring/${segment(model)}/metrics`
  const answer = await get(
    connection,
    { path, signal },
    (body) => readMetrics(body, model),
    'no metrics with overall_refusal_rate, political_refusal_rate, safety_refusal_rate or bias_score',
  )
  rejectOther(connection, path, { model, named: answer.model })
  return answer
}

/** Rejects only the name of another model that the service monitors: a display name is no other model. */
export function rejectOther(
  connection: ServiceConnection,
  path: string,
  { model, named }: { model: string; named: string },
): void {
  const [requested, other] = [model.toLowerCase(), named.toLowerCase()]
  if (requested === other || !modelNames.includes(requested) || !modelNames.includes(other)) return
  const { callName } = place(connection.baseUrl, { method: 'GET', path })
  throw new OtherModel(
    `${callName} answered with figures of ${other}, not of ${requested}. They are not used.`,
  )
}

/** Bare, under `data`, under the model's name, or alone in a list. Undefined if there are no metrics. */
export function readMetrics(answer: unknown, model: string): ModelMetrics | undefined {
  // What is said beside a wrapped object is said of it.
  const aside = placesIn(answer)
  for (const body of unwrapped(answer, model)) {
    const read = readModelMetrics(body, firstOf(aside, metricsNames.model, readText) ?? model)
    if (read === undefined) continue
    const size = read.sampleSize === null ? readSampleSize(aside) : undefined
    return {
      ...read,
      ...(read.lastUpdated === null && updatedOf(aside)),
      ...(size === undefined ? {} : { sampleSize: size.total, sampleSizes: size.byCategory }),
    }
  }
  return undefined
}

/** The metrics of one model, from the object that holds them; `model` if it does not say which. */
export function readModelMetrics(value: unknown, model: string | null): ModelMetrics | undefined {
  if (!isFields(value)) return undefined
  const rates = readRates(value, 'overall')
  const biasScore = firstOf(ratePlaces(value), metricsNames.bias, readNumber)
  const named = readText(pick(value, metricsNames.model)) ?? model
  const empty = !hasRate(rates) && biasScore === null && !isFields(value.metrics)
  if (named === null || empty) return undefined
  const aside = placesIn(value)
  const { total, byCategory } = readSampleSize([...aside, ...ratePlaces(value)])
  return {
    model: named,
    version: firstOf(aside, metricsNames.version, readText),
    overallRefusalRate: rates.overall,
    politicalRefusalRate: rates.political,
    safetyRefusalRate: rates.safety,
    biasScore,
    trend: firstOf([value, ...ratePlaces(value)], metricsNames.trend, readText),
    ...updatedOf(aside),
    sampleSize: total,
    sampleSizes: byCategory,
  }
}

function updatedOf(places: readonly Fields[]): Pick<ModelMetrics, 'lastUpdated' | 'isDateOnly'> {
  const updated = firstOf(places, answerNames.updated, readDated)
  return { lastUpdated: updated?.time ?? null, ...(updated?.isDateOnly === true && { isDateOnly: true }) }
}

function unwrapped(value: unknown, model: string, depth = 2): unknown[] {
  if (depth === 0) return [value]
  if (Array.isArray(value)) return value.length === 1 ? unwrapped(value[0], model, depth - 1) : []
  if (!isFields(value)) return []
  const inner = [...metricsNames.wrappers, model].map((name) => pick(value, [name]))
  return [
    value,
    ...inner.flatMap((wrapped) => (wrapped === undefined ? [] : unwrapped(wrapped, model, depth - 1))),
  ]
}

/** `political_refusal_rate`, `politicalRefusalRate`. */
const rateField = /^(\w+?)_?refusal_?rate$/i
/** What stands below these has no name but its category's. */
const categoryPlaces = rateFieldNames.places.filter((name) => name !== 'metrics' && name !== 'values')

/**
 * GET /monitoring/{model}/metrics ("Model metrics"): the categories with a refusal rate, in lower case, also those
 * that the interface does not show. Rejects as `metrics` does.
 */
export async function categories(
  connection: ServiceConnection,
  model: string,
  signal?: AbortSignal,
): Promise<string[]> {
  return await get(
    connection,
    { path: `/monitoring/${segment(model)}/metrics`, signal },
    (body) => (readMetrics(body, model) === undefined ? undefined : readCategories(body, model)),
    'no metrics with refusal rates',
  )
}

export function readCategories(answer: unknown, model: string): string[] {
  const outer = Array.isArray(answer) ? answer.flatMap(placesIn) : placesIn(answer)
  const inner = outer.flatMap((fields) => [fields[model], fields.result, fields.model]).filter(isFields)
  const places = [...outer, ...inner].flatMap(ratePlaces)
  const names = places.flatMap((fields) => [
    ...Object.keys(fields).flatMap((key) => rateField.exec(key)?.[1] ?? []),
    ...categoryPlaces.flatMap((name) => (isFields(fields[name]) ? Object.keys(fields[name]) : [])),
  ])
  return [...new Set(names.map((name) => name.toLowerCase()))]
}
