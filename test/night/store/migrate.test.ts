import { afterEach, expect, test } from 'vitest'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { NewEntry, Store } from '../../../src/store/store.ts'
import { chainAll } from '../../support/chain-all.ts'
import { alert } from '../../support/fakes/events.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { endAll, run } from '../../system/e2e/process.ts'
import { copyKilled, emptyFolder, filledFolder } from '../../system/store/migration.ts'

const server = postgresForTests()
afterEach(endAll)

const began = Date.parse('2026-10-01T00:00:00.000Z')
const openFolder = (path: string, now = Date.now) => openSqliteStore(path, { now, onTrouble: () => {} })

const migrate = (from: string, to: string) => ['store', 'migrate', from, to, '--json']

async function allOf(store: Store) {
  return (await store.list({ limit: 10_000 })).map(({ entry, outcomes }) => ({ entry, outcomes }))
}

test('a store goes to Postgres and back, each way killed twice: the same, in the same order, in little memory', {
  timeout: 180_000,
}, async () => {
  const count = 6_000
  const there = await filledFolder(count)
  const first = await openFolder(there)
  await chainAll({ store: first, now: Date.now })
  const head = await first.chain.newest()
  const before = await allOf(first)
  await first.close()
  const [url, back] = [await server().createEmpty(), emptyFolder()]

  const to = await copyKilled(`file:${there}`, url, [1_500, 3_000])
  const returned = await copyKilled(url, `file:${back}`, [1_000, 3_000])
  for (const way of [to, returned]) {
    expect(way).toMatchObject({ kills: 2, entries: count, outcomes: 2 * count, state: 3, hash: to.hash })
  }
  const reopened = await openFolder(back)
  expect(await allOf(reopened)).toEqual(before)
  expect(await reopened.chain.newest()).toEqual(head)
  expect(await reopened.readState('subscription')).toEqual({ id: 'wh_1', secrets: ['whsec_a'] })
  await reopened.close()

  // It is there already, and nothing is copied over it.
  const other = emptyFolder()
  const lone = await openFolder(other)
  await lone.accept([{ entry: alert({ id: 'of another desk' }), outcomes: {} }])
  await lone.close()
  expect(await run(migrate(`file:${other}`, url))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('which differs in the other store'),
  })
})

test('what was dropped is not taken for new after a copy, and no clock has leapt', {
  timeout: 60_000,
}, async () => {
  const [there, back] = [emptyFolder(), emptyFolder()]
  let time = began
  const store = await openSqliteStore(there, { now: () => time, onTrouble: () => {} })
  const old = Array.from({ length: 12 }, (_, n): NewEntry => {
    return { entry: alert({ id: `old${n}`, receivedAt: new Date(time).toISOString() }), outcomes: {} }
  })
  await store.accept(old)
  time += 3_600_000
  await store.accept([
    { entry: alert({ id: 'new', receivedAt: new Date(time).toISOString() }), outcomes: {} },
  ])
  await expect.poll(() => store.retain(began + 1)).toBe(12)
  const horizon = await store.horizon()
  await store.close()
  expect(horizon).toBeDefined()
  const url = await server().createEmpty()
  expect((await run(migrate(`file:${there}`, url))).code).toBe(0)
  expect((await run(migrate(url, `file:${back}`))).code).toBe(0)
  for (const copy of [await openPostgresStore(url), await openFolder(back)]) {
    expect(await copy.horizon()).toBe(horizon)
    expect((await copy.list({ limit: 9 })).map(({ entry }) => entry.id)).toEqual(['new'])
    await copy.close()
  }
  const doubts: string[] = []
  const kept = await openSqliteStore(back, {
    now: Date.now,
    onTrouble: () => {},
    onDoubt: (doubt) => doubts.push(String(doubt)),
  })
  await kept.retain(began)
  await kept.close()
  expect(doubts).toEqual([])
})

test('nothing is copied from or to a store that is in use, nor to itself', { timeout: 60_000 }, async () => {
  const [there, url] = [emptyFolder(), await server().createEmpty()]
  const held = await openFolder(there)
  const working = await openPostgresStore(url)
  await working.acquireLease('lane', new AbortController().signal)
  const cases: [string, string, string][] = [
    [`file:${there}`, await server().createEmpty(), 'another Bluepencil is using'],
    [url, `file:${emptyFolder()}`, '1 process works on postgres://'],
    [`file:${emptyFolder()}`, `file:${emptyFolder()}`, 'there is no store in'],
    [`file:${there}`, `file:${there}`, 'both are the same store'],
    ['data', url, 'data is not a store'],
  ]
  for (const [from, to, why] of cases) {
    const { code, stderr } = await run(migrate(from, to))
    expect([code !== 0, stderr.includes(why) ? why : stderr]).toEqual([true, why])
  }
  await held.close()
  await working.close()
})
