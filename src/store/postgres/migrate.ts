import { readdirSync, readFileSync } from 'node:fs'
import type { Database, Transaction } from './database.ts'
import { lockKinds } from './keys.ts'

const folder = new URL('./migrations/', import.meta.url)

/** From the catalogue itself: what a name stands for is remembered by a connection, and may have changed while it waited. */
const isThere =
  "select from pg_catalog.pg_tables where schemaname = 'bluepencil' and tablename = 'migrations'"

/**
 * Brings the tables to what this Bluepencil writes. Whoever comes first does it, and the others wait; each file is one
 * statement, and none is ever changed. A newer Bluepencil only adds: what it added is left alone, so that old and new work
 * side by side during an upgrade.
 */
export async function migrate(database: Database): Promise<void> {
  const wanted = readdirSync(folder).toSorted()
  const done = await applied(database)
  if (wanted.every((name) => done.has(name))) return
  await database.transaction(async (transaction) => {
    await transaction.ask('select pg_advisory_xact_lock($1, 0)', [lockKinds.migration])
    await apply(transaction, wanted)
  })
}

async function apply(transaction: Transaction, wanted: readonly string[]): Promise<void> {
  const done = await applied(transaction)
  if (done.size === 0) {
    await transaction.ask('create schema if not exists bluepencil')
    await transaction.ask(
      'create table if not exists bluepencil.migrations (name text primary key, at timestamptz not null default now())',
    )
  }
  for (const name of wanted.filter((one) => !done.has(one))) {
    await transaction.ask(readFileSync(new URL(name, folder), 'utf8'))
    await transaction.ask('insert into bluepencil.migrations (name) values ($1)', [name])
  }
}

async function applied({ ask }: Pick<Database, 'ask'>): Promise<Set<string>> {
  const [there] = await ask(isThere)
  if (there === undefined) return new Set()
  const rows = await ask<{ name: string }>('select name from bluepencil.migrations')
  return new Set(rows.map(({ name }) => name))
}
