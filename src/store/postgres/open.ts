import { type Clock, systemClock } from '../../platform/clock.ts'
import type { Database } from '../sql/database.ts'
import { refused } from '../sql/failure.ts'
import { storeIn } from '../sql/open.ts'
import type { ProcessClock, Store } from '../store.ts'
import { openFeed } from './change-feed.ts'
import { createClockOffset } from './clock-offset.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { clocks } from './session-statements.ts'
import { createSessions } from './sessions.ts'

interface PostgresOptions {
  /** Told in one sentence that the clock is in doubt, so that no old event is dropped, and null when it no longer is. */
  onDoubt?: ((sentence: string | null) => void) | undefined
  /** Told in one sentence, perhaps again and again, that a newer Bluepencil has changed the store: this process must end. */
  onTooOld?: ((sentence: string) => void) | undefined
  /** A test's own time, for when an event counts as accepted; else the database's. Milliseconds since the epoch. */
  now?: (() => number) | undefined
  /** This machine's clock; a test sets it wrong. */
  clock?: Clock | undefined
  /** After so many milliseconds of silence a process has ended; a test wants few. */
  termMs?: number | undefined
}

/**
 * Opens the store of any number of processes in a database of Postgres, whose tables it makes where they are missing. Throws
 * `StoreRefused` where it cannot be used. Times are the database's.
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
