import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkedBytes } from '../../../src/store/lowdb/checked.ts'
import type { Decided } from '../../../src/store/store.ts'
import { event, sent, start } from '../../contract/store.ts'
import { alert } from '../../support/fakes/events.ts'
import { openStore, temporaryFolder } from '../../unit/store/folder.ts'

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

test('an event is found without those that lie with it, also where others before it name it', async () => {
  const folder = await temporaryFolder()
  const { store } = await openStore(folder)
  await store.accept([correction('a~2', 'a')])
  await store.accept(['a', 'quo"te', 'x', 'y'].map((id) => event(id, { desk: sent() })))
  await store.accept([event('next', { desk: sent() })])
  await store.close()
  const again = await openStore(folder)
  for (const id of ['a', 'a', 'quo"te', 'a']) {
    expect(await again.store.find(id)).toMatchObject({ entry: { id }, outcomes: { desk: { state: 'sent' } } })
  }
  expect(await again.store.find('a~2')).toMatchObject({ entry: { id: 'a~2' } })
  expect(await again.store.find('nothing')).toBeUndefined()
})

test('an event whose line is damaged is found as before: the file is mended, and that is reported', async () => {
  const folder = await filled()
  const file = join(folder, 'segments', '000001.json')
  const bytes = await readFile(file)
  const at = bytes.indexOf('"id":"c"') + 6
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(file, bytes)
  const { store, troubles } = await openStore(folder, later)
  expect(await store.find('b')).toMatchObject({ entry: { id: 'b' } })
  expect(troubles).toEqual([])
  expect(await store.find('c')).toMatchObject({ entry: { id: 'c' } })
  expect(troubles).toEqual([expect.stringContaining('000001.json had a wrong bit and was mended')])
})

test('an event that was found alone is shown with what became of it since', async () => {
  const folder = await filled()
  const { store } = await openStore(folder, later)
  expect(await store.find('b')).toMatchObject({ outcomes: { desk: { state: 'sent', attempts: 1 } } })
  await store.settle('b', 'desk', sent('again'))
  expect(await store.find('b')).toMatchObject({ outcomes: { desk: { receipt: { text: 'again' } } } })
  expect((await store.find('c'))?.seq).toBe(3)
})
