import { createHash } from 'node:crypto'
import { batchesOf } from './chain.ts'
import type { Figure, FigureStore } from './figures.ts'
import { oldestFirst } from './pages.ts'
import type { Database } from './sql/database.ts'
import type { SqlDialect } from './sql/dialect.ts'
import { statementsOfWrite, writeGathered } from './sql/write.ts'
import { type Store, stateKeys } from './store.ts'

/** How much one store holds, and the hash of it: two stores that say the same have the same. */
export interface StoreTally {
  entries: number
  outcomes: number
  /** Batches of the chain. */
  batches: number
  /** Published figures, revisions included. */
  figures: number
  /** Keys of small state that have a value. */
  state: number
  /** SHA-256, hexadecimal, of all rows in order. The order of keys within a row makes no difference. */
  hash: string
}

/** A store to copy into, with its tables. */
export interface CopyTarget {
  store: Pick<Store, 'list' | 'changeState' | 'chain' | 'figures'>
  database: Database
}

/** The store to copy into has what the other has not. */
export class NotACopy extends Error {
  override readonly name = 'NotACopy'
}

/** A store to copy from: one that nobody writes, or as it was at one moment. */
export type CopySource = Pick<Store, 'list' | 'find' | 'readState' | 'chain' | 'figures' | 'horizon'>

/** So many are read and written at a time: of the largest deliveries a statement of some megabytes. */
const atOnce = 50

/**
 * Copies a whole store into one that is empty or has an unfinished copy. First come entries with their numbers and outcomes,
 * then the chain, published figures and small state. What is already there is not written again. Rejects with `NotACopy`.
 */
export async function copyStore(
  from: CopySource,
  { store: to, database }: CopyTarget,
  onProgress: (copied: number) => void,
): Promise<void> {
  const statements = statementsOfWrite(database.dialect)
  let copied = 0
  for await (const rows of oldestFirst(from, { after: await copiedUpTo(from, to), atOnce })) {
    const now = Date.now()
    const added = rows.map((row) => ({ ...row, at: Math.min(Date.parse(row.entry.receivedAt) || 0, now) }))
    await database.transaction(async (transaction) =>
      writeGathered(transaction, statements, { added, changed: [] }, { now, aheadMs: 0 }),
    )
    copied += rows.length
    onProgress(copied)
  }
  const there = (await to.chain.newest())?.number ?? 0
  for await (const batch of batchesOf(from.chain, there + 1)) {
    if (!(await to.chain.add(batch))) throw new Error(`batch ${batch.number} was not copied`)
  }
  await copyFigures(from.figures, to.figures)
  for (const key of stateKeys) {
    const value = await from.readState(key)
    if (value !== undefined) await to.changeState(key, () => value)
  }
  const horizon = await from.horizon()
  await database.transaction(async ({ write }) => {
    for (const text of afterCopy(database.dialect)) write(text, [horizon ?? null])
  })
}

/** `$1`: what the other dropped is not new here. A number that is missing was missing there: Postgres leaves some out. */
function afterCopy({ name }: SqlDialect): string[] {
  const last = 'coalesce((select max(seq) from bluepencil.entries), 0)'
  return [
    `update bluepencil.clock set horizon = $1, dropped = ${last}`,
    ...(name === 'postgres'
      ? [`select setval('bluepencil.entries_seq', ${last} + 1, false), $1::bigint`]
      : []),
  ]
}

/** The number of the newest entry that was copied; 0 if there is none. */
async function copiedUpTo(from: CopySource, to: CopyTarget['store']): Promise<number> {
  const [newest] = await to.list({ limit: 1 })
  if (newest === undefined) return 0
  const there = await from.find(newest.entry.id)
  if (there?.seq === newest.seq) return newest.seq
  throw new NotACopy(
    `it holds ${newest.entry.id}, which differs in the other store. Only an empty store, or an interrupted copy of the same one, can be continued`,
  )
}

/** So many figures are read and written at once. */
const figuresAtOnce = 2_000

/** All that were seen, in the order in which they came, but the first ones. */
async function* figuresOf(figures: CopySource['figures'], skipped = 0): AsyncGenerator<Figure[]> {
  let left = skipped
  for (let after = 0; ; ) {
    const rows = await figures.all({ after, limit: figuresAtOnce })
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.slice(left).map(({ figure }) => figure)
    left = Math.max(left - rows.length, 0)
    after = last.seq
  }
}

/** Those that were copied before are the first ones, and are not written again. */
async function copyFigures(from: CopySource['figures'], to: FigureStore): Promise<void> {
  let copied = 0
  for await (const figures of figuresOf(to)) copied += figures.length
  for await (const figures of figuresOf(from, copied)) await to.add({ figures, spans: [] })
  await to.add({ figures: [], spans: await from.spans() })
}

export async function tallyOf(store: CopySource): Promise<StoreTally> {
  const hash = createHash('sha256')
  const tally = { entries: 0, outcomes: 0, batches: 0, figures: 0, state: 0 }
  const addToHash = (value: unknown) => hash.update(`${JSON.stringify(sorted(value))}\n`)
  for await (const rows of oldestFirst(store, { atOnce })) {
    for (const { entry, outcomes } of rows) {
      tally.entries += 1
      tally.outcomes += Object.keys(outcomes).length
      addToHash([entry, outcomes])
    }
  }
  for await (const batch of batchesOf(store.chain)) {
    tally.batches += 1
    addToHash(batch)
  }
  for await (const figures of figuresOf(store.figures)) {
    tally.figures += figures.length
    addToHash(figures)
  }
  const spans = (await store.figures.spans()).map((span) => JSON.stringify(sorted(span)))
  addToHash(spans.toSorted())
  for (const key of stateKeys.toSorted()) {
    const value = await store.readState(key)
    if (value === undefined) continue
    tally.state += 1
    addToHash([key, value])
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
