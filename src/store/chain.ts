/**
 * Some alerts that were accepted one after the other, as the hash chain has them: docs/verify-evidence.mjs says what is hashed. Hashes are SHA-256 in
 * lower-case hex digits.
 */
export interface ChainBatch {
  /** 1 and up; without a gap unless a part of the chain was lost. */
  number: number
  /** When it was made; ISO 8601, UTC. */
  at: string
  /** The `seq` of its last alert. */
  upTo: number
  /** What the fingerprints of keys are made with; 32 hex digits, the same until all of the chain is lost. */
  salt: string
  count: number
  /** The hash of its links. */
  digest: string
  /** The head before it; zeros before the first. */
  previous: string
  /** Why a new stretch of the chain begins with it, as a sentence: what was lost before it. */
  begins?: string
  head: string
  /** A link for each alert, in order of arrival, one behind the other. Null once retention has dropped all of its alerts. */
  links: string | null
}

/** Each store has one chain. Every process adds to the same one. */
export interface ChainStore {
  newest(): Promise<ChainBatch | undefined>
  /** Ascending by number. */
  from(number: number, limit: number): Promise<ChainBatch[]>
  /** The batch that goes as far as this `seq` or further, of those the first. */
  holding(seq: number): Promise<ChainBatch | undefined>
  /** Returns false if it does not follow the newest one: another process has added one. */
  add(batch: ChainBatch): Promise<boolean>
}

/** Stands before the first batch. */
export const noHead = '0'.repeat(64)

/** What was lost between the two may be missing; the next one has the newest one's head before it, unless it begins anew. */
export function follows(batch: ChainBatch, newest: ChainBatch | undefined): boolean {
  const next = (newest?.number ?? 0) + 1
  const isLinked = batch.begins !== undefined || batch.previous === (newest?.head ?? noHead)
  return batch.number > next || (batch.number === next && isLinked)
}

/** A store reads all of its chain each time. */
const batchesAtOnce = 10_000

/** All batches, in order. */
export async function* batchesOf(chain: ChainStore, first = 1): AsyncGenerator<ChainBatch> {
  for (let number = first; ; ) {
    const some = await chain.from(number, batchesAtOnce)
    yield* some
    const last = some.at(-1)
    if (last === undefined) return
    number = last.number + 1
  }
}
