import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkedBytes } from '../../../src/store/lowdb/checked.ts'
import type { Decided } from '../../../src/store/store.ts'
import { event, sent, start } from '../../contract/store.ts'
import { alert } from '../../support/fakes/events.ts'
import { openStore, temporaryFolder } from './folder.ts'

const said = {
  id: 'a',
  by: 'service',
  type: null,
  model: null,
  category: null,
  delta: 12,
  detectedAt: null,
} as const

function correction(id: string, revises: string): Decided {
  return { entry: alert({ id, revises, before: said }), outcomes: { desk: sent() } }
}

/** A store whose first alert was corrected in the next segment, long before the newest thousand. */
async function filled(): Promise<string> {
  const folder = await temporaryFolder()
  const { store } = await openStore(folder)
  const of = (ids: string[]) => ids.map((id) => event(id, { desk: sent() }))
  await store.accept(of(['a', 'b', 'c', 'd', 'e']))
  await store.accept([correction('a~2', 'a'), ...of(['f', 'g', 'h', 'i'])])
  await store.accept(of(Array.from({ length: 1_000 }, (_, index) => `e${index}`)))
  await store.close()
  return folder
}

/** Weeks later: of the neighbours only the newest are read. */
const later = { now: () => start + 60 * 86_400_000 }

test('that an alert was corrected is known from the ids of sealed segments, without reading those', async () => {
  const folder = await filled()
  const { store, troubles } = await openStore(folder, later)
  expect(await store.later('a')).toMatchObject({ revision: { id: 'a~2' }, followers: [{ id: 'a~2' }] })
  expect(await store.later('b')).toEqual({})
  expect(troubles).toEqual([])
})

test('files of ids that do not say what is about what are made again', async () => {
  const folder = await filled()
  const file = join(folder, 'segments', '000002.ids')
  const { sum: _, about, ...rest } = JSON.parse(await readFile(file, 'utf8'))
  expect(about).toEqual([['a~2', 'a']])
  await writeFile(file, checkedBytes([JSON.stringify(rest).slice(1)]))
  const { store, troubles } = await openStore(folder, later)
  expect(await store.later('a')).toMatchObject({ revision: { id: 'a~2' } })
  expect(JSON.parse(await readFile(file, 'utf8')).about).toEqual([['a~2', 'a']])
  expect(troubles).toEqual([])
})

test('a correction whose file is lost is not known, and the alert is served', async () => {
  const folder = await filled()
  await writeFile(join(folder, 'segments', '000002.json'), 'nothing of it reads')
  const { store, troubles } = await openStore(folder, later)
  expect(await store.later('a')).toEqual({})
  expect(await store.find('a')).toMatchObject({ entry: { id: 'a' } })
  expect(troubles).toHaveLength(1)
})
