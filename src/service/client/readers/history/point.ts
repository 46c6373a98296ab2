import { historyNames, metricsNames } from '../../names.ts'
import { type Fields, isFields, pick, readText } from '../fields.ts'
import {
  hasRate,
  type RateName,
  type RefusalRates,
  rateNamed,
  ratePlaces,
  readRate,
  readRates,
} from '../rates.ts'
import { readSampleSize, type SampleSize } from '../sample-size.ts'
import { readTime } from '../time.ts'

/** What was said above a point, and holds for it unless it says otherwise. */
export interface PointContext {
  /** Whose a rate is that names no category; null where that is none of the interface's. */
  category: RateName | null
  version: string | null
  /** The model that was asked for. */
  model: string
}

/** One reading of one category or of several, before those of the same time are brought together. */
export interface HistoryRow {
  /** ISO 8601, UTC. */
  at: string
  version: string | null
  rates: RefusalRates
  size: SampleSize
}

/** An object with a time and a rate, or a pair of both. Undefined where one of them cannot be read. */
export function readPoint(value: unknown, above: PointContext): HistoryRow | undefined {
  if (Array.isArray(value)) return readPair(value, above)
  if (!isFields(value)) return undefined
  const at = timeOf(value)
  if (at === null) return undefined
  const context = within(value, above)
  const rates = readRates(value, context.category)
  if (!hasRate(rates)) return undefined
  return { at, version: context.version, rates, size: readSampleSize([value, ...ratePlaces(value).slice(1)]) }
}

/** The context below an object that may name a category or a version. */
export function within(fields: Fields, above: PointContext): PointContext {
  const written = historyNames.category.map((name) => fields[name]).find((value) => typeof value === 'string')
  const version = readText(pick(fields, metricsNames.version)) ?? above.version
  // A name may be the model's; only `category` itself can say that a rate is of another category.
  const category = rateNamed(written) ?? (typeof fields.category === 'string' ? null : above.category)
  return { ...above, category, version }
}

export function rowOf(at: string, rate: number, { category, version }: PointContext): HistoryRow | undefined {
  if (category === null) return undefined
  const none = { overall: null, political: null, safety: null, social: null }
  return { at, version, rates: { ...none, [category]: rate }, size: { total: null, byCategory: { ...none } } }
}

function readPair(pair: readonly unknown[], context: PointContext): HistoryRow | undefined {
  const at = readTime(pair[0])
  const rate = readRate(pair[1])
  return at === null || rate === null ? undefined : rowOf(at, rate, context)
}

function timeOf(fields: Fields): string | null {
  const written = pick(fields, historyNames.time)
  return readTime(isFields(written) ? pick(written, historyNames.start) : written)
}
