import type { Outcome } from '../../event/outcome.ts'
import { createNearIndex, isNear, mostNear, type NearIndex, nearMs } from '../near.ts'
import { newestFirst } from '../newest-first.ts'
import { type Store, type StoredEntry, StoreUnavailable } from '../store.ts'
import { reasonOf } from './failure.ts'

/** The alerts and acts of the last days, in memory: read when they are first asked for, since a command may never ask. */
export interface Neighbours extends NearIndex {
  /** Undefined where they were read. Never rejects. */
  reading(from: NeighbourSource): Promise<void> | undefined
  /** It was asked for before they were read, maybe: what was read is then older. */
  onDisk(id: string, channel: string, outcome: Outcome): void
}

interface NeighbourSource {
  archive: Pick<Store, 'list'>
  now(): number
  onTrouble(sentence: string): void
}

export function createNeighbours(): Neighbours {
  const index = createNearIndex()
  let state: 'unread' | 'read' | { reading: Promise<void>; since: (() => void)[] } = 'unread'

  async function read({ archive, now, onTrouble }: NeighbourSource, since: (() => void)[]): Promise<void> {
    try {
      for (const row of await recent(archive, now() - nearMs)) index.add(row)
    } catch (error) {
      const why = error instanceof StoreUnavailable ? error.message : reasonOf(error)
      onTrouble(
        `what was sent in the last days could not be read (${why}); a change that comes by both ways may be sent twice`,
      )
    }
    for (const change of since) change()
    state = 'read'
  }

  return {
    ...index,
    reading(from) {
      if (state === 'read') return undefined
      if (state === 'unread') {
        const since: (() => void)[] = []
        state = { reading: read(from, since), since }
      }
      return state.reading
    },
    onDisk(id, channel, outcome) {
      const settle = () => void index.settle(id, channel, outcome)
      if (typeof state === 'object') state.since.push(settle)
      else settle()
    },
  }
}

/** The entries since then, oldest first. */
async function recent(archive: Pick<Store, 'list'>, since: number): Promise<StoredEntry[]> {
  const found: StoredEntry[] = []
  for await (const rows of newestFirst(archive)) {
    for (const row of rows) if (isNear(row.entry)) found.push(row)
    const oldest = rows.at(-1)
    if (oldest === undefined || Date.parse(oldest.entry.receivedAt) < since) break
    if (found.length >= mostNear) break
  }
  return found.reverse()
}
