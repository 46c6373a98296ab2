import type { StateKey, Store } from './store.ts'

/** One value that outlasts the process, and that other processes may change too. */
export interface StoredValue {
  read(): Promise<unknown>
  /** As `Store.changeState`. */
  change(change: (before: unknown) => unknown): Promise<void>
}

/** What is remembered under one key, for who needs nothing else of the store. */
export function stateOf(store: Pick<Store, 'readState' | 'changeState'>, key: StateKey): StoredValue {
  return { read: () => store.readState(key), change: (change) => store.changeState(key, change) }
}
