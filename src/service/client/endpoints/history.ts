import { listed } from '../../../platform/text.ts'
import { BadRequest } from '../errors.ts'
import type { ServiceConnection } from '../http/connection.ts'
import { request, segment } from '../http/request.ts'
import { answerNames, metricsNames } from '../names.ts'
import { firstOf, placesIn, readText } from '../readers/fields.ts'
import { mergePoints } from '../readers/history/merge.ts'
import { collectSeries } from '../readers/history/series.ts'
import { type RateName, type RefusalRates, rateNamed, rateNames } from '../readers/rates.ts'
import { readSampleSize, type SampleSizes } from '../readers/sample-size.ts'
import { readTime } from '../readers/time.ts'

export const historyPeriods = ['7d', '30d', '90d', '1y'] as const
export const historyCategories = ['political', 'safety', 'social', 'all'] as const

/** The parameters of the query ("Endpoints"); the service's defaults are not specified. */
export interface HistoryQuery {
  period?: (typeof historyPeriods)[number]
  category?: (typeof historyCategories)[number]
}

export interface HistoryPoint {
  /** ISO 8601, UTC: when it was measured, or when the span of time that it stands for began. */
  at: string
  /** Version label of the measured model. */
  version: string | null
  /** As the service writes them, fractions or percent; at least one is there. */
  rates: RefusalRates
  /** Prompts behind the rates, where the point itself says so. */
  sampleSize: number | null
  sampleSizes: SampleSizes
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
  /** Prompts behind each reading, where the answer says so for all. */
  sampleSize: number | null
  sampleSizes: SampleSizes
  /** ISO 8601, UTC. */
  lastUpdated: string | null
  /** Points that were there and could not be read: without a time, or without any rate. */
  unread: number
}

/** GET /monitoring/{model}/history ("Endpoints"). `BadRequest`, without a request, where the query is not allowed. */
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
  const answer = await request(connection, { method: 'GET', path, query: { period, category }, signal })
  const read = readHistory(answer.json(), model, category)
  if (read !== undefined) return read
  throw answer.unintelligible(
    'JSON of another shape (no points with date and refusal_rate, no columns dates and values, no categories)',
  )
}

/**
 * The history in an answer: a list of points, columns beside a list of times, an object of times, or any of these
 * for each category; bare or wrapped. `category` is what was asked for: rates that name none are taken for its.
 * Undefined where nothing can be read.
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
  throw new BadRequest(
    `"${value}" is not a ${name} of the service's history. Write ${listed(allowed, 'or')}.`,
  )
}
