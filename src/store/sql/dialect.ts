/** Names of columns with their types. */
export type TableColumns = Readonly<Record<string, 'bigint' | 'text' | 'float8'>>

/** What differs between the databases in the text of a statement. Statements are written for Postgres: `$1`, `bluepencil.entries`. */
export interface SqlDialect {
  name: 'sqlite' | 'postgres'
  /** A table named `new` with the rows that `writeRows` is given. */
  rows(columns: TableColumns): string
  /**
   * Inserts the rows that `writeRows` gets. Each column of the table has an expression, in which `new.x` is column `x` of such a row.
   * SQLite gets `values`: an insert with `select` opens a savepoint and then writes the index of words (86 µs of processor
   * time for an event instead of 57).
   */
  insert(table: string, values: Readonly<Record<string, string>>, given: TableColumns): string
  /** Whether a column has one of the values of an array, the parameter with that number. */
  any(column: string, parameter: number): string
  /** The elements of an array that is given as JSON, as `value`. */
  each(parameter: number): string
  /** Keeps other processes from changing these rows until the commit. */
  forUpdate(of: string): string
  /** A column of text, to order by its bytes. Postgres orders by the database's own collation. */
  byteOrder(column: string): string
  /** The larger of two that are not null. */
  greatest(one: string, other: string): string
  /** The store's own time, milliseconds since the epoch. */
  now: string
  /** The number of the next entry, if it is not given. */
  nextSeq: string
  /** A checksum of these columns. */
  sum(columns: readonly string[]): string
  /** Full text, in the table `search`. */
  search: {
    /** Which column has the number of the entry. */
    seq: string
    /** Of words with a space between, what is stored of them. */
    words(words: string): string
    /** Whether an entry has the words of the parameter with that number. */
    matches(parameter: number): string
    /** The parameter: all of these words, or of those that are not whole, any that begin so. */
    query(terms: readonly { word: string; isWhole: boolean }[]): string
  }
}

/** Data checksums of Postgres itself notice what its disk changes. */
export const postgres: SqlDialect = {
  name: 'postgres',
  rows: (columns) => {
    const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`)
    return `unnest(${arrays.join(', ')}) new (${Object.keys(columns).join(', ')})`
  },
  insert: (table, values, given) =>
    `${into(table, values)} select ${Object.values(values).join(', ')} from ${postgres.rows(given)}`,
  any: (column, parameter) => `${column} = any($${parameter})`,
  each: (parameter) => `jsonb_array_elements($${parameter}::jsonb)`,
  forUpdate: (of) => `for update of ${of}`,
  byteOrder: (column) => `${column} collate "C"`,
  greatest: (one, other) => `greatest(${one}, ${other})`,
  now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
  nextSeq: "nextval('bluepencil.entries_seq')",
  sum: () => 'null',
  search: {
    seq: 'seq',
    words: (words) => `array_to_tsvector(array_remove(string_to_array(${words}, ' '), ''))`,
    matches: (parameter) => `search.words @@ $${parameter}::tsquery`,
    query: (terms) => terms.map(({ word, isWhole }) => `'${word}'${isWhole ? '' : ':*'}`).join(' & '),
  },
}

/** `row_sum` is a function of ours: see sqlite/engine.ts. */
export const sqlite: SqlDialect = {
  name: 'sqlite',
  rows: (columns) => {
    const values = Object.keys(columns).map((name, index) => `$${index + 1} as ${name}`)
    return `(select ${values.join(', ')}) new`
  },
  insert(table, values, given) {
    const names = Object.keys(given)
    const numbered = (text: string) =>
      text.replace(/\bnew\.(\w+)/g, (_, name) => `$${names.indexOf(name) + 1}`)
    return `${into(table, values)} values (${Object.values(values).map(numbered).join(', ')})`
  },
  any: (column, parameter) => `${column} in (select value from json_each($${parameter}))`,
  each: (parameter) => `json_each($${parameter})`,
  forUpdate: () => '',
  byteOrder: (column) => column,
  greatest: (one, other) => `max(${one}, ${other})`,
  now: "cast(unixepoch('subsec') * 1000 as integer)",
  nextSeq: "(select coalesce(max(seq), 0) + 1 from sqlite_sequence where name = 'entries')",
  sum: (columns) => `row_sum(${columns.join(', ')})`,
  search: {
    seq: 'rowid',
    words: (words) => words,
    matches: (parameter) => `search match $${parameter}`,
    query: (terms) => terms.map(({ word, isWhole }) => `"${word}"${isWhole ? '' : '*'}`).join(' '),
  },
}

function into(table: string, values: Readonly<Record<string, string>>): string {
  return `insert into bluepencil.${table} (${Object.keys(values).join(', ')})`
}

const translated = new Map<string, string>()

/** The same statement for SQLite, which has no schemas and numbers its parameters otherwise. */
export function forSqlite(text: string): string {
  const cached = translated.get(text)
  if (cached !== undefined) return cached
  const statement = text.replace(/\bbluepencil\./g, '').replace(/\$(\d+)/g, '?$1')
  translated.set(text, statement)
  return statement
}
