import { stringify } from 'csv-stringify/sync'
import * as z from 'zod'
import { readDesks } from '../../store/desks.ts'
import { newestFirst } from '../../store/pages.ts'
import type { Store, StoredEntry } from '../../store/store.ts'
import {
  ChangeRecord,
  changeRecordOf,
  changesIn,
  NotificationRecord,
  notificationRecordsOf,
} from './changes.ts'
import { type FigureReader, FigureRecord, type FigureSelection, figureRecords } from './figures.ts'
import type { ExportTableName } from './table-names.ts'

type Cell = string | number | boolean | null
export type ExportedRecord = Readonly<Record<string, Cell | readonly string[]>>

interface ExportTable {
  heading: string
  /** Its rows, its columns in the codebook and those in `datapackage.json` come from it. */
  schema: z.ZodObject
  /** Columns that name a row. */
  key?: readonly string[]
  refersTo?: { field: string; table: ExportTableName; of: string }
}

export const exportTables: Readonly<Record<ExportTableName, ExportTable>> = {
  changes: { heading: 'Changes', schema: ChangeRecord, key: ['id'] },
  notifications: {
    heading: 'Notifications',
    schema: NotificationRecord,
    key: ['alert', 'channel'],
    refersTo: { field: 'change', table: 'changes', of: 'id' },
  },
  figures: { heading: 'Published figures', schema: FigureRecord },
}
export interface ExportSource {
  list: Store['list']
  actsAbout: Store['actsAbout']
  figures: FigureReader
}

/** The rows of a table, some at a time: figures by their time of measurement, the others by when a change was first seen. */
export async function* exportedRecords(
  table: ExportTableName,
  source: ExportSource,
  selection: FigureSelection,
): AsyncGenerator<readonly ExportedRecord[]> {
  if (table === 'figures') return yield* figureRecords(source.figures, selection)
  const rows = await alertsSince(source, selection.from, table === 'notifications')
  const alertEntries = rows.flatMap(({ entry }) => (entry.kind === 'alert' ? [entry] : []))
  const deskOf = table === 'changes' ? await readDesks(alertEntries, source) : undefined
  for (const alerts of changesIn(rows)) {
    const [{ entry: first }] = alerts
    const at = Date.parse(first.receivedAt)
    const isWanted =
      at >= selection.from &&
      at < selection.to &&
      (selection.model === undefined || first.model === selection.model) &&
      (selection.category === undefined || first.category === selection.category)
    if (isWanted)
      yield deskOf === undefined ? notificationRecordsOf(alerts) : [changeRecordOf(alerts, deskOf)]
  }
}

/** Later alerts decide what became of a change, so the end of the selection is no bound. Bodies take too much memory. */
async function alertsSince(
  { list }: Pick<ExportSource, 'list'>,
  since: number,
  withOutcomes: boolean,
): Promise<StoredEntry[]> {
  const rows: StoredEntry[] = []
  const filter = { kind: 'alert', from: new Date(since).toISOString() } as const
  for await (const page of newestFirst(
    { list },
    { ...filter, ...(!withOutcomes && { withoutOutcomes: true }) },
  )) {
    rows.push(...page.map(withoutBody))
  }
  return rows.reverse()
}

function withoutBody(row: StoredEntry): StoredEntry {
  if (row.entry.kind !== 'alert') return row
  const { evidence: _, ...entry } = row.entry
  return { ...row, entry: { ...entry, body: { encoding: 'utf8', text: '' } } }
}

/** RFC 4180 with a header. A text that a spreadsheet would run as a formula begins with an apostrophe. */
export async function* csvOf(
  table: ExportTableName,
  batches: AsyncIterable<readonly ExportedRecord[]>,
): AsyncGenerator<string> {
  const columns = Object.keys(exportTables[table].schema.shape)
  const options = { record_delimiter: 'windows', escape_formulas: true, cast: { boolean: String } } as const
  yield stringify([columns], options)
  for await (const records of batches) {
    const rows = records.map((record) => columns.map((name) => cellOf(record[name])))
    if (rows.length > 0) yield stringify(rows, options)
  }
}

export async function* jsonLinesOf(
  batches: AsyncIterable<readonly ExportedRecord[]>,
): AsyncGenerator<string> {
  for await (const records of batches) {
    if (records.length > 0) yield `${records.map((record) => JSON.stringify(record)).join('\n')}\n`
  }
}

/** A list is one cell. */
function cellOf(value: ExportedRecord[string] | undefined): Cell {
  if (value === undefined || value === null) return null
  return typeof value === 'object' ? value.join(' ') : value
}

export interface ExportedColumn {
  name: string
  /** Of Frictionless Table Schema. */
  type: 'string' | 'number' | 'integer' | 'boolean' | 'datetime'
  /** The only values, if there are few. */
  values?: readonly string[]
  isRequired: boolean
  description: string
}

interface JsonProperty {
  type?: string
  format?: string
  enum?: string[]
  description?: string
  anyOf?: JsonProperty[]
}

/** What stands in each column, from the schema that the rows are written with. */
export function columnsOf(table: ExportTableName): ExportedColumn[] {
  const { properties = {} } = z.toJSONSchema(exportTables[table].schema) as {
    properties?: Record<string, JsonProperty>
  }
  return Object.entries(properties).map(([name, property]) => {
    const [value = property] = property.anyOf ?? []
    const type =
      value.format === 'date-time'
        ? 'datetime'
        : value.type === 'number' || value.type === 'integer' || value.type === 'boolean'
          ? value.type
          : 'string'
    return {
      name,
      type,
      ...(value.enum && { values: value.enum }),
      isRequired: property.anyOf === undefined && value.type !== 'array',
      description: `${property.description ?? value.description ?? ''}${value.type === 'array' ? '; separated by blanks in CSV' : ''}`,
    }
  })
}
