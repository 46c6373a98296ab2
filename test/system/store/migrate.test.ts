import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Outcome } from '../../../src/event/outcome.ts'
import { openLowdbStore } from '../../../src/store/lowdb/open.ts'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import type { NewEntry, Store } from '../../../src/store/store.ts'
import { sent, waiting } from '../../contract/store.ts'
import { chainAll } from '../../support/chain-all.ts'
import { alert } from '../../support/fakes/events.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts'
import { endAll, run, start } from '../e2e/process.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
}, 60_000)
afterAll(() => server.remove())
afterEach(endAll)

const began = Date.parse('2026-10-01T00:00:00.000Z')
const folder = () => join(mkdtempSync(join(tmpdir(), 'migrate-')), 'data')
const openFolder = (path: string, now = Date.now) => openLowdbStore(path, { now, onTrouble: () => {} })

/** What became of an event: each kind in turn. */
function outcomes(index: number): Record<string, Outcome> {
  const kinds: Outcome[] = [
    sent(`receipt ${index}`),
    waiting({ attempts: 1, begun: '2026-11-21T13:05:00.000Z' }),
    { state: 'held', until: '2026-12-01T00:00:00.000Z', by: 'quiet', why: 'it is night' },
    { state: 'not_sent', rule: 'models', why: 'another model' },
  ]
  return { desk: kinds[index % 4] ?? sent(), mail: sent(String(index)) }
}

async function fill(store: Store, count: number, at: (time: number) => void): Promise<void> {
  const evidence = {
    headers: { 'x-a': 'b' },
    form: { hash: 'sha256', encoding: 'hex', key: 'text' },
    secret: 'ab',
  }
  for (let index = 0; index < count; index += 250) {
    const time = began + index * 1_000
    at(time)
    const batch = Array.from({ length: 250 }, (_, one): NewEntry => {
      const n = index + one
      const receivedAt = new Date(time + one).toISOString()
      const id = n % 400 === 7 ? `odd \0 ${n} ${'x'.repeat(500)}` : `evt_${n}`
      return { entry: alert({ id, receivedAt, evidence }), outcomes: outcomes(n) }
    })
    await store.accept(batch)
  }
  await store.changeState('subscription', () => ({ id: 'wh_1', secrets: ['whsec_a'] }))
  await store.changeState('readers', () => [{ channel: 'mail', address: 'a@b.example' }])
}

const migrate = (from: string, to: string) => ['store', 'migrate', from, to, '--json']

test('a store goes to Postgres and back, killed twice on the way: the same, in the same order', {
  timeout: 180_000,
}, async () => {
  const [there, back] = [folder(), folder()]
  let time = began
  const store = await openFolder(there, () => time)
  await fill(store, 6_000, (now) => {
    time = now
  })
  await chainAll({ store, now: () => time })
  const head = await store.chain.newest()
  const before = (await store.list({ limit: 10_000 })).map(({ entry, outcomes: all }) => ({ entry, all }))
  await store.close()
  const url = await server.create()

  for (let kill = 1; kill <= 2; kill += 1) {
    const process = start(migrate(`file:${there}`, url))
    const watched = await openPostgresStore(url)
    const copied = async () => (await watched.list({ limit: 1 }))[0]?.seq ?? 0
    while ((await copied()) < kill * 1_500) await wait(20)
    process.kill('SIGKILL')
    expect(await process.ended).toBe('SIGKILL')
    await watched.close()
  }
  const to = await run(migrate(`file:${there}`, url))
  expect(to).toMatchObject({ code: 0 })
  const tally: unknown = JSON.parse(to.stdout)
  expect(tally).toMatchObject({ entries: 6_000, outcomes: 12_000, batches: 12, state: 2 })

  const returned = await run(migrate(url, `file:${back}`))
  expect(returned.code).toBe(0)
  expect(JSON.parse(returned.stdout)).toMatchObject({
    hash: (JSON.parse(to.stdout) as { hash: string }).hash,
  })
  const reopened = await openFolder(back)
  const after = (await reopened.list({ limit: 10_000 })).map(({ entry, outcomes: all }) => ({ entry, all }))
  expect(after).toEqual(before)
  expect(await reopened.chain.newest()).toEqual(head)
  await chainAll({ store: reopened, now: Date.now })
  expect(await reopened.chain.newest()).toEqual(head)
  expect(await reopened.readState('subscription')).toEqual({ id: 'wh_1', secrets: ['whsec_a'] })
  await reopened.close()

  // It is there already, and nothing is copied over it.
  const other = folder()
  const lone = await openFolder(other)
  await lone.accept([{ entry: alert({ id: 'of another desk' }), outcomes: {} }])
  await lone.close()
  expect(await run(migrate(`file:${other}`, url))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it is no copy that was begun'),
  })
})

test('what was dropped is not taken for new after a copy, and no clock has leapt', {
  timeout: 60_000,
}, async () => {
  const [there, back] = [folder(), folder()]
  let time = began
  const store = await openLowdbStore(there, { now: () => time, onTrouble: () => {}, segmentSize: 10 })
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
  const url = await server.create()
  expect((await run(migrate(`file:${there}`, url))).code).toBe(0)
  expect((await run(migrate(url, `file:${back}`))).code).toBe(0)
  for (const copy of [await openPostgresStore(url), await openFolder(back)]) {
    expect(await copy.horizon()).toBe(horizon)
    expect((await copy.list({ limit: 9 })).map(({ entry }) => entry.id)).toEqual(['new'])
    await copy.close()
  }
  const doubts: string[] = []
  const kept = await openLowdbStore(back, {
    now: Date.now,
    onTrouble: () => {},
    onDoubt: (doubt) => doubts.push(doubt),
  })
  await kept.retain(began)
  await kept.close()
  expect(doubts).toEqual([])
})

test('nothing is copied from or to a store that is in use, nor to itself', { timeout: 60_000 }, async () => {
  const [there, url] = [folder(), await server.create()]
  const held = await openFolder(there)
  const working = await openPostgresStore(url)
  await working.hold('lane', new AbortController().signal)
  const cases: [string, string, string][] = [
    [`file:${there}`, await server.create(), 'another Bluepencil is using'],
    [url, `file:${folder()}`, '1 process works on postgres://'],
    [`file:${folder()}`, `file:${folder()}`, 'there is no store in'],
    [`file:${there}`, `file:${there}`, 'the two stores are one'],
    ['data', url, 'data is no store'],
  ]
  for (const [from, to, why] of cases) {
    const { code, stderr } = await run(migrate(from, to))
    expect([code !== 0, stderr.includes(why) ? why : stderr]).toEqual([true, why])
  }
  await held.close()
  await working.close()
})
