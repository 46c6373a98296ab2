import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { event, start, waiting } from '../contract/store.ts'
import { openStore, temporaryFolder } from './folder.ts'

/** What events have since there is polling. */
const since = /,"figures":null,"sameAs":null/

test('events that were stored before there was polling are read, without figures and without another', async () => {
  const folder = await temporaryFolder()
  const { store } = await openStore(folder)
  await store.accept([event('evt_1')])
  await store.close()
  const segments = join(folder, 'segments')
  for (const name of await readdir(segments)) {
    const path = join(segments, name)
    const text = await readFile(path, 'utf8')
    expect(text).toMatch(since)
    await writeFile(path, text.replace(since, ''))
  }
  const { store: again, troubles } = await openStore(folder)
  expect(await again.find('evt_1')).toMatchObject({ seq: 1, entry: { figures: null, sameAs: null } })
  expect(troubles).toEqual([])
  await again.close()
})

test('what waited before a try was written down when it began is uncertain where its last try was, and not otherwise', async () => {
  const folder = await temporaryFolder()
  const { store } = await openStore(folder)
  await store.accept([
    event('evt_1', { desk: waiting() }),
    event('evt_2', { desk: waiting({ attempts: 3 }) }),
    event('evt_3', { desk: waiting({ attempts: 3, uncertain: true }) }),
  ])
  await store.close()
  const { store: again } = await openStore(folder)
  const owed = await again.take('desk', { now: start, limit: 3, leaseMs: 1 })
  expect(owed.map(({ uncertain }) => uncertain)).toEqual([false, false, true])
  await again.close()
})
