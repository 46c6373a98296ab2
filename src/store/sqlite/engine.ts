import { hash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import {
  backup,
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite'
import { forSqlite, sqlite } from '../sql/dialect.ts'
import { cannotUse, migrations, statementsOf } from '../sql/migrate.ts'
import { StoreRefused } from '../store.ts'
import { failureOf, ioError, isDamage, resultOf } from './failure.ts'
import {
  createFileGuard,
  type DocumentStep,
  databaseName,
  type FileGuard,
  makeDatabaseFile,
  markDamaged,
  stepDocument,
  whyNotLarger,
} from './files.ts'

/** Statements that are committed together, each once for each of its rows. */
export type Batch = readonly { text: string; rows: readonly (readonly unknown[])[] }[]

/** A database that is asked and answers, in this thread or another. Rejects with `DatabaseFailure`. */
export interface SqliteConnection {
  read(text: string, values: readonly unknown[]): Promise<unknown[]>
  /** Resolves when it is on disk. */
  commit(batch: Batch): Promise<void>
  /** A copy of all that is committed, in a file of its own that is not there yet; others may commit meanwhile. */
  copyTo(path: string): Promise<void>
  /** Of the document beside the database: see files.ts. */
  document(step: DocumentStep): Promise<string | undefined>
  close(): Promise<void>
}

/** Another program that has the database locked for longer is in the way: an admin's `sqlite3`, perhaps. */
const lockWaitMs = 5_000

/** All of them: what is copied in one step is as it was at one moment, and no commit begins it anew. */
const allPages = 2 ** 31 - 1

const forAll = `
PRAGMA busy_timeout = ${lockWaitMs};
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -8000;
PRAGMA cell_size_check = ON;
PRAGMA trusted_schema = OFF;`

/** A log that grew while somebody read for long is made small again. */
const forWriting = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA fullfsync = ON;
PRAGMA checkpoint_fullfsync = ON;
PRAGMA journal_size_limit = 67108864;`

/** In this thread. Who opens it to write has the lock of the folder. Throws `StoreRefused`. */
export function openEngine(folder: string, { mayWrite }: { mayWrite: boolean }): SqliteConnection {
  if (mayWrite) makeDatabaseFile(folder)
  const database = openFile(join(folder, databaseName), { readOnly: !mayWrite })
  try {
    if (mayWrite) {
      database.exec(forWriting)
      migrate(database)
    }
    return engineOn(database, folder, mayWrite ? createFileGuard(folder) : () => undefined)
  } catch (error) {
    database.close()
    throw error
  }
}

export function openEngineInMemory(): SqliteConnection {
  const database = openFile(':memory:', { readOnly: false })
  migrate(database)
  return engineOn(database, '', () => undefined)
}

/** Statements of sums.ts can be asked of it. */
export function openFile(path: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly })
  try {
    database.function('row_sum', { varargs: true, deterministic: true }, rowSum)
    database.exec(forAll)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** 64 bits of SHA-256: SQLite notices no bit that flips within a row (258 of 300 were silently wrong). No text of ours has a U+0000. */
function rowSum(...values: SQLOutputValue[]): string {
  const text = values.map((value) => (value === null ? '\x01' : String(value))).join('\0')
  return hash('sha256', text, 'hex').slice(0, 16)
}

function migrate(database: DatabaseSync): void {
  inTransaction(database, () => {
    database.exec(
      'create table if not exists migrations (name text primary key, at text default current_timestamp)',
    )
    const done = new Set(
      database
        .prepare('select name from migrations')
        .all()
        .map(({ name }) => String(name)),
    )
    const why = cannotUse(done)
    if (why !== undefined) throw new StoreRefused(why)
    for (const name of migrations.filter((one) => !done.has(one))) {
      for (const statement of statementsOf(name, sqlite)) database.exec(forSqlite(statement))
      database.prepare('insert into migrations (name) values (?)').run(name)
    }
  })
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('begin immediate')
  try {
    work()
    database.exec('commit')
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

function engineOn(database: DatabaseSync, folder: string, guardFiles: FileGuard): SqliteConnection {
  const prepared = new Map<string, StatementSync>()

  function statement(text: string): StatementSync {
    const compiled = prepared.get(text) ?? database.prepare(forSqlite(text))
    prepared.set(text, compiled)
    return compiled
  }

  function failing<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (isDamage(error)) markDamaged(folder)
      if (resultOf(error) !== ioError) throw failureOf(error)
      throw failureOf(whyNotLarger(folder) ?? error)
    }
  }

  return {
    read: async (text, values) => failing(() => statement(text).all(...values.map(bound))),
    commit: async (batch) =>
      failing(() => {
        guardFiles('undone')
        inTransaction(database, () => {
          for (const { text, rows } of batch) {
            const insert = statement(text)
            // It answers the last row number, and those inside the index of words are too large for a number.
            insert.setReadBigInts(true)
            for (const row of rows) insert.run(...row.map(bound))
          }
        })
        guardFiles('unknown')
      }),
    async copyTo(path) {
      try {
        closeSync(openSync(path, 'wx', 0o600))
        // On the connection that commits, a first step within a transaction fails (nodejs/node, `BackupJob`): 6 of 100 copies did.
        const reader = openFile(join(folder, databaseName), { readOnly: true })
        await backup(reader, path, { rate: allPages }).finally(() => reader.close())
      } catch (error) {
        throw failureOf(error)
      }
    },
    async document(step) {
      try {
        if (step.does !== 'read') guardFiles('undone')
        return stepDocument(folder, step)
      } catch (error) {
        throw failureOf(error)
      }
    },
    close: async () => database.close(),
  }
}

/** An array is given as JSON: see `SqlDialect.any`. */
function bound(value: unknown): SQLInputValue {
  if (Array.isArray(value)) return JSON.stringify(value)
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new TypeError(`a statement takes no ${typeof value}`)
}
