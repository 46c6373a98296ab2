import type { StateKey, Store } from './store.ts'

/** What is remembered under one key, for who needs nothing else of the store. */
export function stateOf(store: Store, key: StateKey) {
  return { read: () => store.readState(key), write: (value: unknown) => store.writeState(key, value) }
}
