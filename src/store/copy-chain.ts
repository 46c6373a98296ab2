import type { ChainBatch } from './chain.ts'
import { oldestFirst } from './oldest-first.ts'
import type { Store } from './store.ts'

/** So many rows and batches are read at once. */
const atOnce = 500
/** Where a store reads all of its chain each time. */
const batchesAtOnce = 10_000

/** All batches, in order. */
export async function* batchesOf({ chain }: Pick<Store, 'chain'>, first = 1): AsyncGenerator<ChainBatch> {
  for (let number = first; ; ) {
    const some = await chain.from(number, batchesAtOnce)
    yield* some
    const last = some.at(-1)
    if (last === undefined) return
    number = last.number + 1
  }
}

/**
 * Copies the chain of a store whose entries have been copied, in the same order: a batch goes as far as it did, whatever numbers the
 * entries have in the other store. What was copied before is not written again.
 */
export async function copyChain(
  from: Pick<Store, 'list' | 'chain'>,
  to: Pick<Store, 'list' | 'chain'>,
): Promise<void> {
  const there = (await to.chain.newest())?.number ?? 0
  const numbers = numbersIn(from, to)
  let next = await numbers.next()
  let upTo = 0
  for await (const batch of batchesOf(from, there + 1)) {
    while (next.done !== true && next.value.from <= batch.upTo) {
      upTo = next.value.to
      next = await numbers.next()
    }
    if (!(await to.chain.add({ ...batch, upTo }))) throw new Error(`batch ${batch.number} was not copied`)
  }
}

/** The `seq` of each entry here and there, oldest first. */
async function* numbersIn(from: Pick<Store, 'list'>, to: Pick<Store, 'list'>) {
  const others = rowsOf(to)
  for await (const { seq } of rowsOf(from)) {
    const other = await others.next()
    if (other.done === true) return
    yield { from: seq, to: other.value.seq }
  }
}

async function* rowsOf(store: Pick<Store, 'list'>) {
  for await (const rows of oldestFirst(store, { atOnce })) yield* rows
}
