import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { searchWords } from '../list-filter.ts'
import { forSqlite, sqlite } from '../sql/dialect.ts'
import { isWhole, type SummedColumn } from '../sql/tables.ts'
import { StoreRefused } from '../store.ts'
import { entryFrom } from '../stored-format.ts'
import { openEngine, openFile } from './engine.ts'
import { isDamage } from './failure.ts'
import { databaseName, markName, nextName, syncFolder } from './files.ts'
import { mending, missingNumbers, missingText, summedTables } from './verify.ts'

/**
 * Call it before you open a store, with its lock held. If the database is damaged, it is kept aside, and all readable, intact rows go
 * into a new one. Throws `StoreRefused` if there is no room for it.
 */
export function salvageIfDamaged(folder: string, onTrouble: (sentence: string) => void): void {
  const path = join(folder, databaseName)
  const mark = join(folder, markName)
  if (existsSync(path) && isDamaged(path, { isMarked: existsSync(mark) })) onTrouble(salvage(folder))
  rmSync(mark, { force: true })
}

/** If damage was met and all can be read, only the index of words can be wrong: it is made again. */
function isDamaged(path: string, { isMarked }: { isMarked: boolean }): boolean {
  try {
    const database = openFile(path, { readOnly: false })
    try {
      database.prepare('select count(*) from sqlite_schema').get()
      if (!isMarked) return false
      if (database.prepare('pragma integrity_check(1)').get()?.integrity_check !== 'ok') return true
      indexWords(database)
      return false
    } finally {
      database.close()
    }
  } catch (error) {
    if (isDamage(error)) return true
    throw error
  }
}

function salvage(folder: string): string {
  const path = join(folder, databaseName)
  requireRoom(folder, statSync(path).size)
  const fresh = join(folder, 'salvaged')
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { mode: 0o700 })
  void openEngine(fresh, { mayWrite: true }).close()
  const saved = saveRows(path, join(fresh, databaseName))
  const kept = nextName(`${path}.damaged`)
  linkSync(path, kept)
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${kept}-wal`)
  syncFolder(folder)
  // A log that is left would be applied to the new one.
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  renameSync(join(fresh, databaseName), path)
  syncFolder(folder)
  rmSync(fresh, { recursive: true, force: true })
  return `${databaseName} was damaged and is kept as ${kept.slice(folder.length + 1)}. What could be read is saved: ${saved}`
}

/** As much as there is, and the same again for the new log. */
function requireRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize > 2 * bytes) return
  const needed = Math.ceil((2 * bytes) / 2 ** 20)
  throw new StoreRefused(
    `${databaseName} in ${folder} is damaged. To save what can be read, Bluepencil needs ${needed} MiB of free space there. Free them and restart`,
  )
}

/** Returns what was saved and what was not, as half a sentence. */
function saveRows(from: string, to: string): string {
  const database = openFile(to, { readOnly: false })
  try {
    try {
      database.prepare('attach ? as old').run(from)
      for (const table of tablesOf(database)) saveTable(database, table)
      saveLastNumber(database)
      database.exec('detach old')
    } catch (error) {
      if (!isDamage(error)) throw error
    }
    for (const table of ['outcomes', 'relations'])
      database.exec(`delete from ${table} where seq not in (select seq from entries)`)
    const { text, values } = mending(Date.now())
    database.prepare(forSqlite(text)).run(...values)
    indexWords(database)
    database.exec('pragma wal_checkpoint(truncate)')
    const count = Number(database.prepare('select count(*) as count from entries').get()?.count)
    const missing = database.prepare(missingNumbers).all() as unknown as { first: number; last: number }[]
    return missing.length === 0 ? `${count} events` : `${count} events; ${missingText(missing)}`
  } finally {
    database.close()
  }
}

/** All but those of SQLite itself, of the index of words, and of migrations. */
function tablesOf(database: DatabaseSync): string[] {
  const names = database
    .prepare(
      "select name from main.sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like 'search%' and name <> 'migrations'",
    )
    .all()
  return names.map(({ name }) => String(name))
}

/** So many ranges of rows may fail: then the rest of a table is given up. */
const mostFailures = 20_000

/** A range of rows that cannot be read is halved until what is unreadable is one row. */
function saveTable(database: DatabaseSync, table: string): void {
  const columns = database
    .prepare(`select name from pragma_table_info('${table}', 'main')`)
    .all()
    .map(({ name }) => String(name))
  const [what] = (Object.keys(summedTables) as SummedColumn[]).filter(
    (one) => summedTables[one].table === table,
  )
  // Outcomes are mended in the new one, and a batch that is damaged is better than a gap in the chain.
  const whole =
    what === undefined || what === 'outcome' || what === 'chain'
      ? ''
      : `and ${isWhole(sqlite, what, `old.${table}`)}`
  const copy = database.prepare(
    forSqlite(`insert or replace into main.${table} (${columns.join(', ')})
select ${columns.join(', ')} from old.${table} where rowid between $1 and $2 ${whole}`),
  )
  let failures = 0
  const save = (first: number, last: number): void => {
    try {
      copy.run(first, last)
    } catch (error) {
      if (!isDamage(error)) throw error
      failures += 1
      if (first === last || failures > mostFailures) return
      const middle = Math.floor((first + last) / 2)
      save(first, middle)
      save(middle + 1, last)
    }
  }
  for (const [first, last] of ranges(lastRow(database, table))) save(first, last)
}

/** A range that fails is small; a damaged tree may hide how far it goes. */
function* ranges(last: number): Generator<[number, number]> {
  const step = 4_096
  for (let first = 0; first <= last; first += step) yield [first, Math.min(first + step - 1, last)]
}

function lastRow(database: DatabaseSync, table: string): number {
  try {
    return Number(database.prepare(`select max(rowid) as last from old.${table}`).get()?.last ?? 0)
  } catch (error) {
    if (!isDamage(error)) throw error
    return 10_000_000
  }
}

/** A number that was given is not given again. */
function saveLastNumber(database: DatabaseSync): void {
  try {
    database.exec(`
insert into main.sqlite_sequence (name, seq) select 'entries', 0 where not exists (select 1 from main.sqlite_sequence where name = 'entries');
update main.sqlite_sequence set seq = max(seq, coalesce((select seq from old.sqlite_sequence where name = 'entries'), 0)) where name = 'entries'`)
  } catch (error) {
    if (!isDamage(error)) throw error
  }
}

const isWholeEntry = forSqlite(isWhole(sqlite, 'entry', 'entries'))

function indexWords(database: DatabaseSync): void {
  const insert = database.prepare('insert into search (rowid, words) values (?, ?)')
  insert.setReadBigInts(true)
  database.exec('begin')
  database.exec("insert into search (search) values ('delete-all')")
  for (const { seq, entry } of database
    .prepare(`select seq, entry from entries where ${isWholeEntry}`)
    .iterate()) {
    insert.run(Number(seq), searchWords(entryFrom(String(entry))).join(' '))
  }
  database.exec('commit')
}
