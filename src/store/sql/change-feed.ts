import type { Change } from '../store.ts'
import type { Transaction } from './database.ts'

/** What processes let each other know. */
export interface ChangeFeed {
  /** Of one transaction, which ends before what follows from it is done. */
  begin(): Announcement
  /** Calls back after each change by another process, until the function that it answers is called. */
  hear(onChange: (change: Change) => void): () => void
  close(): Promise<void>
}

interface Announcement {
  write(transaction: Transaction, changes: readonly Change[]): void
  /** If it is not certain, this process hears of it as the others do. */
  ended(isCommitted: boolean): void
}

/** Of a process that is alone. */
export const noFeed: ChangeFeed = {
  begin: () => ({ write: () => undefined, ended: () => undefined }),
  hear: () => () => undefined,
  close: async () => undefined,
}
