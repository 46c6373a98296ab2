import { stringify } from 'csv-stringify/sync'
import type { Control } from '../../people/control/control.ts'
import type { Clock } from '../../platform/clock.ts'
import { plain } from '../../platform/text.ts'
import type { ListFilter } from '../../store/list-filter.ts'
import { readAlerts, type StoredAlert } from '../query.ts'
import { AlertRecord } from './record.ts'

/** How a file is written: records come in some at a time, and its text goes out. */
export interface FileForm {
  type: string
  write(batches: AsyncIterable<AlertRecord[]>): AsyncGenerator<string>
}

/** Of a text in one cell; Excel takes no more. */
const longest = 32_000
const columns = AlertRecord.keyof().options

type ExportCell = string | number | null

/** A list is one cell, and so is what became of it on each channel. Line breaks and what cannot be seen stay out. */
function cellOf(value: AlertRecord[keyof AlertRecord]): ExportCell {
  if (value === null || typeof value === 'number') return value
  if (typeof value === 'string') return plain(value, longest)
  const parts = Array.isArray(value)
    ? value
    : Object.entries(value).map(([name, state]) => `${name}=${state}`)
  return plain(parts.join('; '), longest)
}

/**
 * RFC 4180, with a header. A text that a spreadsheet would take for a formula begins with an apostrophe; a negative number
 * is one, and does not.
 */
async function* csv(batches: AsyncIterable<AlertRecord[]>): AsyncGenerator<string> {
  const options = { record_delimiter: 'windows', escape_formulas: true } as const
  yield stringify([columns], options)
  for await (const records of batches) {
    const rows = records.map((record) => columns.map((name) => cellOf(record[name])))
    if (rows.length > 0) yield stringify(rows, options)
  }
}

/** One array, a line for each. */
async function* json(batches: AsyncIterable<AlertRecord[]>): AsyncGenerator<string> {
  let isFirst = true
  yield '['
  for await (const records of batches) {
    if (records.length === 0) continue
    yield `${isFirst ? '' : ','}\n${records.map((record) => JSON.stringify(record)).join(',\n')}`
    isFirst = false
  }
  yield '\n]\n'
}

export const fileForms = {
  csv: { type: 'text/csv; charset=utf-8; header=present', write: csv },
  json: { type: 'application/json; charset=utf-8', write: json },
} as const satisfies Record<string, FileForm>

interface WalkParts {
  control: Pick<Control, 'events'>
  clock: Clock
}

/** So many are in memory at once. */
const atOnce = 200

/**
 * All alerts of a filter, newest first. It reads as many at a time as fit into memory, even if the client reads slowly. It uses
 * half of the time at most, so alerts don't wait for it.
 */
export async function* alertsOf(
  filter: ListFilter,
  { control, clock }: WalkParts,
  signal: AbortSignal,
): AsyncGenerator<StoredAlert[]> {
  for (let before: number | undefined; !signal.aborted; ) {
    const began = performance.now()
    const page = await readAlerts(control, { ...filter, limit: atOnce, before })
    const tookMs = performance.now() - began
    yield page.rows
    if (page.before === undefined) return
    before = page.before
    await clock.sleep(tookMs, signal)
  }
}
