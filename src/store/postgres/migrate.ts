import { readdirSync, readFileSync } from 'node:fs'
import { StoreRefused } from '../store.ts'
import type { Database, Transaction } from './database.ts'
import { lockKinds } from './keys.ts'

const folder = new URL('./migrations/', import.meta.url)

/** What each release brings, in order. */
export const migrations = readdirSync(folder).toSorted()

/**
 * A newer Bluepencil only adds columns and keys, which an older one leaves alone. What an older one cannot read, such as a new kind of
 * entry, comes with a migration whose name ends so: who does not know it stops, and says so.
 */
export const notBesideOlder = '-not-beside-older.sql'

/** Why this Bluepencil may not work on a store that has these migrations; undefined where it may. */
export function tooOldFor(names: Iterable<string>): string | undefined {
  const unknown = [...names].find((name) => name.endsWith(notBesideOlder) && !migrations.includes(name))
  return unknown === undefined
    ? undefined
    : `a newer Bluepencil has changed the store so that this one can no longer read it (${unknown}): upgrade this one`
}

/** From the catalogue itself: what a name stands for is remembered by a connection, and may have changed while it waited. */
const isThere =
  "select from pg_catalog.pg_tables where schemaname = 'bluepencil' and tablename = 'migrations'"

/**
 * Brings the tables to what this Bluepencil writes. Whoever comes first does it, and the others wait; each file is one
 * statement, and none is ever changed. What a newer Bluepencil added is left alone, so that old and new work side by side during
 * an upgrade. Throws `StoreRefused` where this one is too old.
 */
export async function migrate(database: Database): Promise<void> {
  const done = await applied(database)
  refuse(done)
  if (migrations.every((name) => done.has(name))) return
  await database.transaction(async (transaction) => {
    await transaction.ask('select pg_advisory_xact_lock($1, 0)', [lockKinds.migration])
    await apply(transaction)
  })
}

function refuse(done: Iterable<string>): void {
  const why = tooOldFor(done)
  if (why !== undefined) throw new StoreRefused(why)
}

async function apply(transaction: Transaction): Promise<void> {
  const done = await applied(transaction)
  refuse(done)
  if (done.size === 0) {
    await transaction.ask('create schema if not exists bluepencil')
    await transaction.ask(
      'create table if not exists bluepencil.migrations (name text primary key, at timestamptz not null default now())',
    )
  }
  for (const name of migrations.filter((one) => !done.has(one))) {
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
