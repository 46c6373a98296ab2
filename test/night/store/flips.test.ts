import { readFileSync, writeFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { checkChain } from '../../../src/record/evidence/chain.ts'
import { batchesOf } from '../../../src/store/chain.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { type Store, type StoredEntry, StoreRefused, StoreUnavailable } from '../../../src/store/store.ts'
import { event, sent, start, waiting } from '../../contract/store.ts'
import { chainAll } from '../../support/chain-all.ts'
import { chance } from '../../system/detector/chance.ts'
import { temporaryFolder } from '../../unit/store/folder.ts'

const rows = 2_000
const flips = Number(process.env.FLIPS ?? 400)
const seed = Number(process.env.FLIPS_SEED ?? 1)

/** All that a process reads of a store. */
interface Contents {
  entries: StoredEntry[]
  others: string
}

type Fate = 'harmless' | 'refused' | 'reported' | 'found by the check'

test('a single bit that flips in the database is harmless, or refused, or reported: nothing else is read than what was written', {
  timeout: 600_000 + flips * 500,
}, async () => {
  const folder = join(await temporaryFolder(), 'data')
  const troubles: string[] = []
  const open = (at: string) =>
    openSqliteStore(at, { now: () => start, onTrouble: (sentence) => troubles.push(sentence) })
  const store = await open(folder)
  for (let n = 0; n < rows; n += 100) {
    await store.accept(
      Array.from({ length: 100 }, (_, k) =>
        event(`evt_${n + k}`, { desk: sent(`r${n + k}`), mail: waiting() }),
      ),
    )
  }
  await chainAll({ store, now: () => start })
  await store.changeState('polling', () => ({ since: 'then' }))
  const written = await contentsOf(store)
  const texts = new Map(written.entries.map((row) => [row.seq, JSON.stringify(row)]))
  await store.close()
  const words = wordsIn(folder)
  const bytes = readFileSync(join(folder, 'bluepencil.sqlite'))
  const tableOf = tablesByPage(folder)
  const random = chance(29, seed)
  const counts: Record<Fate, number> = { harmless: 0, refused: 0, reported: 0, 'found by the check': 0 }
  const silent: string[] = []

  async function fateOf(copy: string, isOfWords: boolean): Promise<Fate | undefined> {
    let opened: Store | undefined
    try {
      opened = await open(copy)
      const { entries, others } = await contentsOf(opened)
      const changed = entries.filter((row) => JSON.stringify(row) !== texts.get(row.seq))
      const unnamed = changed.filter(({ seq }) => !troubles.some((one) => one.includes(` ${seq} `)))
      // An index that has lost its way to an outcome is a matter for SQLite's own check.
      for (const row of unnamed) {
        const whole: Partial<StoredEntry> = JSON.parse(texts.get(row.seq) ?? '{}')
        expect(row.entry).toEqual(whole.entry)
        expect(whole.outcomes).toMatchObject(row.outcomes)
      }
      if (troubles.length > 0) return 'reported'
      const isSame = others === written.others && (!isOfWords || wordsIn(copy) === words)
      if (isSame && entries.length === rows && unnamed.length === 0) return 'harmless'
      const faults = [...((await opened.verify?.()) ?? []), ...(await checkChain(opened)).faults]
      return faults.length > 0 ? 'found by the check' : undefined
    } catch (error) {
      if (error instanceof StoreRefused || error instanceof StoreUnavailable) return 'refused'
      throw error
    } finally {
      await opened?.close()
    }
  }

  for (let n = 0; n < flips; n++) {
    const turned = Buffer.from(bytes)
    const at = Math.floor(random() * turned.length)
    turned[at] = (turned[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    const copy = `${folder}-${n}`
    await cp(folder, copy, { recursive: true })
    writeFileSync(join(copy, 'bluepencil.sqlite'), turned)
    troubles.length = 0
    const table = tableOf(at)
    const fate = await fateOf(copy, table.startsWith('search'))
    if (fate === undefined) silent.push(`byte ${at} of ${table}`)
    else counts[fate] += 1
    await rm(copy, { recursive: true })
  }
  process.stderr.write(`${flips} flips (seed ${seed}): ${JSON.stringify(counts)}\n`)
  expect(silent).toEqual([])
  expect(counts.reported).toBeGreaterThan(flips / 4)
})

async function contentsOf(store: Store): Promise<Contents> {
  const entries = await store.list({ limit: rows })
  const others: unknown[] = [await store.readState('polling'), await store.horizon()]
  for await (const batch of batchesOf(store.chain)) others.push(batch)
  others.push(await store.backlog(), await store.nextDue('mail'))
  return { entries, others: JSON.stringify(others) }
}

/** Which words find which entries. */
function wordsIn(folder: string): string {
  const database = new DatabaseSync(join(folder, 'bluepencil.sqlite'), { readOnly: true })
  try {
    database.exec("create virtual table temp.words using fts5vocab('main', 'search', 'instance')")
    const rows = database.prepare('select distinct term, doc from words').all()
    return rows.map(({ term, doc }) => `${term} ${doc}`).join()
  } catch {
    return 'cannot be read'
  } finally {
    database.close()
  }
}

/** Which table or index has a byte of the database. */
function tablesByPage(folder: string): (at: number) => string {
  const database = new DatabaseSync(join(folder, 'bluepencil.sqlite'), { readOnly: true })
  try {
    const pages = database.prepare('select name, pageno from dbstat').all()
    const names = new Map(pages.map(({ name, pageno }) => [Number(pageno), String(name)]))
    return (at) => names.get(Math.floor(at / 4_096) + 1) ?? 'no table'
  } finally {
    database.close()
  }
}
