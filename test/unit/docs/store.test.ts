import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { event, sent, waiting } from '../../contract/store.ts'
import { chainAll } from '../../support/chain-all.ts'
import { codeIn, read } from '../../support/markdown.ts'
import { openStore, temporaryFolder } from '../store/folder.ts'

test('docs/store.md names each file of a store, and no other', async () => {
  const folder = await temporaryFolder()
  const { store } = await openStore(folder, { segmentSize: 1 })
  await store.accept([event('sealed', { desk: sent() })])
  await store.accept([event('open', { desk: waiting() })])
  await store.changeState('polling', () => ({}))
  await store.probe()
  await chainAll({ store, now: Date.now })
  await store.close()
  const there = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = there.filter((one) => one.isFile()).map(({ name }) => name.replace(/^\d+/, 'N'))

  const [tree = ''] = codeIn(read('docs/store.md')).filter((code) => code.startsWith('data/'))
  const named = [...tree.matchAll(/^ +(\S+\.?\w+) {2,}/gm)].map(([, name = '']) => name)
  const ofFolder = named.filter(
    (name) =>
      !['console.sqlite', 'control.sock', 'people-budget.sqlite'].includes(name) && !name.startsWith('*'),
  )
  expect(new Set(ofFolder.map((name) => name.replace(/^\d+/, 'N')))).toEqual(new Set(files))
})
