import type { Lease, StoreChange } from '../store.ts'
import type { Database, RunQuery, Transaction } from './database.ts'
import { DatabaseFailure } from './failure.ts'

/** What processes let each other know. */
export interface ChangeFeed {
  write(transaction: Transaction, changes: readonly StoreChange[]): void
  /** `unknown`: the commit got no answer, so this process is called back too, as the others are. */
  ended(changes: readonly StoreChange[], how: 'committed' | 'unknown'): void
  /** Calls back after each change by another process, until the function that it answers is called. */
  listen(onChange: (change: StoreChange) => void): () => void
  close(): Promise<void>
}

/** A transaction that announces its changes to other processes. Returns after the feed has its result. */
export async function announced<T>(
  { database, feed }: { database: Database; feed: ChangeFeed },
  work: (transaction: Transaction, announce: (changes: readonly StoreChange[]) => void) => Promise<T>,
): Promise<T> {
  let written: readonly StoreChange[] = []
  try {
    const result = await database.transaction((transaction) =>
      work(transaction, (changes) => {
        if (changes.length > 0) feed.write(transaction, changes)
        written = changes
      }),
    )
    if (written.length > 0) feed.ended(written, 'committed')
    return result
  } catch (error) {
    const isUnknown = error instanceof DatabaseFailure && error.kind === 'unknown'
    if (isUnknown && written.length > 0) feed.ended(written, 'unknown')
    throw error
  }
}

/** Of a process that is alone. */
export function createOwnFeed(): ChangeFeed {
  const listeners = new Set<(change: StoreChange) => void>()
  return {
    write: () => undefined,
    ended(changes, how) {
      if (how === 'committed') return
      for (const change of changes) for (const listener of listeners) listener(change)
    },
    listen(onChange) {
      listeners.add(onChange)
      return () => void listeners.delete(onChange)
    },
    close: async () => undefined,
  }
}

/** What this process has: lanes, roles and leases, for as long as it gives a sign of life. */
export interface Sessions {
  /** Its number; begins if it has none. */
  begun(): Promise<number>
  /** Within a transaction: that it has not ended by now. Rejects if it has. */
  check(ask: RunQuery, session: number): Promise<void>
  /** The same, if it ever began: who was frozen and has lost its roles changes nothing in their name. */
  checkAny(ask: RunQuery): Promise<void>
  acquireLease(name: string, waiting: AbortSignal): Promise<Lease | undefined>
  close(): Promise<void>
}

/** Of a process that is alone: the lock of its files keeps others out. */
export const onlySession: Sessions = {
  begun: async () => 1,
  check: async () => undefined,
  checkAny: async () => undefined,
  acquireLease: async () => ({
    signal: new AbortController().signal,
    takenOver: false,
    release: () => undefined,
  }),
  close: async () => undefined,
}
