import type { SqlDialect } from './dialect.ts'

/** One statement that reads, one answer. Rows have the shape that the statement gives them. */
export type RunQuery = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>

/** What is done by one process at a time. A database of one process needs none of them. */
export type Lock =
  /** Comes before all other locks, so that no two processes wait for each other. */
  | { on: 'decisions' }
  /** So that no event is seen before one with a lower number. Comes after all other locks. */
  | { on: 'order' }
  | { on: 'retention'; shared?: true }
  | { on: 'state'; key: string }
  | { on: 'migration' }

/** Reads first, then writes. What is written is sent together with the commit, and read by nobody before it. */
export interface Transaction {
  ask: RunQuery
  write(text: string, values?: readonly unknown[]): void
  /** A statement over `SqlDialect.rows`: one array of values for each row. */
  writeRows(text: string, rows: readonly (readonly unknown[])[]): void
  lock(lock: Lock): void
}

/** What the store needs of a database. Rejects with `DatabaseFailure`. */
export interface Database {
  dialect: SqlDialect
  /** No other process writes: what this one remembers of the store is so. */
  isAlone: boolean
  /** A message to it costs much: a commit begins when all that asks in this turn of the event loop has asked. */
  gathersTurns: boolean
  ask: RunQuery
  /** Commits what `work` wrote, through to the disk, or nothing of it. Rejects with what `work` throws. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}
