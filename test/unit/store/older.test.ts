import { cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { contentOf } from '../../../src/event/content.ts'
import { event, start, waiting } from '../../contract/store.ts'
import { alert } from '../../support/fakes/events.ts'
import { openStore, temporaryFolder } from './folder.ts'

/** As version 1 wrote it: e0 to e4 sealed, e5 to e7 in a journal. e5 was stored before there was polling. */
const recorded = fileURLToPath(new URL('version-1', import.meta.url))

function said(id: string, delta: string) {
  const text = `{"data":{"delta":"${delta}"},"id":"${id}"}`
  return alert({
    id,
    body: { encoding: 'utf8', text },
    content: contentOf(Buffer.from(text), JSON.parse(text)),
  })
}

test('a folder of version 1 is read whole and carried on in version 2', async () => {
  const folder = join(await temporaryFolder(), 'data')
  await cp(recorded, folder, { recursive: true })
  const { store, troubles } = await openStore(folder)
  expect((await store.list({ limit: 9 })).map(({ seq, entry }) => `${seq}${entry.id}`)).toEqual([
    '8e7',
    '7e6',
    '6e5',
    '5e4',
    '4e3',
    '3e2',
    '2e1',
    '1e0',
  ])
  expect(await store.find('e5')).toMatchObject({ entry: { figures: null, sameAs: null } })
  expect(await store.find('e6')).toMatchObject({ outcomes: { desk: { receipt: 'r66' } } })
  expect(await store.backlog()).toMatchObject([{ channel: 'desk', waiting: 1 }])
  expect(await store.readState('subscription')).toEqual({ id: 'wh_1' })
  await store.close()

  const again = await openStore(folder)
  const repeats = ['e1', 'e6'].flatMap((id) => [said(id, '+12.0pp'), said(id, '+92.0pp')])
  expect(await again.store.accept(repeats.map((entry) => ({ entry, outcomes: {} })))).toEqual([
    'duplicate',
    'changed',
    'duplicate',
    'changed',
  ])
  expect(await again.store.accept([{ entry: said('e8', '+1.0pp'), outcomes: {} }])).toEqual(['new'])
  expect(await again.store.list({ limit: 99 })).toHaveLength(9)
  expect([...troubles, ...again.troubles]).toEqual([])
  for (const name of await readdir(join(folder, 'segments'))) {
    expect(await readFile(join(folder, 'segments', name), 'utf8')).toMatch(
      /^\{"sum":"[0-9a-f]{16}",.*"version":2/,
    )
  }
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
  const owed = await again.lease('desk', { now: start, limit: 3, leaseMs: 1 })
  expect(owed.map(({ uncertain }) => uncertain)).toEqual([false, false, true])
  await again.close()
})
