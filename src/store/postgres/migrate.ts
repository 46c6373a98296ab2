import type { RunQuery } from '../sql/database.ts'
import { postgres } from '../sql/dialect.ts'
import { cannotUse, migrations, statementsOf } from '../sql/migrate.ts'
import { StoreRefused } from '../store.ts'
import type { PostgresDatabase } from './database.ts'

/** From the catalogue itself: what a name stands for is remembered by a connection, and may have changed while it waited. */
const isThere =
  "select from pg_catalog.pg_tables where schemaname = 'bluepencil' and tablename = 'migrations'"

/**
 * Brings the tables to what this Bluepencil writes. Whoever comes first does it, and the others wait. What a newer Bluepencil added is left
 * alone, so that old and new work side by side during an upgrade. Throws `StoreRefused` if this one cannot use what is there.
 */
export async function migrate(database: PostgresDatabase): Promise<void> {
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
