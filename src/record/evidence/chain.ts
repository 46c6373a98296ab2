import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import { batchesOf, type ChainBatch, noHead } from '../../store/chain.ts'
import { oldestFirst } from '../../store/pages.ts'
import { type Store, stateOf } from '../../store/store.ts'
import { batchOf, isWhole } from './batch.ts'
import { createFingerprints } from './fingerprint.ts'
import { hashesOf, linkOf, receivedOf } from './link.ts'

/** A file of evidence has the links of a whole batch: so many alerts at most. */
const mostLinks = 500
/** So many alerts or batches are read and hashed in one go: a millisecond or two. */
const atOnce = 100

/** The newest head, kept apart from the chain: it shows if the chain has lost its end. */
const NewestHead = z.object({
  number: z.int(),
  head: z.string(),
  /** Why the next batch begins a new stretch all the same, as a sentence. */
  breaks: z.string().exactOptional(),
})
type NewestHead = z.infer<typeof NewestHead>

/** Where the next batch goes. */
interface ChainEnd {
  /** As it is stored. */
  newest: ChainBatch | undefined
  /** What the next batch follows. */
  number: number
  previous: string
  /** Why the next batch begins a new stretch, as a sentence; undefined if the chain goes on. */
  begins: string | undefined
  /** Nobody announced that loss; a restored backup is announced. */
  isLost: boolean
  /** No batch is newer than the one that is remembered. */
  isRemembered: boolean
}

export async function endOf(store: Pick<Store, 'chain' | 'readState'>): Promise<ChainEnd> {
  // In this order: another process may add a batch meanwhile, which is no loss.
  const remembered = NewestHead.safeParse(await store.readState('chain')).data
  const newest = await store.chain.newest()
  const number = newest?.number ?? 0
  const isRemembered = number <= (remembered?.number ?? 0)
  const previous = newest?.head ?? noHead
  const stored = { newest, number, previous, begins: undefined, isLost: false, isRemembered }
  if (remembered === undefined || !isRemembered) return stored
  const loss = lossOf(stored, remembered)
  const begins = loss ?? remembered.breaks
  if (begins === undefined) return stored
  const { number: last, head } = remembered
  return { newest, number: last, previous: head, begins, isLost: loss !== undefined, isRemembered }
}

function lossOf({ number, previous }: Pick<ChainEnd, 'number' | 'previous'>, remembered: NewestHead) {
  const last = remembered.number
  if (number === last) {
    return previous === remembered.head ? undefined : `batch ${number} was changed in the store`
  }
  const lost = number + 1 === last ? `batch ${last} was lost` : `batches ${number + 1} to ${last} were lost`
  return number === 0
    ? `${lost}: the whole chain was missing`
    : `${lost}: the stored chain ended with batch ${number}`
}

/** Call it after the batch was added: else a batch that never came to be would be missed. */
export async function rememberHead(
  store: Pick<Store, 'readState' | 'changeState'>,
  { number, head }: Pick<ChainBatch, 'number' | 'head'>,
): Promise<void> {
  const isRemembered = (value: unknown) => (NewestHead.safeParse(value).data?.number ?? 0) >= number
  if (isRemembered(await store.readState('chain'))) return
  await stateOf(store, 'chain').change((before) =>
    isRemembered(before) ? undefined : ({ number, head } satisfies NewestHead),
  )
}

/** The next batch begins a new stretch, and says why. Does nothing if there is no chain yet. */
export async function breakOff(
  store: Pick<Store, 'chain' | 'readState' | 'changeState'>,
  breaks: string,
): Promise<void> {
  const { newest } = await endOf(store)
  await stateOf(store, 'chain').change((before) => {
    const last = NewestHead.safeParse(before).data ?? newest
    return last && ({ number: last.number, head: last.head, breaks } satisfies NewestHead)
  })
}

interface ChainerParts {
  store: Pick<Store, 'list' | 'chain' | 'readState' | 'changeState'>
  /** Milliseconds since the epoch. */
  now(): number
}

