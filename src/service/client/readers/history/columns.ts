import { historyNames, sampleSizeNames } from '../../names.ts'
import { type Fields, isFields, pick, readText } from '../fields.ts'
import {
  hasRate,
  pickRate,
  type RateName,
  type RefusalRates,
  rateNamed,
  rateNames,
  readRate,
} from '../rates.ts'
import { readSize, type SampleSizes } from '../sample-size.ts'
import { readTime } from '../time.ts'
import { type HistoryRow, type PointContext, within } from './point.ts'

type RateColumns = Map<RateName, readonly unknown[]>

/**
 * A list of times with lists of the same order beside it, `{"dates": […], "political_refusal_rate": […]}`.
 * Undefined where there is no such list; a time without any rate is unread.
 */
export function readColumns(
  fields: Fields,
  above: PointContext,
): { rows: HistoryRow[]; unread: number } | undefined {
  const times = pick(fields, historyNames.times)
  if (!Array.isArray(times) || times.some((time) => typeof time === 'object' && time !== null)) {
    return undefined
  }
  const context = within(fields, above)
  const columns = rateColumns(fields, context)
  if (columns.size === 0) return undefined
  const versions = list(pick(fields, historyNames.versions))
  const sizes = list(pick(fields, sampleSizeNames.size))
  const rows: HistoryRow[] = []
  for (const [index, written] of times.entries()) {
    const at = readTime(written)
    const rates: RefusalRates = { overall: null, political: null, safety: null, social: null }
    for (const [name, column] of columns) rates[name] = readRate(column[index])
    if (at === null || !hasRate(rates)) continue
    const byCategory: SampleSizes = { overall: null, political: null, safety: null, social: null }
    rows.push({
      at,
      version: readText(versions[index]) ?? context.version,
      rates,
      size: { total: readSize(sizes[index]), byCategory },
    })
  }
  return { rows, unread: times.length - rows.length }
}

/** A list for each rate: beside the times, one level below, or as `[{"label": "political", "data": […]}]`. */
function rateColumns(fields: Fields, { category }: PointContext): RateColumns {
  const columns: RateColumns = new Map()
  const inner = historyNames.columns.map((name) => pick(fields, [name]))
  const places = [fields, ...inner.filter(isFields)]
  for (const place of places) {
    for (const name of rateNames) add(columns, name, pickRate(place, name))
  }
  for (const one of inner.flatMap(labelled)) add(columns, one.name, one.values)
  if (columns.size > 0 || category === null) return columns
  for (const place of places) add(columns, category, pick(place, historyNames.values))
  return columns
}

function labelled(value: unknown): { name: RateName; values: unknown }[] {
  return list(value).flatMap((one) => {
    if (!isFields(one)) return []
    const name = rateNamed(pick(one, historyNames.columnCategory))
    return name === undefined ? [] : [{ name, values: pick(one, ['data', ...historyNames.values]) }]
  })
}

function add(columns: RateColumns, name: RateName, values: unknown): void {
  const plain = Array.isArray(values) && !values.some(isFields) ? values : undefined
  if (plain !== undefined && !columns.has(name)) columns.set(name, plain)
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
