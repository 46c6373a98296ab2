import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { event, sent } from '../../contract/store.ts'
import { chainAll } from '../../support/chain-all.ts'
import { codeIn, read } from '../../support/markdown.ts'
import { openStore, temporaryFolder } from '../store/folder.ts'

test('docs/store.md names each file of a store, and no other', async () => {
  const folder = await temporaryFolder()
  const { store } = await openStore(folder)
  await store.accept([event('a', { desk: sent() })])
  await store.changeState('polling', () => ({}))
  await store.probe()
  await chainAll({ store, now: Date.now })
  const files = readdirSync(folder)

  const [tree = ''] = codeIn(read('docs/store.md')).filter((code) => code.startsWith('data/'))
  const named = [...tree.matchAll(/^ +(\S+\.?\w+) {2,}/gm)].map(([, name = '']) => name)
  const ofFolder = named.filter(
    (name) =>
      !['console.sqlite', 'control.sock', 'people-budget.sqlite'].includes(name) && !name.startsWith('*'),
  )
  expect(new Set(ofFolder)).toEqual(new Set(files))
})
