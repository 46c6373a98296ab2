import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { alert } from '../../support/fakes/events.ts'

const count = 400

interface Place {
  folder: string
  file: string
  troubles: string[]
  open(): Promise<Store>
}

async function filled(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'damage-'))
  const troubles: string[] = []
  const open = () =>
    openSqliteStore(folder, { now: Date.now, onTrouble: (trouble) => troubles.push(trouble) })
  const store = await open()
  for (let number = 1; number <= count; number += 50) {
    const some = Array.from({ length: 50 }, (_, index) => ({
      entry: alert({ id: `evt_${number + index}`, body: { encoding: 'utf8', text: 'x'.repeat(1_500) } }),
      outcomes: { desk: { state: 'not_sent', rule: 'minDelta', why: 'small' } as const },
    }))
    await store.accept(some)
  }
  await store.changeState('polling', () => ({ since: 'then' }))
  await store.close()
  return { folder, file: join(folder, 'bluepencil.sqlite'), troubles, open }
}

function sql(file: string, statement: string): void {
  const database = new DatabaseSync(file)
  database.exec(statement)
  database.close()
}

async function idsIn(store: Store): Promise<number[]> {
  const rows = await store.list({ limit: 10_000 })
  return rows.map(({ entry }) => Number(entry.id.slice(4))).toReversed()
}

test('a store that is as it was written is whole', async () => {
  const { open } = await filled()
  const store = await open()
  expect(await store.verify?.()).toEqual([])
  await store.close()
})

test.each([
  [
    "update entries set entry = replace(entry, 'claude', 'claudE') where seq = 7",
    'event 7 differs from what was written',
  ],
  ["update entries set model = 'qwen' where seq = 8", 'event 8 differs from what was written'],
  [
    "update outcomes set state = 'sent' where seq = 9",
    'what became of event 9 on desk differs from what was written',
  ],
  ["update state set value = '{}' where key = 'polling'", 'the state polling differs from what was written'],
  ['delete from entries where seq between 30 and 32', 'events are missing: numbers 30 to 32'],
  [`delete from entries where seq = ${count}`, `events are missing: number ${count}`],
])('after %s, all are verified, and %s', async (statement, found) => {
  const { file, open } = await filled()
  sql(file, statement)
  const store = await open()
  expect(await store.verify?.()).toContain(found)
  await store.close()
})

test('what retention dropped is not missing', async () => {
  const { open } = await filled()
  const store = await open()
  expect(await store.retain(Date.now() + 1)).toBe(count)
  await store.accept([{ entry: alert({ id: 'evt_new' }), outcomes: {} }])
  expect(await store.verify?.()).toEqual([])
  await store.close()
})

test('a row that is damaged is left out and reported, and all others are served', async () => {
  const { file, open, troubles } = await filled()
  sql(file, "update entries set entry = replace(entry, 'claude', 'claudE') where seq = 7")
  const store = await open()
  expect(await idsIn(store)).toEqual(
    Array.from({ length: count }, (_, index) => index + 1).filter((one) => one !== 7),
  )
  expect(troubles).toEqual([expect.stringContaining('entry 7 of the store')])
  await store.close()
})

const waiting = {
  state: 'waiting',
  dueAt: new Date(0).toISOString(),
  why: 'not tried yet',
  attempts: 0,
} as const
const when = { limit: 1, leaseMs: 60_000 }
const mended = { state: 'failed', why: 'its record was damaged on the disk, so it may have been sent' }

test.each<[string, (store: Store) => Promise<unknown>]>([
  ['a reader', (store) => store.find('evt_9')],
  ['the daily check', async (store) => await store.verify?.()],
])('an outcome that is damaged is listed as failed when %s has met it', async (_, meet) => {
  const { file, open } = await filled()
  sql(file, "update outcomes set state = 'sent' where seq = 9")
  const store = await open()
  await meet(store)
  await expect
    .poll(async () =>
      (await store.list({ limit: 10, outcome: 'failed' })).map(({ outcomes }) => outcomes.desk),
    )
    .toMatchObject([mended])
  expect(await store.verify?.()).toEqual([])
  await store.close()
})

test.each([
  ['its outcome', "update outcomes set outcome = replace(outcome, 'tried', 'tride') where channel = 'mail'"],
  ['its entry', "update entries set entry = replace(entry, 'claude', 'claudE') where seq = 401"],
])('what waits and is damaged (%s) does not wait for ever', async (_, statement) => {
  const { file, open } = await filled()
  const before = await open()
  await before.accept([{ entry: alert({ id: 'evt_401' }), outcomes: { mail: waiting } }])
  await before.close()
  sql(file, statement)
  const store = await open()
  await expect
    .poll(async () => [
      await store.leaseDue('mail', { ...when, now: Date.now() }),
      await store.nextDue('mail'),
    ])
    .toEqual([[], undefined])
  await store.close()
})

