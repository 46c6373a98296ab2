import * as z from 'zod'
import { type ChainBatch, noHead } from '../../store/chain.ts'
import { stateOf } from '../../store/state-of.ts'
import type { Store } from '../../store/store.ts'

/** The newest head that is known to have been there, kept apart from the chain: by it a loss of the chain's end is noticed. */
const NewestHead = z.object({
  number: z.int(),
  head: z.string(),
  /** Why a new stretch begins behind it all the same, as a sentence. */
  breaks: z.string().exactOptional(),
})
type NewestHead = z.infer<typeof NewestHead>

/** Where the next batch goes. */
export interface ChainEnd {
  /** As it is stored. */
  newest: ChainBatch | undefined
  /** What the next batch follows. */
  number: number
  previous: string
  /** Why a new stretch of the chain begins with it, as a sentence; undefined where it goes on. */
  begins: string | undefined
  /** Whether that is a loss which nobody announced; a restored backup is announced. */
  isLost: boolean
}

export async function endOf(store: Pick<Store, 'chain' | 'readState'>): Promise<ChainEnd> {
  // In this order: another process may add a batch meanwhile, which is no loss.
  const known = NewestHead.safeParse(await store.readState('chain')).data
  const newest = await store.chain.newest()
  const number = newest?.number ?? 0
  const stored = { newest, number, previous: newest?.head ?? noHead, begins: undefined, isLost: false }
  if (known === undefined || number > known.number) return stored
  const loss = lossOf(stored, known)
  const begins = loss ?? known.breaks
  if (begins === undefined) return stored
  return { newest, number: known.number, previous: known.head, begins, isLost: loss !== undefined }
}

function lossOf({ number, previous }: Pick<ChainEnd, 'number' | 'previous'>, known: NewestHead) {
  if (number === 0) return `${batches(1, known.number)}: nothing of the chain was there any more`
  if (number < known.number) {
    return `${batches(number + 1, known.number)}: the chain as it was stored ended with batch ${number}`
  }
  return previous === known.head ? undefined : `batch ${number} was changed where it is stored`
}

function batches(first: number, last: number): string {
  return first === last ? `batch ${first} was lost` : `batches ${first} to ${last} were lost`
}

/** After it was added: before that, a batch that never came to be would be missed. */
export async function remember(
  store: Pick<Store, 'readState' | 'changeState'>,
  { number, head }: Pick<ChainBatch, 'number' | 'head'>,
): Promise<void> {
  const isKnown = (value: unknown) => (NewestHead.safeParse(value).data?.number ?? 0) >= number
  const state = stateOf(store, 'chain')
  if (isKnown(await state.read())) return
  await state.change((before) => (isKnown(before) ? undefined : ({ number, head } satisfies NewestHead)))
}

/** The next batch begins a new stretch, and says why. Nothing where there is no chain yet. */
export async function breakOff(
  store: Pick<Store, 'chain' | 'readState' | 'changeState'>,
  breaks: string,
): Promise<void> {
  const { newest } = await endOf(store)
  await stateOf(store, 'chain').change((before) => {
    const known = NewestHead.safeParse(before).data ?? newest
    return known && ({ number: known.number, head: known.head, breaks } satisfies NewestHead)
  })
}
