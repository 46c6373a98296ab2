import type { Hold } from '../store.ts'
import type { RunQuery } from './database.ts'

/** What this process has: lanes, roles and leases, for as long as it gives a sign of life. */
export interface Sessions {
  /** Its number; begins if it has none. */
  begun(): Promise<number>
  /** Within a transaction: that it has not ended by now. Rejects if it has. */
  check(ask: RunQuery, session: number): Promise<void>
  /** The same, if it ever began: who was frozen and has lost its roles changes nothing in their name. */
  checkAny(ask: RunQuery): Promise<void>
  hold(name: string, waiting: AbortSignal): Promise<Hold | undefined>
  close(): Promise<void>
}

/** Of a process that is alone: the lock of its files keeps others out. */
export const onlySession: Sessions = {
  begun: async () => 1,
  check: async () => undefined,
  checkAny: async () => undefined,
  hold: async () => ({ signal: new AbortController().signal, takenOver: false, release: () => undefined }),
  close: async () => undefined,
}
