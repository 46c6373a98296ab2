import { type ChainBatch, type ChainStore, follows } from '../chain.ts'

/** The chain in memory, as one process has it. `asked` and `changed` answer for that process, or do not. */
export function chainOf(
  batches: ChainBatch[],
  asked: <T>(answer: () => T) => Promise<T>,
  changed: <T>(work: () => T) => Promise<T>,
): ChainStore {
  return {
    newest: () => asked(() => structuredClone(batches.at(-1))),
    from: (number, limit) =>
      asked(() => structuredClone(batches.filter((one) => one.number >= number).slice(0, limit))),
    holding: (seq) => asked(() => structuredClone(batches.find(({ upTo }) => upTo >= seq))),
    add: (batch) =>
      changed(() => {
        if (!follows(batch, batches.at(-1))) return false
        batches.push(structuredClone(batch))
        return true
      }),
  }
}

/** Keeps the heads alone of batches all of whose alerts are gone. */
export function forgetLinks(batches: ChainBatch[], oldestSeq: number): void {
  for (const batch of batches) if (batch.upTo < oldestSeq) batch.links = null
}
