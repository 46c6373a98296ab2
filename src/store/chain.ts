/**
 * Some alerts that were accepted one after the other, as the hash chain has them: docs/evidence.md says what is hashed. Hashes are SHA-256 in
 * lower-case hex digits.
 */
export interface ChainBatch {
  /** 1 and up, without a gap. */
  number: number
  /** When it was made; ISO 8601, UTC. */
  at: string
  /** The `seq` of its last alert. */
  upTo: number
  /** What the fingerprints of keys are made with; 32 hex digits, the same for the whole chain. */
  salt: string
  count: number
  /** The hash of its links. */
  digest: string
  /** The head before it; zeros before the first. */
  previous: string
  head: string
  /** A link for each alert, in order of arrival, one behind the other. Null once retention has dropped all of its alerts. */
  links: string | null
}

/** The one chain of a store, whoever adds to it. */
export interface ChainStore {
  newest(): Promise<ChainBatch | undefined>
  /** Ascending by number. */
  from(number: number, limit: number): Promise<ChainBatch[]>
  /** The batch that goes as far as this `seq` or further, of those the first. */
  holding(seq: number): Promise<ChainBatch | undefined>
  /** Answers false where it does not follow the newest one: another process has added one. */
  add(batch: ChainBatch): Promise<boolean>
}

/** Stands before the first batch. */
export const noHead = '0'.repeat(64)

export function follows(batch: ChainBatch, newest: ChainBatch | undefined): boolean {
  return batch.number === (newest?.number ?? 0) + 1 && batch.previous === (newest?.head ?? noHead)
}
