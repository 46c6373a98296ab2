import type { Clock } from '../../platform/clock.ts'
import { createOwnFeed } from '../sql/change-feed.ts'
import type { Database } from '../sql/database.ts'
import { storeIn } from '../sql/open.ts'
import { onlySession } from '../sql/sessions.ts'
import type { Store } from '../store.ts'
import { connectionTo } from './connection.ts'
import { databaseOn } from './database.ts'
import { openEngineInMemory } from './engine.ts'

/** The store of a trial: the same code on a database in memory, without folder, lock and settings. Times are those of the clock. */
export function openStoreInMemory({ now }: Pick<Clock, 'now'>): Store {
  const database = openDatabaseInMemory()
  return storeIn({ database, feed: createOwnFeed(), sessions: onlySession, now, testTime: now })
}

/** Empty, with its tables. It is gone when it is closed. */
export function openDatabaseInMemory(): Database {
  const connection = connectionTo(openEngineInMemory())
  const onDamage = (row: string) => {
    throw new Error(`${row} is not what was written`)
  }
  return databaseOn({ writing: connection, reading: connection, onDamage, onClosed: () => undefined })
}
