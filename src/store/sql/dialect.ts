/** What differs between the databases in the text of a statement. Statements are written for Postgres: `$1`, `bluepencil.entries`. */
export interface Dialect {
  name: 'sqlite' | 'postgres'
  /** A table named `new` with the rows that `writeRows` is given: names of columns with their types. */
  rows(columns: Readonly<Record<string, 'bigint' | 'text' | 'float8'>>): string
  /** Whether a column has one of the values of an array, the parameter with that number. */
  any(column: string, parameter: number): string
  /** The elements of an array that is given as JSON, as `value`. */
  each(parameter: number): string
  /** Keeps other processes from changing these rows until the commit. */
  forUpdate(of: string): string
  /** The larger of two that are not null. */
  greatest(one: string, other: string): string
  /** The store's own time, milliseconds since the epoch. */
  now: string
  /** The number of the next entry, if it is not given. */
  nextSeq: string
  /** A checksum of these columns. */
  sum(columns: readonly string[]): string
}

/** Data checksums of Postgres itself notice what its disk changes. */
export const postgres: Dialect = {
  name: 'postgres',
  rows: (columns) => {
    const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`)
    return `unnest(${arrays.join(', ')}) new (${Object.keys(columns).join(', ')})`
  },
  any: (column, parameter) => `${column} = any($${parameter})`,
  each: (parameter) => `jsonb_array_elements($${parameter}::jsonb)`,
  forUpdate: (of) => `for update of ${of}`,
  greatest: (one, other) => `greatest(${one}, ${other})`,
  now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
  nextSeq: "nextval('bluepencil.entries_seq')",
  sum: () => 'null',
}

/** `row_sum` is a function of ours: see sqlite/engine.ts. */
export const sqlite: Dialect = {
  name: 'sqlite',
  rows: (columns) => {
    const values = Object.keys(columns).map((name, index) => `$${index + 1} as ${name}`)
    return `(select ${values.join(', ')}) new`
  },
  any: (column, parameter) => `${column} in (select value from json_each($${parameter}))`,
  each: (parameter) => `json_each($${parameter})`,
  forUpdate: () => '',
  greatest: (one, other) => `max(${one}, ${other})`,
  now: "cast(unixepoch('subsec') * 1000 as integer)",
  nextSeq: 'null',
  sum: (columns) => `row_sum(${columns.join(', ')})`,
}

const translated = new Map<string, string>()

/** The same statement for SQLite, which has no schemas and numbers its parameters otherwise. */
export function forSqlite(text: string): string {
  const known = translated.get(text)
  if (known !== undefined) return known
  const own = text.replace(/\bbluepencil\./g, '').replace(/\$(\d+)/g, '?$1')
  translated.set(text, own)
  return own
}
