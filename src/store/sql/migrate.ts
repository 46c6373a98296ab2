import { readdirSync, readFileSync } from 'node:fs'
import type { SqlDialect } from './dialect.ts'

const folder = new URL('./migrations/', import.meta.url)

/** What each release brings, in order. None is ever changed. */
export const migrations = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .toSorted()

/**
 * A newer Bluepencil only adds columns and keys, which an older one leaves alone. What an older one cannot read, such as a new kind of
 * entry, comes with a migration whose name ends so: who does not know it stops, and says so.
 */
export const notBesideOlder = '-not-beside-older.sql'

/** Why this Bluepencil may not work on a store that has these migrations; undefined if it may. */
export function cannotUse(names: Iterable<string>): string | undefined {
  const unknown = [...names].find((name) => name.endsWith(notBesideOlder) && !migrations.includes(name))
  return unknown === undefined
    ? undefined
    : `a newer Bluepencil has changed the store, and this one can no longer read it (${unknown}); upgrade this one`
}

/** The statements of one migration for one database: in the files, what is for one alone stands in a comment that begins with its name. */
export function statementsOf(name: string, dialect: SqlDialect): string[] {
  const text = readFileSync(new URL(name, folder), 'utf8').replace(/^--.*\n/gm, '')
  const ofDialect = text.replace(/\/\*(sqlite|postgres):([\s\S]*?)\*\//g, (_, of: string, inside: string) =>
    of === dialect.name ? inside : '',
  )
  return ofDialect
    .replace(/^ *--.*\n/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
