import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Entry } from '../../../src/event/event.ts'
import { localControl } from '../../../src/people/control/control.ts'
import { serveControl } from '../../../src/people/control/socket.ts'
import { actsOn, sendingsOn } from '../../../src/people/converse/acts.ts'
import { tokensOn } from '../../../src/people/converse/tokens.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { command } from '../../support/command.ts'
import { alert, finding } from '../../support/fakes/events.ts'

const receivedAt = (time: string) => `2026-11-${time}:00.000Z`
const entries: Entry[] = [
  alert({ receivedAt: receivedAt('02T10:00') }),
  finding({ receivedAt: receivedAt('02T13:10'), sameAs: 'evt_1' }),
  finding({ id: 'poll_2', receivedAt: receivedAt('03T10:00') }),
]

function configured() {
  const folder = mkdtempSync(join(tmpdir(), 'bp-ledger-'))
  const file = join(folder, 'b.yaml')
  writeFileSync(
    file,
    `store: file:${folder}/data\nwebhook: { secrets: [whsec_of_the_test_of_the_ledger] }\nchannels: [{ name: desk, type: console }]\n`,
  )
  return { file, folder: join(folder, 'data') }
}

async function openStore(folder: string) {
  const store = await openSqliteStore(folder, { now: Date.now, onTrouble: () => {} })
  await store.accept(entries.map((entry) => ({ entry, outcomes: {} })))
  return store
}

async function ledger(file: string, ...options: string[]) {
  const november = options.includes('--from') ? [] : ['--from', '2026-11-01', '--to', '2026-11-30']
  return await command(['ledger', ...november, ...options, '--config', file], 120)
}

test('a table of the days on which something came, and a paragraph for a methods section', async () => {
  const { file, folder } = configured()
  await (await openStore(folder)).close()
  const { code, out, notes } = await ledger(file)
  expect({ code, notes }).toEqual({ code: 0, notes: '' })
  expect(out).toMatch(/^day \(UTC\) +webhook only +polling only +both +never shown +too recent\n/)
  expect(out).toMatch(/\n2026-11-02 +0 +0 +1 +0 +0\n/)
  expect(out).toMatch(/\n2026-11-03 +0 +1 +0 +0 +0\n/)
  expect(out).toMatch(/\ntotal +0 +1 +1 +0 +0\n/)
  expect(out).not.toContain('2026-11-04')
  expect(out).toContain(
    '2 changes of a rate reached Bluepencil: 0 by webhook only, 1 by polling only, and 1 by both',
  )
})

test('for machines: JSON with the text, and CSV with a row for each day', async () => {
  const { file, folder } = configured()
  await (await openStore(folder)).close()
  const json = JSON.parse((await ledger(file, '--json')).out)
  expect(json).toMatchObject({ from: '2026-11-01', total: { both: 1, pollingOnly: 1 }, polling: null })
  expect(json.besides).toEqual({ version: 0, unchanged: 0, withoutSize: 0 })
  expect(json.days).toHaveLength(30)
  expect(json.text).toContain('The published figures were not read.')
  const rows = (await ledger(file, '--csv')).out.split('\r\n')
  expect(rows).toHaveLength(32)
  expect(rows[0]).toBe(
    'day,webhookOnly,pollingOnly,both,webhookFirst,webhookLeadMinutes,pollingFirst,pollingLeadMinutes,shown,neverShown,tooRecent,notCompared',
  )
  expect(rows[2]).toBe('2026-11-02,0,0,1,1,190,0,,0,0,0,0')
})

const never = () => Promise.reject(new Error('it changes nothing'))

test('beside a service that runs, it asks that', async () => {
  const { file, folder } = configured()
  const store = await openStore(folder)
  const close = await serveControl(folder, {
    ready: () => Promise.reject(new Error('it does not ask')),
    config: { add: never, clear: never, setPassword: never },
    ...localControl({
      store,
      channels: () => ['desk'],
      running: true,
      makePending: async () => false,
      acts: await actsOn(store, Date.now),
      sendings: sendingsOn(store, Date.now),
      sendHeld: async ({ held }) => held.length,
      tokens: tokensOn(store, Date.now),
      now: Date.now,
      resting: () => [],
      close: async () => {},
    }),
  })
  onTestFinished(async () => {
    await close()
    await store.close()
  })
  expect(JSON.parse((await ledger(file, '--json')).out).total.both).toBe(1)
})

test.each([
  [['--from', 'yesterday'], 'yesterday is not a day; write one as 2026-11-21'],
  [['--from', '2026-02-30'], '2026-02-30 is not a day; write one as 2026-11-21'],
  [['--from', '2026-11-02', '--to', '2026-11-01'], '2026-11-02 is after 2026-11-01'],
])('%j is refused', async (options, sentence) => {
  const { code, notes } = await ledger(configured().file, ...options)
  expect({ code, notes }).toEqual({ code: 2, notes: `bluepencil: ${sentence}\n` })
})
