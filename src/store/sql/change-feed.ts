import type { StoreChange } from '../store.ts'
import type { Transaction } from './database.ts'
import { DatabaseFailure } from './failure.ts'

/** What processes let each other know. */
export interface ChangeFeed {
  /** Of one transaction, which ends before what follows from it is done. */
  begin(): Announcement
  /** Calls back after each change by another process, until the function that it answers is called. */
  hear(onChange: (change: StoreChange) => void): () => void
  close(): Promise<void>
}

interface Announcement {
  write(transaction: Transaction, changes: readonly StoreChange[]): void
  /** `failure`: why it may not be committed. If that is not certain, this process is called back as the others are. */
  ended(failure?: unknown): void
}

/** Of a process that is alone: it is called back for its own changes too, if a commit got no answer. */
export function createOwnFeed(): ChangeFeed {
  const listeners = new Set<(change: StoreChange) => void>()
  return {
    begin() {
      let written: readonly StoreChange[] = []
      return {
        write: (_transaction, changes) => {
          written = changes
        },
        ended(failure) {
          if (!(failure instanceof DatabaseFailure) || failure.kind !== 'unknown') return
          for (const change of written) for (const listener of listeners) listener(change)
        },
      }
    },
    hear(onChange) {
      listeners.add(onChange)
      return () => void listeners.delete(onChange)
    },
    close: async () => undefined,
  }
}
