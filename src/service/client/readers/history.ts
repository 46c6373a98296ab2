import { historyNames, metricsNames, sampleSizeNames } from '../names.ts'
import { type Fields, isFields, pick, readText, readTime } from './fields.ts'
import {
  hasRate,
  noRates,
  pickRate,
  type RateName,
  type RefusalRates,
  rateNamed,
  rateNames,
  ratePlaces,
  readRate,
  readRates,
  readSampleSize,
  readSize,
  type SampleSize,
  type SampleSizes,
} from './rates.ts'

export interface HistoryPoint {
  /** ISO 8601, UTC: when it was measured, or when the span of time that it stands for began. */
  at: string
  /** Version label of the measured model. */
  version: string | null
  /** As the service writes them, fractions or percent; at least one is there. */
  rates: RefusalRates
  /** Prompts behind the rates, if the point itself says so. */
  sampleSize: number | null
  sampleSizes: SampleSizes
}

interface CollectedRows {
  rows: HistoryRow[]
  /** Points that could not be read. */
  unread: number
}

/** Wrapped deeper than this, it is another thing than a history. */
const deepest = 5

/** Every point in an answer of any form. Undefined if there is neither a point nor an empty list. */
export function collectSeries(answer: unknown, context: PointContext): CollectedRows | undefined {
  const collected: CollectedRows = { rows: [], unread: 0 }
  const isSeries = collect(answer, context, collected, deepest)
  return !isSeries || (collected.rows.length === 0 && collected.unread > 0) ? undefined : collected
}

/** Whether there was something of the form of a series. */
function collect(value: unknown, above: PointContext, into: CollectedRows, depth: number): boolean {
  if (Array.isArray(value)) return collectList(value, above, into, depth)
  if (!isFields(value) || depth === 0) return false
  const columns = readColumns(value, above)
  if (columns !== undefined) {
    for (const row of columns.rows) into.rows.push(row)
    into.unread += columns.unread
    return true
  }
  const context = within(value, above)
  if (collectByTime(value, context, into)) return true
  if (collectByCategory(value, context, into, depth)) return true
  return [...historyNames.series, context.model].some((name) =>
    collect(pick(value, [name]), context, into, depth - 1),
  )
}

/** Points, or series that each say their category or version. */
function collectList(
  list: readonly unknown[],
  context: PointContext,
  into: CollectedRows,
  depth: number,
): boolean {
  if (list.length > 0 && !list.some((one) => typeof one === 'object' && one !== null)) return false
  for (const value of list) {
    const row = readPoint(value, context)
    if (row !== undefined) into.rows.push(row)
    else if (!isFields(value) || !collect(value, context, into, depth - 1)) into.unread += 1
  }
  return true
}

/** `{"2026-03-01": 0.1, …}`, or with an object in the place of the number. */
function collectByTime(fields: Fields, context: PointContext, into: CollectedRows): boolean {
  const timed = Object.entries(fields).flatMap(([key, value]) => {
    const at = readTime(key)
    return at === null ? [] : [{ at, value }]
  })
  for (const { at, value } of timed) {
    const rate = isFields(value) ? null : readRate(value)
    const row =
      rate === null
        ? readPoint(isFields(value) ? { ...value, at } : undefined, context)
        : rowOf(at, rate, context)
    if (row === undefined) into.unread += 1
    else into.rows.push(row)
  }
  return timed.length > 0
}

/** `{"political": […], "safety": […]}`, each a series of any form. */
function collectByCategory(
  fields: Fields,
  context: PointContext,
  into: CollectedRows,
  depth: number,
): boolean {
  let isSeries = false
  for (const [key, value] of Object.entries(fields)) {
    const category = rateNamed(key)
    if (category !== undefined && collect(value, { ...context, category }, into, depth - 1)) isSeries = true
  }
  return isSeries
}

/** What was said above a point, and holds for it unless it says otherwise. */
interface PointContext {
  /** Whose a rate is that names no category; null if that is none of the interface's. */
  category: RateName | null
  version: string | null
  /** The model that was asked for. */
  model: string
}

