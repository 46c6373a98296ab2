import { setImmediate } from 'node:timers/promises'
import { batchesOf, type ChainBatch, noHead } from '../../store/chain.ts'
import type { Store } from '../../store/store.ts'
import { digestOf, headOf, linksOf } from './batch.ts'
import { endOf } from './known.ts'

/** Where the chain began anew, and why, as a sentence. */
type ChainStretch = Pick<ChainBatch, 'number' | 'at'> & { begins: string }

export interface CheckedChain {
  newest: ChainBatch | undefined
  stretches: ChainStretch[]
  /** What is not as it was made, as sentences; what a stretch says is none of them. */
  faults: string[]
  /** Why the next batch begins a stretch, if it does. */
  next?: string
}

/** So many are hashed in one go: a millisecond or two. */
const atOnce = 100

/** All that is stored of the chain. */
export async function checkChain(store: Pick<Store, 'chain' | 'readState'>): Promise<CheckedChain> {
  const checked: CheckedChain = { newest: undefined, stretches: [], faults: [] }
  /** Of the last batch that was read: where the next one has another head before it and begins anew, that says it all. */
  let own: string[] = []
  for await (const batch of batchesOf(store.chain)) {
    const before = checked.newest
    const isDisowned = batch.begins !== undefined && batch.previous !== before?.head
    checked.faults.push(...(isDisowned ? [] : own), ...gapsOf(batch, before))
    const { number, at, begins } = batch
    own = isWhole(batch) ? [] : [`batch ${number} was changed: it is not what its head says`]
    if (begins !== undefined) checked.stretches.push({ number, at, begins })
    checked.newest = batch
    if (number % atOnce === 0) await setImmediate()
  }
  const { begins } = await endOf(store)
  if (begins !== undefined) return { ...checked, next: begins }
  checked.faults.push(...own)
  return checked
}

function* gapsOf(
  { number, previous, begins }: ChainBatch,
  before: ChainBatch | undefined,
): Generator<string> {
  // Where a stretch begins, it says itself what is missing.
  if (begins !== undefined) return
  const first = (before?.number ?? 0) + 1
  if (number > first + 1) yield `batches ${first} to ${number - 1} are missing`
  else if (number > first) yield `batch ${first} is missing`
  else if (previous !== (before?.head ?? noHead)) yield `batch ${number} does not follow batch ${first - 1}`
}

/** Whether it is what its head says, as far as retention has left it. */
export function isWhole(batch: ChainBatch): boolean {
  return headOf(batch) === batch.head && (batch.links === null || digestOf(linksOf(batch)) === batch.digest)
}
