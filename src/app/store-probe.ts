import { type Clock, within } from '../platform/clock.ts'
import { type Store, StoreUnavailable } from '../store/store.ts'

/** However often somebody asks, the disk is probed once in so many milliseconds. */
const probeMs = 1_000
/** A page waits for so long. */
const patienceMs = 150
/** A slow disk may take this long over a write. */
const longestWriteMs = 10_000

/** Whether an event can be stored: its functions reject with `StoreUnavailable` if not. */
export function createStoreProbe(store: Pick<Store, 'probe'>, clock: Clock) {
  let last: Promise<void> | undefined
  let latest: { at: number; answer: Promise<void>; isPending: boolean } | undefined

  function begin() {
    const begun = { at: clock.now(), answer: store.probe(), isPending: true }
    const ended = () => {
      begun.isPending = false
      last = begun.answer
    }
    begun.answer.then(ended, ended)
    return begun
  }

  function current() {
    const isNew = latest !== undefined && (latest.isPending || Math.abs(clock.now() - latest.at) < probeMs)
    if (latest === undefined || !isNew) latest = begin()
    return latest
  }

  return {
    /** Waits for the disk. */
    ended: () => current().answer,
    /** For a page, which waits for no disk: while a write is slow, the result of the last one counts. */
    async now(): Promise<void> {
      const write = current()
      if (last !== undefined) await within(clock, patienceMs, write.answer)
      if (!write.isPending || last === undefined) return await write.answer
      const forMs = clock.now() - write.at
      if (forMs < longestWriteMs) return await last
      throw new StoreUnavailable(`a write has been running for ${Math.round(forMs / 1_000)} s`)
    },
  }
}