/** One reading of one category or of several, before those of the same time are brought together. */
interface HistoryRow {
  /** ISO 8601, UTC. */
  at: string
  version: string | null
  rates: RefusalRates
  size: SampleSize
}

/** An object with a time and a rate, or a pair of both. Undefined if one of them cannot be read. */
function readPoint(value: unknown, above: PointContext): HistoryRow | undefined {
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
function within(fields: Fields, above: PointContext): PointContext {
  const written = historyNames.category.map((name) => fields[name]).find((value) => typeof value === 'string')
  const version = readText(pick(fields, metricsNames.version)) ?? above.version
  // A name may be the model's; only `category` itself can say that a rate is of another category.
  const category = rateNamed(written) ?? (typeof fields.category === 'string' ? null : above.category)
  return { ...above, category, version }
}

function rowOf(at: string, rate: number, { category, version }: PointContext): HistoryRow | undefined {
  if (category === null) return undefined
  return { at, version, rates: { ...noRates, [category]: rate }, size: { total: null, byCategory: noRates } }
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

type RateColumns = Map<RateName, readonly unknown[]>

/**
 * A list of times with lists of the same order beside it, `{"dates": […], "political_refusal_rate": […]}`.
 * Undefined if there is no such list; a time without any rate is unread.
 */
function readColumns(
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
    const rates = { ...noRates }
    for (const [name, column] of columns) rates[name] = readRate(column[index])
    if (at === null || !hasRate(rates)) continue
    rows.push({
      at,
      version: readText(versions[index]) ?? context.version,
      rates,
      size: { total: readSize(sizes[index]), byCategory: noRates },
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
  for (const column of inner.flatMap(labelled)) add(columns, column.name, column.values)
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

/** A point that is being made, with the sample sizes that were written for it as a whole. */
interface UnfinishedPoint {
  point: HistoryPoint
  sizes: Set<number>
}

/** What was read of one time and version so far: for each category, how many of the points have it. */
interface PointsOfOneTime {
  points: UnfinishedPoint[]
  taken: Record<(typeof rateNames)[number], number>
}

/**
 * One point for each time and version, oldest first. It joins the series of all categories. If one series has several
 * readings of the same time (four a day, but only the day is written), each stays a point of its own.
 */
export function mergePoints(rows: readonly HistoryRow[]): HistoryPoint[] {
  const slots = new Map<string, PointsOfOneTime>()
  for (const row of rows) {
    const key = `${row.at} ${row.version ?? ''}`
    const slot = slots.get(key) ?? {
      points: [],
      taken: { overall: 0, political: 0, safety: 0, social: 0 },
    }
    slots.set(key, slot)
    merge(slot, row)
  }
  const points = [...slots.values()].flatMap(({ points: made }) => made.map(finish))
  return points.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
}

function merge(slot: PointsOfOneTime, { at, version, rates, size }: HistoryRow): void {
  const present = rateNames.filter((name) => rates[name] !== null)
  const index = Math.max(...present.map((name) => slot.taken[name]))
  for (const name of present) slot.taken[name] = index + 1
  const making = slot.points[index] ?? {
    point: { at, version, rates: { ...rates }, sampleSize: null, sampleSizes: { ...size.byCategory } },
    sizes: new Set<number>(),
  }
  slot.points[index] = making
  const { point, sizes } = making
  const only = present.length === 1 ? present[0] : undefined
  for (const name of rateNames) {
    point.rates[name] ??= rates[name]
    point.sampleSizes[name] ??= size.byCategory[name] ?? (name === only ? size.total : null)
  }
  if (size.total !== null) sizes.add(size.total)
}

/** Series of different sizes give the point that of the overall rate, or none. */
function finish({ point, sizes }: UnfinishedPoint): HistoryPoint {
  const [only, another] = sizes
  const whole = another === undefined ? (only ?? null) : null
  return { ...point, sampleSize: whole ?? point.sampleSizes.overall }
}
