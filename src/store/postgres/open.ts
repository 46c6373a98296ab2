import { type Clock, systemClock } from '../../platform/clock.ts'
import type { CopySource } from '../copy.ts'
import { createChain } from '../sql/chain.ts'
import type { Database, RunQuery } from '../sql/database.ts'
import { postgres } from '../sql/dialect.ts'
import { refused } from '../sql/failure.ts'
import { createFigures } from '../sql/figures.ts'
import { cannotUse, migrations, statementsOf } from '../sql/migrate.ts'
import { storeIn } from '../sql/open.ts'
import { createReading } from '../sql/reading.ts'
import { readHorizon } from '../sql/retention.ts'
import { readState } from '../sql/state.ts'
import { type ProcessClock, type Store, StoreRefused } from '../store.ts'
import { openFeed } from './change-feed.ts'
import { openDatabase, type PostgresDatabase } from './database.ts'
import { clocks, createClockOffset, createSessions } from './sessions.ts'

interface PostgresOptions {
  /** Gets a sentence if the clock is in doubt and no old event is dropped, and null when the clock is right again. */
  onDoubt?: ((sentence: string | null) => void) | undefined
  /** Gets a sentence, perhaps repeatedly, if a newer Bluepencil has changed the store. This process must end. */
  onTooOld?: ((sentence: string) => void) | undefined
  /** A test's own time, for when an event counts as accepted; else the database's. Milliseconds since the epoch. */
  now?: (() => number) | undefined
  /** This machine's clock; a test sets it wrong. */
  clock?: Clock | undefined
  /** After so many milliseconds of silence a process has ended; a test wants few. */
  termMs?: number | undefined
}

/**
 * Opens the store of any number of processes in a database of Postgres, whose tables it makes if they are missing. Throws
 * `StoreRefused` if it cannot be used. Times are the database's.
 */
export async function openPostgresStore(url: string, options?: PostgresOptions): Promise<Store> {
  return (await openPostgres(url, options)).store
}

/** With its tables, for a copy. */
export async function openPostgres(
  url: string,
  { now: testNow, onDoubt, onTooOld = () => undefined, clock = systemClock, termMs }: PostgresOptions = {},
): Promise<{ store: Store; database: Database }> {
  const database = openDatabase(url)
  try {
    await migrate(database)
    const feed = await openFeed(database, clock)
    const offset = createClockOffset(database.ask, clock.now)
    await offset.measure()
    const sessions = createSessions({ database, feed, clock, termMs, offset, onTooOld })
    const testTime = () => testNow?.() ?? null
    const now = () => testNow?.() ?? clock.now()
    const aheadMs = testNow === undefined ? offset.aheadMs : () => 0
    const store = storeIn({ database, feed, sessions, now, aheadMs, testTime, onDoubt })
    return { store: { ...store, clocks: () => database.ask<ProcessClock>(clocks) }, database }
  } catch (cause) {
    await database.close()
    throw refused('the store in Postgres cannot be opened', cause)
  }
}

/**
 * The store at one moment: one transaction that sees nothing that is accepted or sent later. Throws `StoreRefused` if it
 * cannot be read.
 */
export async function openPostgresSnapshot(url: string): Promise<CopySource & { close(): Promise<void> }> {
  const database = openDatabase(url)
  try {
    const { ask, end } = await database.snapshot()
    const { list, find } = createReading({ ask, dialect: postgres }, Date.now)
    const transaction = () => Promise.reject(new Error('it is only read'))
    return {
      list,
      find,
      chain: createChain({ ask, dialect: postgres, transaction }),
      figures: createFigures({ ask, dialect: postgres, transaction }),
      readState: (key) => readState(ask, postgres, key),
      horizon: () => readHorizon(ask),
      async close() {
        await end()
        await database.close()
      },
    }
  } catch (cause) {
    await database.close()
    throw refused('the store in Postgres cannot be read', cause)
  }
}

/** From the catalogue itself: what a name stands for is remembered by a connection, and may have changed while it waited. */
const isThere =
  "select from pg_catalog.pg_tables where schemaname = 'bluepencil' and tablename = 'migrations'"

/**
 * Updates the tables to the format of this version. The first process does it, and the others wait. Additions of a newer
 * version stay, so both versions run side by side during an upgrade. Throws `StoreRefused` if this version cannot use the tables.
 */
async function migrate(database: PostgresDatabase): Promise<void> {
  const done = await applied(database.ask)
  refuse(done)
  if (migrations.every((name) => done.has(name))) return
  await database.transaction(async ({ ask, lock }) => {
    lock({ on: 'migration' })
    await apply(ask)
  })
}

function refuse(done: Iterable<string>): void {
  const why = cannotUse(done)
  if (why !== undefined) throw new StoreRefused(why)
}

async function apply(ask: RunQuery): Promise<void> {
  const done = await applied(ask)
  refuse(done)
  if (done.size === 0) {
    await ask('create schema if not exists bluepencil')
    await ask(
      'create table if not exists bluepencil.migrations (name text primary key, at timestamptz not null default now())',
    )
  }
  for (const name of migrations.filter((one) => !done.has(one))) {
    for (const statement of statementsOf(name, postgres)) await ask(statement)
    await ask('insert into bluepencil.migrations (name) values ($1)', [name])
  }
}

async function applied(ask: RunQuery): Promise<Set<string>> {
  const [there] = await ask(isThere)
  if (there === undefined) return new Set()
  const rows = await ask<{ name: string }>('select name from bluepencil.migrations')
  return new Set(rows.map(({ name }) => name))
}
