import { expect, test } from 'vitest'
import { realDisk } from '../../../src/store/lowdb/disk.ts'
import { createNearIndex, mostNear } from '../../../src/store/near.ts'
import type { Store } from '../../../src/store/store.ts'
import { event, sent, waiting } from '../../contract/store.ts'
import { alert } from '../../support/fakes/events.ts'
import { faultyDisk, systemError } from '../../unit/store/faulty-disk.ts'
import { openStore, temporaryFolder } from '../../unit/store/folder.ts'

/** Accepts an alert, and answers which its neighbours were and how they stood on `desk`. */
async function seenBy(store: Store, id: string): Promise<string[]> {
  let seen: string[] = []
  const entry = alert({ id })
  await store.accept([
    {
      entry,
      decide(near) {
        seen = near
          .of('claude', 'service')
          .map(({ entry: { id }, outcomes }) => `${id} ${outcomes.desk?.state}`)
        return { entry, outcomes: { desk: waiting() } }
      },
    },
  ])
  return seen
}

test('what could not be written down is no neighbour, and what could not be settled stands as it was', async () => {
  let fails = false
  const { disk } = faultyDisk((step) => {
    if (fails && step === 'write') throw systemError('ENOSPC')
  })
  const { store } = await openStore(await temporaryFolder(), { disk })
  await seenBy(store, 'a')
  fails = true
  const failed = await Promise.allSettled([
    store.settle('a', 'desk', waiting({ attempts: 1 })),
    store.settle('a', 'desk', sent()),
    seenBy(store, 'b'),
  ])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  fails = false
  expect(await seenBy(store, 'c')).toEqual(['a waiting'])
})

test('what is settled while the last days are read is known', async () => {
  const folder = await temporaryFolder()
  const before = await openStore(folder)
  for (let n = 0; n < 7; n++) await before.store.accept([event(`e${n}`)])
  await before.store.close()
  const { store } = await openStore(folder)
  const settled = ['e6', 'e0', 'e3'].map((id) => store.settle(id, 'desk', sent()))
  await seenBy(store, 'new')
  await Promise.all(settled)
  const seen = await seenBy(store, 'newer')
  expect(seen.filter((one) => one.endsWith(' sent'))).toEqual(['e0 sent', 'e3 sent', 'e6 sent'])
})

test('where the last days cannot be read, that is reported, and events are accepted', async () => {
  const folder = await temporaryFolder()
  const before = await openStore(folder)
  for (let n = 0; n < 7; n++) await before.store.accept([event(`e${n}`, {})])
  await before.store.close()
  const { store, troubles } = await openStore(folder, {
    disk: {
      ...realDisk,
      async read(path) {
        if (path.endsWith('000001.json')) throw systemError('EIO')
        return realDisk.read(path)
      },
    },
  })
  expect(await seenBy(store, 'new')).toEqual([])
  expect(troubles).toEqual([
    'what was sent in the last days could not be read (segments/000001.json could not be read: the disk reports an error (EIO)); a change that comes by both ways may be sent twice',
  ])
})

test('so many neighbours are kept of each way, the newest', () => {
  const index = createNearIndex()
  for (let seq = 1; seq <= mostNear + 600; seq++) {
    index.add({ seq, entry: alert({ id: `evt_${seq}` }), outcomes: {} })
  }
  index.add({ seq: 1, entry: alert({ id: 'poll_1', source: 'poll', found: true }), outcomes: {} })
  const kept = index.of('claude', 'service')
  expect(kept.length).toBeGreaterThanOrEqual(mostNear)
  expect(kept.length).toBeLessThan(mostNear + 500)
  expect(kept.at(-1)?.seq).toBe(mostNear + 600)
  expect(index.find('evt_1')).toBeUndefined()
  expect(index.of('claude', 'figures')).toHaveLength(1)
})
