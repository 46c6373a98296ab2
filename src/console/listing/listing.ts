import type { Clock } from '../../clock.ts'
import type { Store } from '../../store/store.ts'
import { askThread, BegunAnew } from './asking.ts'
import { type Following, follow } from './follow.ts'
import type { Asked } from './tables.ts'

/** Lists and search over all that is stored. Derived: it is some moments behind the store, and never in its way. */
export interface Listing
  extends Pick<Asked, 'page' | 'failed'>,
    Pick<Following, 'came' | 'changed' | 'dropped' | 'isWhole' | 'caughtUp'> {
  close(): Promise<void>
}

interface ListingParts {
  /** A file that is made where it is missing. */
  path: string
  store: Pick<Store, 'list' | 'find'>
  /** Other processes change the store, too. */
  isShared: boolean
  clock: Clock
  onError(error: unknown): void
}

/** Rejects where there can be no such file. */
export async function openListing(parts: ListingParts): Promise<Listing> {
  const { path, onError } = parts
  const { asked, close } = askThread(path)
  await asked.through()
  const following = follow({ ...parts, list: asked })

  /** What was damaged is empty now, and has what is stored some moments later. */
  async function read<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof BegunAnew)) throw error
      onError(error)
      following.begunAnew()
      return work()
    }
  }

  return {
    came: following.came,
    changed: following.changed,
    dropped: following.dropped,
    isWhole: following.isWhole,
    caughtUp: following.caughtUp,
    page: (filter, at) => read(() => asked.page(filter, at)),
    failed: (limit) => read(() => asked.failed(limit)),
    async close() {
      await following.stop()
      await close()
    },
  }
}
