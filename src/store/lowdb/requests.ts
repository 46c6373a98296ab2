import type { Near } from '../near.ts'
import type { ChangeOutcome, Decided, Verdict } from '../store.ts'
import type { Kept } from './kept.ts'
import type { Segment } from './memory.ts'

/** A change of an outcome. */
export interface RequestedChange {
  segment: Segment
  kept: Kept
  channel: string
  change: ChangeOutcome
  /** Only where this lease is still held. */
  lease?: string | undefined
  /** The change says that a try begins: the lease goes on. */
  begins?: boolean
}

/** An event that may be new. */
export interface NewEvent {
  id: string
  detectedMs: number
  content: string | undefined
  /** Decides it by its neighbours; undefined where it is not to be stored. What it throws refuses its batch alone. */
  make(near: Near): Made | undefined
}

/** A new event as it is written. */
export interface Made extends Decided {
  entryJson: string
  outcomesJson: string
}

export interface Accept {
  kind: 'accept'
  batch: NewEvent[]
  resolve(verdicts: Verdict[]): void
  reject(error: unknown): void
}

export interface Settle {
  kind: 'settle'
  change: RequestedChange
  resolve(changed: boolean): void
  reject(error: unknown): void
}

/** What is asked of a commit. */
export type Request = Accept | Settle
