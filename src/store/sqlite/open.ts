import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../platform/clock.ts'
import { withSettingsFile } from '../settings-file.ts'
import type { Database } from '../sql/database.ts'
import { freeLeases } from '../sql/leases.ts'
import { storeIn } from '../sql/open.ts'
import { createOwnFeed, onlySession } from '../sql/processes.ts'
import type { Store, StoreRefused } from '../store.ts'
import { databaseOn } from './database.ts'
import { openEngine, openEngineInMemory, type SqliteConnection } from './engine.ts'
import { reasonOf, refused } from './failure.ts'
import { databaseName, markDamaged } from './files.ts'
import { lockFolder, refuseOlderFormat } from './folder.ts'
import { salvageIfDamaged } from './salvage.ts'
import { threadConnection } from './thread.ts'
import { isMendable, mending, verifyDatabase } from './verify.ts'

export interface SqliteOptions {
  /** Milliseconds since the epoch: when an event counts as accepted, for retention. */
  now(): number
  /** A sentence about what was found damaged or open to others. */
  onTrouble(sentence: string): void
  /** A sentence that our clock is in doubt, so that no old event is dropped, and null when it no longer is; else `onTrouble` gets it. */
  onDoubt?: ((sentence: string | null) => void) | undefined
  /** The store then has threads of its own, and this is called with a sentence if they end again and again: the process must end. */
  onLost?: ((sentence: string) => void) | undefined
  /** A test's own disk, between the store and its database. */
  disk?: ((connection: SqliteConnection) => SqliteConnection) | undefined
}

/**
 * Opens the store of one process in a folder, which is made if it is missing. Throws `StoreRefused` if another
 * process has it or it cannot be used.
 *
 *     lock                    keeps other processes out
 *     bluepencil.sqlite       all that is stored, with SQLite's own -wal and -shm beside it
 *     settings.json           what people set
 */
export async function openSqliteStore(folder: string, options: SqliteOptions): Promise<Store> {
  return (await openSqlite(folder, options)).store
}

/** With its tables, for a copy. */
export async function openSqlite(
  folder: string,
  { now, onTrouble, onDoubt = (sentence) => sentence !== null && onTrouble(sentence), ...how }: SqliteOptions,
): Promise<{ store: Store; database: Database }> {
  const { database, writing } = await openDatabase(folder, { now, onTrouble, ...how })
  try {
    await freeLeases(database, now())
  } catch (cause) {
    await database.close()
    throw cannotOpen(folder, cause)
  }
  const store = {
    ...storeIn({ database, feed: createOwnFeed(), sessions: onlySession, now, testTime: now, onDoubt }),
    async snapshotTo(to: string) {
      await mkdir(to, { mode: 0o700 })
      await writing.copyTo(join(to, databaseName))
    },
    async verify() {
      const damages = await verifyDatabase(database.ask)
      if (isMendable(damages)) markDamaged(folder)
      // Of a file that cannot be read as a whole, the next start saves what can be.
      else if (damages.length > 0) await mend(database, mending(now()))
      return damages
    },
  }
  return { store: await withSettingsFile(store, { document: writing.document, onTrouble }), database }
}

async function openDatabase(
  folder: string,
  { now, onTrouble, onLost, disk = (connection) => connection }: Omit<SqliteOptions, 'onDoubt'>,
): Promise<{ database: Database; writing: SqliteConnection }> {
  refuseOlderFormat(folder)
  const lock = lockFolder(folder, onTrouble)
  try {
    salvageIfDamaged(folder, onTrouble)
    const { writing, reading } =
      onLost === undefined ? inThisThread(folder, disk) : await inThreads(folder, onLost)
    const report = reporting(folder, onTrouble)
    const mended = new Set<number>()
    const database = databaseOn({
      writing,
      reading,
      gathersTurns: onLost !== undefined,
      onClosed: lock.release,
      onDamage(what, seq) {
        report(seq === undefined ? what : `${what} ${seq}`)
        if (seq === undefined || mended.has(seq)) return
        mended.add(seq)
        // The next query that meets this row tries again.
        mend(database, mending(now(), seq)).catch(() => mended.delete(seq))
      },
    })
    return { database, writing }
  } catch (cause) {
    lock.release()
    throw cannotOpen(folder, cause)
  }
}

async function mend(database: Database, { text, values }: ReturnType<typeof mending>): Promise<void> {
  await database.transaction(async ({ write }) => write(text, values))
}

function cannotOpen(folder: string, cause: unknown): StoreRefused {
  return refused(
    `the store in ${folder} cannot be opened: ${reasonOf(cause)}; check the disk, and that the user Bluepencil runs as owns the folder and all files in it`,
    cause,
  )
}

interface Connections {
  writing: SqliteConnection
  reading: SqliteConnection
}

function inThisThread(folder: string, disk: (connection: SqliteConnection) => SqliteConnection): Connections {
  const connection = disk(openEngine(folder, { mayWrite: true }))
  return { writing: connection, reading: connection }
}

/** One writes, and one reads: a write that takes long delays no page, and no export a delivery. */
async function inThreads(folder: string, onLost: (sentence: string) => void): Promise<Connections> {
  const writing = await threadConnection({ folder, mayWrite: true, onLost })
  try {
    return { writing, reading: await threadConnection({ folder, mayWrite: false, onLost }) }
  } catch (error) {
    await writing.close()
    throw error
  }
}

/** Each row once. */
function reporting(folder: string, onTrouble: (sentence: string) => void): (row: string) => void {
  const reported = new Set<string>()
  return (row) => {
    if (reported.has(row)) return
    reported.add(row)
    onTrouble(
      `${row} of the store in ${folder} is damaged: it differs from what was written, so it is left out`,
    )
  }
}

/** The store of a trial: the same code on a database in memory, without folder, lock and settings. Times are those of the clock. */
export function openStoreInMemory({ now }: Pick<Clock, 'now'>): Store {
  const database = openDatabaseInMemory()
  return storeIn({ database, feed: createOwnFeed(), sessions: onlySession, now, testTime: now })
}

/** Empty, with its tables. It is gone when it is closed. */
export function openDatabaseInMemory(): Database {
  const connection = openEngineInMemory()
  const onDamage = (row: string) => {
    throw new Error(`${row} is not what was written`)
  }
  return databaseOn({ writing: connection, reading: connection, onDamage, onClosed: () => undefined })
}
