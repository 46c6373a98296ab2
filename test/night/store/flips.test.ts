import { readFileSync, writeFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { type StoredEntry, StoreRefused, StoreUnavailable } from '../../../src/store/store.ts'
import { event, sent, start, waiting } from '../../contract/store.ts'
import { chance } from '../../system/detector/chance.ts'
import { temporaryFolder } from '../../unit/store/folder.ts'

const rows = 2_000
const flips = Number(process.env.FLIPS ?? 400)

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
  const written = new Map((await store.list({ limit: rows })).map((row) => [row.seq, JSON.stringify(row)]))
  await store.close()
  const bytes = readFileSync(join(folder, 'bluepencil.sqlite'))
  const random = chance(29, 1)
  const counts = { harmless: 0, refused: 0, reported: 0 }
  for (let n = 0; n < flips; n++) {
    const turned = Buffer.from(bytes)
    const at = Math.floor(random() * turned.length)
    turned[at] = (turned[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    const copy = `${folder}-${n}`
    await cp(folder, copy, { recursive: true })
    writeFileSync(join(copy, 'bluepencil.sqlite'), turned)
    troubles.length = 0
    const read = await readAll(() => open(copy))
    const other = (read ?? []).filter((row) => JSON.stringify(row) !== written.get(row.seq))
    const unnamed = other.filter(({ seq }) => !troubles.some((one) => one.includes(` ${seq} `)))
    // An index that has lost its way to an outcome is a matter for SQLite's own check.
    for (const row of unnamed) {
      const whole: Partial<StoredEntry> = JSON.parse(written.get(row.seq) ?? '{}')
      expect(row.entry).toEqual(whole.entry)
      expect(whole.outcomes).toMatchObject(row.outcomes)
    }
    const isNoticed = read === undefined || troubles.length > 0
    const isWhole = read?.length === rows && unnamed.length === 0
    expect(isWhole || isNoticed || !isSoundFile(copy), `byte ${at}`).toBe(true)
    counts[read === undefined ? 'refused' : troubles.length > 0 ? 'reported' : 'harmless'] += 1
    await rm(copy, { recursive: true })
  }
  expect(counts.reported).toBeGreaterThan(flips / 4)
})

/** By SQLite's own check. */
function isSoundFile(folder: string): boolean {
  const database = new DatabaseSync(join(folder, 'bluepencil.sqlite'))
  try {
    return database.prepare('pragma integrity_check').get()?.integrity_check === 'ok'
  } catch {
    return false
  } finally {
    database.close()
  }
}

async function readAll(open: () => ReturnType<typeof openSqliteStore>): Promise<StoredEntry[] | undefined> {
  try {
    const store = await open()
    try {
      return await store.list({ limit: rows })
    } finally {
      await store.close()
    }
  } catch (error) {
    if (error instanceof StoreRefused || error instanceof StoreUnavailable) return undefined
    throw error
  }
}
