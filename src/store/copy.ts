import { createHash } from 'node:crypto'
import { hourMs } from '../durations.ts'
import { batchesOf, copyChain } from './copy-chain.ts'
import { copyFigures, figuresOf, spansOf } from './copy-figures.ts'
import { oldestFirst } from './oldest-first.ts'
import { type Store, type StoredEntry, stateKeys } from './store.ts'

/** How much one store holds, and the hash of it: two stores that say the same have the same. */
export interface Tally {
  entries: number
  outcomes: number
  /** Batches of the chain. */
  batches: number
  /** Published figures, revisions included. */
  figures: number
  /** Keys of small state that have a value. */
  state: number
  /** SHA-256, hexadecimal, of all of it in order, whatever the numbers of the entries and the order of their keys. */
  hash: string
}

/** A store to copy into. */
export interface Target {
  store: Pick<Store, 'list' | 'find' | 'accept' | 'readState' | 'changeState' | 'chain' | 'figures'>
  /** What is accepted next was accepted at this time, milliseconds since the epoch. */
  acceptAt(time: number): void
}

/** The store to copy into has what the other has not. */
export class NotACopy extends Error {
  override readonly name = 'NotACopy'
}

/** A store to copy from: one that nobody writes, or as it was at one moment. */
export type Source = Pick<Store, 'list' | 'find' | 'readState' | 'chain' | 'figures' | 'horizon'>

/** So many are read at a time. */
const atOnce = 500
/** A commit takes no more text of deliveries than that, so that 500 of the largest are not one statement of 128 megabytes. */
const mostAtOnce = 4_000_000

/**
 * Copies all that one store holds into another that is empty, or that a copy was begun in: in order, with outcomes as they are,
 * then the chain, published figures and small state. What was copied before is not written again. Rejects with `NotACopy`.
 */
export async function copyStore(
  from: Source,
  { store: to, acceptAt }: Target,
  onProgress: (copied: number) => void,
): Promise<void> {
  let copied = 0
  for await (const rows of oldestFirst(from, { after: await copiedUpTo(from, to), atOnce })) {
    for (const batch of commitsOf(rows)) {
      acceptAt(receivedAt(batch.at(-1)) ?? 0)
      const verdicts = await to.accept(batch.map(({ entry, outcomes }) => ({ entry, outcomes })))
      const other = batch.find((_, index) => verdicts[index] !== 'new')
      if (other !== undefined) throw new NotACopy(`it holds ${other.entry.id} already, which was not copied`)
    }
    copied += rows.length
    onProgress(copied)
  }
  await copyChain(from, to)
  await copyFigures(from.figures, to.figures)
  for (const key of stateKeys) {
    const value = await from.readState(key)
    if (value !== undefined) await to.changeState(key, () => value)
  }
}

/** What is accepted together has one time: so that nothing is kept for much longer than it was to be. */
function commitsOf(rows: readonly StoredEntry[]): StoredEntry[][] {
  const batches: StoredEntry[][] = []
  let length = 0
  for (const row of rows) {
    const batch = batches.at(-1)
    const isSoon = (receivedAt(row) ?? 0) - (receivedAt(batch?.[0]) ?? 0) < hourMs
    const own = row.entry.kind === 'alert' ? row.entry.body.text.length : 0
    const fits = length + own <= mostAtOnce
    length = isSoon && fits ? length + own : own
    if (batch !== undefined && isSoon && fits) batch.push(row)
    else batches.push([row])
  }
  return batches
}

/** When the oldest entry came, milliseconds since the epoch. Undefined where there is none. */
export async function receivedFirst(store: Pick<Store, 'list'>): Promise<number | undefined> {
  for await (const [oldest] of oldestFirst(store, { atOnce })) return receivedAt(oldest)
  return undefined
}

/** Milliseconds since the epoch. */
function receivedAt(row: StoredEntry | undefined): number | undefined {
  const at = row === undefined ? Number.NaN : Date.parse(row.entry.receivedAt)
  return Number.isNaN(at) ? undefined : at
}

/** The `seq` in `from` of the newest that was copied; 0 where nothing was. */
async function copiedUpTo(from: Source, to: Target['store']): Promise<number> {
  const [newest] = await to.list({ limit: 1 })
  if (newest === undefined) return 0
  const there = await from.find(newest.entry.id)
  if (there === undefined) {
    throw new NotACopy(`it holds ${newest.entry.id}, which the other has not: it is no copy that was begun`)
  }
  return there.seq
}

export async function tallyOf(store: Source): Promise<Tally> {
  const hash = createHash('sha256')
  const tally = { entries: 0, outcomes: 0, batches: 0, figures: 0, state: 0 }
  const take = (value: unknown) => hash.update(`${JSON.stringify(sorted(value))}\n`)
  for await (const rows of oldestFirst(store, { atOnce })) {
    for (const { entry, outcomes } of rows) {
      tally.entries += 1
      tally.outcomes += Object.keys(outcomes).length
      take([entry, outcomes])
    }
  }
  for await (const { upTo: _, ...batch } of batchesOf(store)) {
    tally.batches += 1
    take(batch)
  }
  for await (const figures of figuresOf(store.figures)) {
    tally.figures += figures.length
    take(figures)
  }
  take(await spansOf(store.figures))
  for (const key of stateKeys.toSorted()) {
    const value = await store.readState(key)
    if (value === undefined) continue
    tally.state += 1
    take([key, value])
  }
  return { ...tally, hash: hash.digest('hex') }
}

/** With the keys of each object in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
