import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../clock.ts'
import type { Store } from '../../store/store.ts'
import { isDamage, openAnew, openDatabase } from './database.ts'
import { type Following, follow } from './follow.ts'
import { type FailedRow, failedRows, type ListFilter, type ListPage, listPage } from './query.ts'

/** Lists and search over all that is stored. Derived: it is some moments behind the store, and never in its way. */
export interface Listing extends Pick<Following, 'came' | 'changed' | 'dropped' | 'isWhole' | 'caughtUp'> {
  page(filter: ListFilter, at: { limit: number; before?: number | undefined }): ListPage
  failed(limit: number): FailedRow[]
  close(): Promise<void>
}

interface ListingParts {
  /** A file that is made where it is missing. */
  path: string
  store: Pick<Store, 'list' | 'find'>
  clock: Clock
  onError(error: unknown): void
}

export function openListing({ path, store, clock, onError }: ListingParts): Listing {
  let database = openDatabase(path)
  let following = begun()
  let isClosed = false

  function followed(): Following {
    return follow({ store, database, clock, onError: failed })
  }

  function begun(): Following {
    try {
      return followed()
    } catch (error) {
      if (!isDamage(error)) throw error
      onError(error)
      database.close()
      database = openAnew(path)
      return followed()
    }
  }

  /** What is damaged is made anew, from the store. */
  function failed(error: unknown): void {
    onError(error)
    if (!isDamage(error) || isClosed) return
    const [old, oldFollowing] = [database, following]
    void oldFollowing.stop().then(() => old.close())
    database = openAnew(path)
    following = followed()
  }

  function read<T>(work: (from: DatabaseSync) => T): T {
    try {
      return work(database)
    } catch (error) {
      failed(error)
      return work(database)
    }
  }

  return {
    came: () => following.came(),
    changed: (id) => following.changed(id),
    dropped: () => following.dropped(),
    isWhole: () => following.isWhole(),
    caughtUp: () => following.caughtUp(),
    page: (filter, at) => read((from) => listPage(from, filter, at)),
    failed: (limit) => read((from) => failedRows(from, limit)),
    async close() {
      isClosed = true
      await following.stop()
      database.close()
    },
  }
}
