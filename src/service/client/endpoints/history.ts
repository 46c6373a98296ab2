import { listed } from '../../../platform/text.ts'
import { BadRequest } from '../errors.ts'
import { get, type ServiceConnection, segment } from '../http/request.ts'
import { answerNames, metricsNames } from '../names.ts'
import { firstOf, placesIn, readText, readTime } from '../readers/fields.ts'
import { collectSeries, type HistoryPoint, mergePoints } from '../readers/history.ts'
import { type RateName, rateNamed, rateNames, readSampleSize, type SampleSizes } from '../readers/rates.ts'
import { rejectOther } from './metrics.ts'

export type { HistoryPoint } from '../readers/history.ts'

export const historyPeriods = ['7d', '30d', '90d', '1y'] as const
export const historyCategories = ['political', 'safety', 'social', 'all'] as const

/** The parameters of the query ("Endpoints"); the service's defaults are not specified. */
export interface HistoryQuery {
  period?: (typeof historyPeriods)[number]
  category?: (typeof historyCategories)[number]
}

export interface History {
  model: string
  /** Oldest first. */
  points: HistoryPoint[]
  /**
   * The rates that at least one point has. To `category: 'all'`, one service may answer with `overall` alone and
   * another with each category: this says which.
   */
  categories: RateName[]
  /** Prompts behind each reading, if the answer has one number for all. */
  sampleSize: number | null
  sampleSizes: SampleSizes
  /** ISO 8601, UTC. */
  lastUpdated: string | null
  /** Points that were there and could not be read: without a time, or without any rate. */
  unread: number
}

/**
 * GET /monitoring/{model}/history ("Endpoints"). Throws `BadRequest`, without a request, if the query is not allowed, and
 * `OtherModel` if the answer is of another model.
 */
export async function history(
  connection: ServiceConnection,
  model: string,
  query: HistoryQuery = {},
  signal?: AbortSignal,
): Promise<History> {
  const { period, category } = query
  checkChoice('period', period, historyPeriods)
  checkChoice('category', category, historyCategories)
  const path = `/monitoring/${segment(model)}/history`
  const answer = await get(
    connection,
    { path, query: { period, category }, signal },
    (body) => readHistory(body, model, category),
    'no points with date and refusal_rate, no columns dates and values, no categories',
  )
  rejectOther(connection, path, { model, named: answer.model })
  return answer
}

/**
 * The history in an answer: a list of points, columns beside a list of times, an object of times, or any of these
 * for each category; bare or wrapped. `category` is that of the query, and of rates that name none.
 * Undefined if nothing can be read.
 */
export function readHistory(
  answer: unknown,
  model: string,
  category?: HistoryQuery['category'],
): History | undefined {
  const collected = collectSeries(answer, {
    category: rateNamed(category) ?? 'overall',
    version: null,
    model,
  })
  if (collected === undefined) return undefined
  const places = placesIn(answer)
  const { total, byCategory } = readSampleSize(places)
  const points = mergePoints(collected.rows)
  return {
    model: firstOf(places, metricsNames.model, readText) ?? model,
    points,
    categories: rateNames.filter((name) => points.some(({ rates }) => rates[name] !== null)),
    sampleSize: total,
    sampleSizes: byCategory,
    lastUpdated: firstOf(places, answerNames.updated, readTime),
    unread: collected.unread,
  }
}

/** For callers that TypeScript does not check, such as a command line. */
function checkChoice(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return
  throw new BadRequest(`"${value}" is not a valid ${name}. Write ${listed(allowed, 'or')}.`)
}