test('what was leased and is damaged gets no new checksum at a start', async () => {
  const { file, open } = await filled()
  const before = await open()
  await before.accept([{ entry: alert({ id: 'evt_401' }), outcomes: { mail: waiting } }])
  expect(await before.leaseDue('mail', { ...when, now: Date.now() })).toHaveLength(1)
  await before.close()
  sql(file, "update outcomes set outcome = replace(outcome, 'tried', 'tride') where channel = 'mail'")
  const store = await open()
  expect(await store.verify?.()).toEqual(['what became of event 401 on mail differs from what was written'])
  await store.close()
})

/** Overwrites pages in the middle of the file. */
function spoil(file: string, first: number, pages: number): void {
  const bytes = readFileSync(file)
  bytes.fill(0xa5, first * 4_096, (first + pages) * 4_096)
  writeFileSync(file, bytes)
}

test('of a file with spoiled pages all that can be read is saved at the start after damage was met, and the rest reported by number', async () => {
  const { folder, file, open, troubles } = await filled()
  spoil(file, 120, 3)
  const met = await open()
  await met.list({ limit: 10_000 }).catch(() => undefined)
  await met.verify?.().catch(() => undefined)
  await met.close()
  const store = await open()
  expect(troubles.at(-1)).toMatch(
    /^bluepencil\.sqlite was damaged and is kept as bluepencil\.sqlite\.damaged-1\. What could be read is saved: \d+ events/,
  )
  const ids = await idsIn(store)
  expect(ids.length).toBeGreaterThan(count / 2)
  const [, named = ''] = /events are missing: numbers? ([\d to,]+)$/.exec(troubles.at(-1) ?? '') ?? []
  const lost = new Set(
    named.split(', ').flatMap((range) => {
      const [first = 0, last = first] = range.split(' to ').map(Number)
      return first === 0 ? [] : Array.from({ length: last - first + 1 }, (_, index) => first + index)
    }),
  )
  expect(ids).toEqual(Array.from({ length: count }, (_, index) => index + 1).filter((one) => !lost.has(one)))
  // What comes now has a number of its own, and is found.
  await store.accept([{ entry: alert({ id: 'evt_new' }), outcomes: {} }])
  expect((await store.find('evt_new'))?.seq).toBe(count + 1)
  expect((await store.list({ words: 'new', limit: 9 })).map(({ entry }) => entry.id)).toEqual(['evt_new'])
  expect(readdirSync(folder)).toContain('bluepencil.sqlite.damaged-1')
  await store.close()
  const again = await open()
  expect((await idsIn(again)).length).toBe(ids.length + 1)
  await again.close()
})

test('a file that is no database at all is kept, and a new one begun', async () => {
  const { folder, file, open, troubles } = await filled()
  writeFileSync(file, 'no database, but a text that is long enough to look like one'.repeat(500))
  const store = await open()
  expect(troubles).toEqual([expect.stringContaining('What could be read is saved: 0 events')])
  expect(await store.accept([{ entry: alert({ id: 'evt_new' }), outcomes: {} }])).toEqual(['new'])
  await store.close()
  expect(readFileSync(join(folder, 'bluepencil.sqlite.damaged-1'), 'utf8')).toMatch(/^no database/)
})

test('an index of words that lacks an event is reported, and made again at the next start', async () => {
  const { file, open, troubles } = await filled()
  sql(file, 'delete from search where rowid = 7')
  const store = await open()
  const search = async (from: Store) => (await from.list({ words: 'evt_7', limit: 99 })).at(-1)?.entry.id
  expect(await search(store)).not.toBe('evt_7')
  expect(await store.verify?.()).toEqual(['the search index lacks event 7'])
  await store.close()
  const again = await open()
  expect(await search(again)).toBe('evt_7')
  expect([await again.verify?.(), troubles]).toEqual([[], []])
  await again.close()
})

test('a damaged alert hides none that is older: the next one takes its place in a page', async () => {
  const { open, file, troubles } = await filled()
  sql(file, "update entries set entry = replace(entry, 'claude', 'claudE') where seq in (350, 349, 7)")
  const store = await open()
  const read: number[] = []
  for (let before: number | undefined; ; ) {
    const page = await store.list({ limit: 100, before, withoutOutcomes: true })
    read.push(...page.map(({ seq }) => seq))
    if (page.length < 100) break
    before = page.at(-1)?.seq
  }
  expect(read).toHaveLength(count - 3)
  expect(troubles.join('\n')).toMatch(/entry 350 .* is damaged/)
  await store.close()
})
