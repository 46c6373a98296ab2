import { type Clock, within } from '../platform/clock.ts'
import { type Store, StoreUnavailable } from '../store/store.ts'

/** However often somebody asks, the disk is probed once in so many milliseconds. */
const probeMs = 1_000
/** Who asks waits for so long. */
const patienceMs = 150
/** A disk that is slow is not ill; one that takes longer over a write is. */
const longestWriteMs = 10_000

interface Probe {
  /** Whether an event can be stored: rejects with `StoreUnavailable` if not. Waits for the disk. */
  ended(): Promise<void>
  /** The same for a page, which waits for no disk: while a write is slow, what the last one came to counts. */
  now(): Promise<void>
}

export function createProbe(store: Pick<Store, 'probe'>, clock: Clock): Probe {
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
    ended: () => current().answer,
    async now() {
      const one = current()
      if (last !== undefined) await within(clock, patienceMs, one.answer)
      if (!one.isPending || last === undefined) return await one.answer
      const forMs = clock.now() - one.at
      if (forMs < longestWriteMs) return await last
      throw new StoreUnavailable(`a write has been under way for ${Math.round(forMs / 1_000)} s`)
    },
  }
}
