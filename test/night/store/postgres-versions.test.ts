import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import type { StoreChange } from '../../../src/store/store.ts'
import { event, sent } from '../../contract/store.ts'
import { delivery } from '../../support/app.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { endAll, run, start } from '../../system/e2e/process.ts'

const server = postgresForTests()
let url: string
let newer: pg.Client

beforeEach(async () => {
  url = await server().create()
  await (await openPostgresStore(url)).close()
  newer = new pg.Client(url)
  await newer.connect()
})
afterEach(async () => {
  endAll()
  await newer.end()
})

const migrated = (name: string) => newer.query('insert into bluepencil.migrations (name) values ($1)', [name])

describe('beside a newer Bluepencil on the same database', () => {
  test('what it added is left alone: columns, keys of entries and outcomes, what it remembers, what it makes known', async () => {
    await newer.query('alter table bluepencil.entries add column mood text')
    await newer.query('alter table bluepencil.outcomes add column weight int not null default 1')
    await migrated('9000-entries-mood.sql')
    await newer.query("insert into bluepencil.state (key, value) values ('of-a-newer-one', '1')")

    const store = await openPostgresStore(url)
    onTestFinished(() => store.close())
    const heard: StoreChange[] = []
    store.changes((change) => heard.push(change))
    expect(await store.accept([event('e1')])).toEqual(['new'])
    await newer.query(
      `update bluepencil.entries set entry = (entry::jsonb || '{"mood":"calm"}')::text where id = 'e1'`,
    )
    await newer.query(
      `update bluepencil.outcomes set outcome = (outcome::jsonb || '{"mood":"calm"}')::text where channel = 'desk'`,
    )
    const unknown = JSON.stringify({ by: 'a newer one', changes: [{ of: 'mood', id: 'e1' }] })
    const readable = JSON.stringify({ by: 'a newer one', changes: [{ of: 'state', key: 'silences' }] })
    await newer.query('insert into bluepencil.news (changes) values ($1), ($2)', [unknown, readable])
    await newer.query("select pg_notify('bluepencil', 'a newer one')")
    await vi.waitUntil(() => heard.some((change) => change.of === 'state'), { timeout: 10_000 })

    expect(await store.find('e1')).toMatchObject({
      entry: { mood: 'calm' },
      outcomes: { desk: { mood: 'calm' } },
    })
    expect(await store.list({ limit: 9 })).toHaveLength(1)
    const [one] = await store.leaseDue('desk', { now: Date.now(), limit: 9, leaseMs: 600_000 })
    expect(await store.settle('e1', 'desk', sent(), one?.lease)).toBe(true)
    expect(await store.find('e1')).toMatchObject({ outcomes: { desk: { state: 'sent' } } })
  })

  test('where it says that older ones cannot read what it writes, this one does not open, and changes nothing', async () => {
    await migrated('9000-entries-mood-not-beside-older.sql')
    await newer.query('drop table bluepencil.chain')
    await newer.query("delete from bluepencil.migrations where name like '%chain%'")
    await expect(openPostgresStore(url)).rejects.toThrow(
      'a newer Bluepencil has changed the store, and this one can no longer read it (9000-entries-mood-not-beside-older.sql); upgrade this one',
    )
    const { rows } = await newer.query("select to_regclass('bluepencil.chain') as chain")
    expect(rows).toEqual([{ chain: null }])
  })

  test('where it begins to say so, one that runs finishes what it does, ends, and does not start again', {
    timeout: 60_000,
  }, async () => {
    const configFile = join(mkdtempSync(join(tmpdir(), 'versions-')), 'bluepencil.yaml')
    writeFileSync(
      configFile,
      `
store: ${url}
server: { host: 127.0.0.1, port: 0 }
webhook: { secrets: [${secret}] }
channels: [{ name: desk, type: console }]
`,
    )
    const serving = start(['serve', '--config', configFile])
    const port = await vi.waitUntil(() => serving.log().find(({ message }) => message === 'ready')?.port, {
      timeout: 20_000,
    })
    const body = delivery('evt_1', Date.now())
    const { status } = await fetch(`http://127.0.0.1:${port}/webhook`, {
      method: 'POST',
      headers: signed(body),
      body,
    })
    expect(status).toBe(202)
    await vi.waitUntil(() => serving.stdout().includes('evt_1'))
    await migrated('9000-entries-mood-not-beside-older.sql')
    expect(await serving.ended).toBe(1)
    expect(serving.stdout()).toContain('evt_1')
    expect(serving.stderr()).toMatch(
      /bluepencil: a newer Bluepencil has changed the store, .*; upgrade this one/,
    )
    const { rows } = await newer.query("select outcome::jsonb->>'state' as state from bluepencil.outcomes")
    expect(rows).toEqual([{ state: 'sent' }])
    expect(await run(['serve', '--config', configFile])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('upgrade this one'),
    })
  })
})
