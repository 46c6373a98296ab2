import { type Clock, within } from '../clock.ts'
import { type Store, StoreUnavailable } from '../store/store.ts'

/** However often somebody asks, the disk is probed once in so many milliseconds. */
const probeMs = 1_000
/** Who asks waits for so long. */
const patienceMs = 150
/** A disk that is slow is not ill; one that takes longer over a write is. */
const longestWriteMs = 10_000

/**
 * Whether an event can be stored: rejects with `StoreUnavailable` if not. While a write is slow, what the last one came to counts, so that
 * no page waits for a disk.
 */
export function createProbe(store: Pick<Store, 'probe'>, clock: Clock): () => Promise<void> {
  let last: Promise<void> | undefined
  let current: { at: number; answer: Promise<void>; isPending: boolean } | undefined

  function begin(): NonNullable<typeof current> {
    const begun = { at: clock.now(), answer: store.probe(), isPending: true }
    const ended = () => {
      begun.isPending = false
      last = begun.answer
    }
    begun.answer.then(ended, ended)
    return begun
  }

  return async () => {
    const isNew = current !== undefined && (current.isPending || Math.abs(clock.now() - current.at) < probeMs)
    if (current === undefined || !isNew) current = begin()
    const { at, answer } = current
    if (last !== undefined) await within(clock, patienceMs, answer)
    if (!current.isPending || last === undefined) return await answer
    const forMs = clock.now() - at
    if (forMs < longestWriteMs) return await last
    throw new StoreUnavailable(`a write has been under way for ${Math.round(forMs / 1_000)} s`)
  }
}