/** Chains what was accepted, some time after it was. */
export function createChainer({ store, now }: ChainerParts) {
  const signedBy = createFingerprints()
  /** Up to here, every alert behind that batch is chained: notices and acts need not be read again. */
  let seen = { after: 0, upTo: 0 }

  async function linksAfter(newest: ChainBatch | undefined, salt: string) {
    const links: string[] = []
    let upTo = 0
    const chained = newest?.upTo ?? 0
    // If the end of the chain was lost, its alerts are chained again.
    if (chained !== seen.after) seen = { after: chained, upTo: chained }
    for await (const rows of oldestFirst(store, { after: seen.upTo, atOnce })) {
      for (const { entry, seq } of rows) {
        if (links.length === 0 && entry.kind !== 'alert') seen.upTo = seq
        if (entry.kind !== 'alert') continue
        links.push(linkOf(hashesOf(receivedOf(entry, await signedBy(entry, salt)))))
        upTo = seq
      }
      if (links.length > mostLinks - atOnce) return { links, upTo, mayBeMore: true }
    }
    return { links, upTo, mayBeMore: false }
  }

  return {
    /**
     * Adds a batch of the oldest alerts that no batch has. Returns whether there may be more. If another process has added
     * it meanwhile, that one counts. If the end of the chain was lost, a new stretch begins only if the loss is named:
     * `reported`, as a sentence.
     */
    async addBatch(reported?: string): Promise<boolean> {
      const { newest, number, previous, begins } = await endOf(store)
      if (begins !== reported && begins !== undefined) return false
      const salt = newest?.salt ?? randomBytes(16).toString('hex')
      const { links, upTo, mayBeMore } = await linksAfter(newest, salt)
      if (links.length === 0) return false
      const at = new Date(now()).toISOString()
      const stretch = begins === undefined ? {} : { begins }
      const batch = batchOf({ number: number + 1, at, upTo, salt, previous, ...stretch }, links)
      if (!(await store.chain.add(batch))) return true
      await rememberHead(store, batch)
      return mayBeMore
    },
  }
}

export interface CheckedChain {
  newest: ChainBatch | undefined
  /** Where the chain began anew, and why, as a sentence. */
  stretches: (Pick<ChainBatch, 'number' | 'at'> & { begins: string })[]
  /** What is not as it was made, as sentences; what a stretch says is none of them. */
  faults: string[]
  /** Why the next batch begins a stretch, if it does. */
  next?: string
}

/** Reads and checks all that is stored of the chain. */
export async function checkChain(store: Pick<Store, 'chain' | 'readState'>): Promise<CheckedChain> {
  const checked: CheckedChain = { newest: undefined, stretches: [], faults: [] }
  /** Of the last batch: dropped if the next one begins a stretch behind another head, since that says it all. */
  let faultOfLast: string[] = []
  for await (const batch of batchesOf(store.chain)) {
    const before = checked.newest
    const { number, at, begins } = batch
    const isDisowned = begins !== undefined && batch.previous !== before?.head
    if (!isDisowned) checked.faults.push(...faultOfLast)
    checked.faults.push(...gapBefore(batch, before))
    faultOfLast = isWhole(batch) ? [] : [`batch ${number} was changed: it does not match its head`]
    if (begins !== undefined) checked.stretches.push({ number, at, begins })
    checked.newest = batch
    if (number % atOnce === 0) await setImmediate()
  }
  const { begins } = await endOf(store)
  if (begins !== undefined) return { ...checked, next: begins }
  checked.faults.push(...faultOfLast)
  return checked
}

/** The first batch of a stretch says itself what is missing before it. */
function gapBefore({ number, previous, begins }: ChainBatch, before: ChainBatch | undefined): string[] {
  if (begins !== undefined) return []
  const first = (before?.number ?? 0) + 1
  if (number > first + 1) return [`batches ${first} to ${number - 1} are missing`]
  if (number > first) return [`batch ${first} is missing`]
  return previous === (before?.head ?? noHead) ? [] : [`batch ${number} does not follow batch ${first - 1}`]
}
