import { expect, test } from 'vitest'
import { openLowdbStore } from '../../src/store/lowdb/open.ts'
import { describeStore, event, start } from '../contract/store.ts'
import { createMemoryDisk, type MemoryDisk } from '../fakes/memory-disk.ts'

const folder = '/data'

describeStore('lowdb store on a disk in memory that loses its power', async ({ now }) => {
  const machine = createMemoryDisk({ now })
  const open = (on: MemoryDisk) =>
    openLowdbStore(folder, {
      now,
      segmentSize: 5,
      disk: on.mount().disk,
      onTrouble(sentence) {
        throw new Error(sentence)
      },
    })
  return {
    open: () => open(machine),
    async openAfterCrash() {
      const copy = machine.copy()
      copy.losePower()
      return open(copy)
    },
  }
})

test('a store on a disk in memory touches no other, and keeps a second process out until the first is killed', async () => {
  const machine = createMemoryDisk()
  const options = { now: () => start, onTrouble: () => undefined }
  const first = machine.mount()
  const store = await openLowdbStore('/nowhere/at/all', { ...options, disk: first.disk })
  await store.accept([event('a')])
  const second = machine.mount().disk
  await expect(openLowdbStore('/nowhere/at/all', { ...options, disk: second })).rejects.toThrow(
    'another Bluepencil is using /nowhere/at/all',
  )
  first.kill()
  const next = await openLowdbStore('/nowhere/at/all', { ...options, disk: second })
  expect(await next.accept([event('a'), event('b')])).toEqual(['duplicate', 'new'])
})
