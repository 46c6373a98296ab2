import type { SqlDialect, TableColumns } from './dialect.ts'

/** The columns of an entry that are made of it, with their types. */
export const entryColumns = {
  id: 'text',
  kind: 'text',
  way: 'text',
  type: 'text',
  model: 'text',
  category: 'text',
  delta: 'float8',
  detected: 'bigint',
  received: 'bigint',
  content: 'text',
  entry: 'text',
} as const

export const relationColumns = { id: 'text', kind: 'text', named: 'text' } as const

/** The columns of an outcome that are made of it, with their types. */
export const outcomeColumns = { state: 'text', due: 'bigint', ready: 'bigint', outcome: 'text' } as const

/** The columns of a published figure, with their types. */
export const figureColumns = {
  service: 'text',
  model: 'text',
  category: 'text',
  series: 'text',
  measured: 'bigint',
  at: 'bigint',
  part: 'bigint',
  rate: 'float8',
  unit: 'text',
  sample_size: 'bigint',
  size_of_all: 'bigint',
  version: 'text',
  seen: 'bigint',
} as const

export const spanColumns = {
  service: 'text',
  model: 'text',
  category: 'text',
  source: 'text',
  since: 'bigint',
  until: 'bigint',
} as const

export const chainColumns = {
  number: 'bigint',
  at: 'text',
  up_to: 'bigint',
  salt: 'text',
  count: 'bigint',
  digest: 'text',
  previous: 'text',
  head: 'text',
  links: 'text',
  begins: 'text',
} as const

/** The values of a row, in the order of its columns. */
export function valuesOf<Columns extends TableColumns>(
  columns: Columns,
  row: Readonly<Record<keyof Columns, unknown>>,
): unknown[] {
  return Object.keys(columns).map((name) => row[name])
}

/** What an insert gives each of these columns: the value of the row with that name. */
export function fromNew(columns: TableColumns): Record<string, string> {
  return Object.fromEntries(Object.keys(columns).map((name) => [name, `new.${name}`]))
}

/** The columns that a checksum of a row covers, in its order: all but the checksum. */
const sumOf = {
  entry: ['seq', 'at', ...Object.keys(entryColumns)],
  relation: ['seq', ...Object.keys(relationColumns)],
  outcome: ['seq', 'channel', 'place', 'state', 'due', 'ready', 'lease', 'lease_session', 'outcome'],
  state: ['key', 'value'],
  chain: Object.keys(chainColumns),
  figure: Object.keys(figureColumns),
  figure_span: Object.keys(spanColumns),
} as const satisfies Record<string, readonly string[]>

export type SummedColumn = keyof typeof sumOf

/**
 * A column `damaged`: which row of the join is not as it was written, or null. `tables`: the kind of row behind each name in the
 * statement. A database reports damaged rows and never returns them.
 */
export function damaged(dialect: SqlDialect, tables: Readonly<Record<string, SummedColumn>>): string {
  if (dialect.name === 'postgres') return 'null as damaged'
  const cases = Object.entries(tables).map(([table, what]) => {
    const expected = dialect.sum(sumOf[what].map((column) => `${table}.${column}`))
    return `when ${table}.sum is not ${expected} then '${what}'`
  })
  return `case ${cases.join(' ')} end as damaged`
}

/** The checksum of a row whose columns are these; a column that is not named stays as it is in `table`. */
export function newSum(
  dialect: SqlDialect,
  what: SummedColumn,
  columns: Readonly<Record<string, string>>,
  table = '',
): string {
  return dialect.sum(sumOf[what].map((column) => columns[column] ?? `${table}${column}`))
}

/** What changes a part of a row asks it first: a new checksum must not hide what was damaged in the rest. */
export function isWhole(dialect: SqlDialect, what: SummedColumn, table: string): string {
  return dialect.name === 'postgres' ? 'true' : `${table}.sum is ${newSum(dialect, what, {}, `${table}.`)}`
}
