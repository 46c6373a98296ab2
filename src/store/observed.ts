import type { StateKey, Store } from './store.ts'

/** What this process changed; `dropped`: retention dropped something. */
export type OwnChange =
  | { of: 'accepted' }
  | { of: 'outcome'; id: string }
  | { of: 'state'; key: StateKey }
  | { of: 'dropped' }

/** The same store, which says what this process changes when it is on disk. Others say it by `Store.changes`. */
export function observed(store: Store, onChange: (change: OwnChange) => void): Store {
  return {
    ...store,
    async accept(batch) {
      const verdicts = await store.accept(batch)
      if (verdicts.includes('new')) onChange({ of: 'accepted' })
      return verdicts
    },
    async settle(id, ...how) {
      const isChanged = await store.settle(id, ...how)
      if (isChanged) onChange({ of: 'outcome', id })
      return isChanged
    },
    async alter(id, ...how) {
      const isChanged = await store.alter(id, ...how)
      if (isChanged) onChange({ of: 'outcome', id })
      return isChanged
    },
    async retain(...how) {
      const dropped = await store.retain(...how)
      if (dropped > 0) onChange({ of: 'dropped' })
      return dropped
    },
    async changeState(key, change) {
      await store.changeState(key, change)
      onChange({ of: 'state', key })
    },
  }
}
