import { historyNames } from '../../names.ts'
import { type Fields, isFields, pick } from '../fields.ts'
import { rateNamed, readRate } from '../rates.ts'
import { readTime } from '../time.ts'
import { readColumns } from './columns.ts'
import { type HistoryRow, type PointContext, readPoint, rowOf, within } from './point.ts'

export interface CollectedRows {
  rows: HistoryRow[]
  /** Points that could not be read. */
  unread: number
}

/** Wrapped deeper than this, it is another thing than a history. */
const deepest = 5

/** Every point in an answer, of whatever form. Undefined where there is none, and no empty list in place of them. */
export function collectSeries(answer: unknown, context: PointContext): CollectedRows | undefined {
  const collected: CollectedRows = { rows: [], unread: 0 }
  const found = collect(answer, context, collected, deepest)
  return !found || (collected.rows.length === 0 && collected.unread > 0) ? undefined : collected
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
  for (const one of list) {
    const row = readPoint(one, context)
    if (row !== undefined) into.rows.push(row)
    else if (!isFields(one) || !collect(one, context, into, depth - 1)) into.unread += 1
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
  let found = false
  for (const [key, value] of Object.entries(fields)) {
    const category = rateNamed(key)
    if (category !== undefined && collect(value, { ...context, category }, into, depth - 1)) found = true
  }
  return found
}
