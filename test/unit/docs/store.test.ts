import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Outcome } from '../../../src/event/outcome.ts'
import { event, sent } from '../../contract/store.ts'
import { chainAll } from '../../support/chain-all.ts'
import { codeIn, read } from '../../support/markdown.ts'
import { openStore, temporaryFolder } from '../store/folder.ts'

test('docs/run.md names each file of a store, and no other', async () => {
  const folder = await temporaryFolder()
  const { store } = await openStore(folder)
  await store.accept([event('a', { desk: sent() })])
  await store.changeState('polling', () => ({}))
  await store.changeState('settings', () => ({ revision: 1 }))
  await store.probe()
  await chainAll({ store, now: Date.now })
  const files = readdirSync(folder)

  const [tree = ''] = codeIn(read('docs/run.md')).filter((code) => code.startsWith('data/'))
  const named = [...tree.matchAll(/^ +(\S+\.?\w+) {2,}/gm)].map(([, name = '']) => name)
  const ofFolder = named.filter(
    (name) => !['control.sock', 'people-budget.sqlite', 'copies/'].includes(name) && !name.startsWith('*'),
  )
  expect(new Set(ofFolder)).toEqual(new Set(files))
})

test('the questions of docs/run.md have answers', async () => {
  const folder = await temporaryFolder()
  const { store } = await openStore(folder)
  const failed: Outcome = { state: 'failed', at: '2026-11-21T13:05:00.000Z', attempts: 3, why: 'rejected' }
  await store.accept([event('a', { desk: sent(), mail: failed }), event('b', { desk: sent(), mail: sent() })])
  const questions = codeIn(read('docs/run.md')).flatMap((code) =>
    Array.from(
      code.matchAll(/^sqlite3 -readonly data\/bluepencil\.sqlite "(.*)"$/gm),
      ([, statement = '']) => statement,
    ),
  )
  await store.close()
  const database = new DatabaseSync(join(folder, 'bluepencil.sqlite'), { readOnly: true })
  const answers = questions.map((one) =>
    database
      .prepare(one)
      .all()
      .map((row) => ({ ...row })),
  )
  database.close()
  const received = '2026-11-21 13:05:00'
  expect(answers).toEqual([
    ['b', 'a'].map((id) => ({ received, id, model: 'claude', category: 'political', delta: 12 })),
    [{ received, id: 'a', channel: 'mail', reason: 'rejected' }],
    [
      { channel: 'desk', state: 'sent', count: 2 },
      { channel: 'mail', state: 'failed', count: 1 },
      { channel: 'mail', state: 'sent', count: 1 },
    ],
  ])
})
