import { existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hourMs } from '../../../src/platform/durations.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { configOf, openApp } from '../../support/app.ts'
import { command } from '../../support/command.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { damageStored } from '../../support/stored.ts'

const start = Date.parse('2026-11-21T13:00:00Z')

async function running(more: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'care-'))
  const clock = createManualClock(start)
  const opened = openApp({ clock })
  const app = await opened.start(
    configOf([{ name: 'desk', type: 'console' }], { store: `file:${folder}`, operators: ['desk'], ...more }),
  )
  onTestFinished(() => app.stop())
  return { folder, clock, app, opened }
}

const inode = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino

test('each hour the folder has a copy that can be opened, and two are kept, for the user alone', async () => {
  const { folder, clock } = await running({ copies: 2 })
  const copy = (number: number) => join(folder, `copies/${number}/bluepencil.sqlite`)
  const seen = new Set<number | undefined>()
  for (let hour = 0; hour < 3; hour++) {
    await clock.advance(hourMs)
    await vi.waitUntil(() => existsSync(copy(1)) && !seen.has(inode(copy(1))))
    seen.add(inode(copy(1)))
  }
  await vi.waitUntil(() => readdirSync(join(folder, 'copies')).join() === '1,2')
  expect(statSync(copy(1)).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'copies')).mode & 0o777).toBe(0o700)
  const opened = await openSqliteStore(join(folder, 'copies/2'), { now: clock.now, onTrouble: () => {} })
  expect(await opened.verify?.()).toEqual([])
  await opened.close()
})

test('with copies: 0 there is none', async () => {
  const { folder, clock } = await running({ copies: 0 })
  for (let hour = 0; hour < 3; hour++) await clock.advance(hourMs)
  expect(existsSync(join(folder, 'copies'))).toBe(false)
})

test('what is damaged is reported by the daily check, once, and by check --store', async () => {
  const { folder, clock, opened } = await running({ copies: 0 })
  damageStored(folder, "insert into state (key, value, sum) values ('polling', '{}', 'wrong')")
  for (let hour = 0; hour < 49; hour++) await clock.advance(hourMs)
  const damage = () => opened.shown('desk').filter((text) => text.includes('Part of the store is damaged'))
  await vi.waitUntil(() => damage().length > 0)
  expect(damage()).toHaveLength(1)
  expect(damage()[0]).toContain('the state polling differs from what was written')
})

test('check --store says that all is whole, or what is not, and exits with 1', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'care-'))
  const config = join(folder, 'bluepencil.yaml')
  writeFileSync(
    config,
    `store: "file:${folder}/data"\nwebhook: { secrets: [whsec_a_secret_of_the_desk] }\nchannels: [{ name: desk, type: console }]\n`,
  )
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  await store.changeState('polling', () => ({ some: 'state' }))
  await store.close()
  const whole = await command(['check', '--store', '--config', config])
  expect([whole.code, whole.out]).toEqual([0, expect.stringContaining('nothing in ')])
  const database = new DatabaseSync(join(folder, 'data/bluepencil.sqlite'))
  database.exec("update state set value = '{}' where key = 'polling'")
  database.close()
  const damaged = await command(['check', '--store', '--config', config])
  expect([damaged.code, damaged.out]).toEqual([
    1,
    expect.stringContaining('the state polling differs from what was written'),
  ])
})
