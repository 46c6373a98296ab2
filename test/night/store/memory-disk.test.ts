import { expect, test } from 'vitest'
import type { Disk } from '../../../src/store/lowdb/disk.ts'
import { openLowdbStore } from '../../../src/store/lowdb/open.ts'
import { describeStore, event, start } from '../../contract/store.ts'
import { createMemoryDisk, type MemoryDisk } from '../../support/fakes/memory-disk.ts'

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

test('what a killed process had begun to write takes nothing with it when the power fails', async () => {
  for (let round = 0; round < 80; round++) {
    const [steps, isFirst] = [round % 40, round >= 40]
    const machine = createMemoryDisk()
    const openOn = (disk: Disk) => openLowdbStore(folder, { now: () => start, onTrouble: () => {}, disk })
    const first = machine.mount()
    const before = await openOn(first.disk)
    if (!isFirst) await before.accept([event('a')])
    void before.accept([event('b')]).catch(() => undefined)
    for (let step = 0; step < steps; step++) await Promise.resolve()
    first.kill()

    const second = await openOn(machine.mount().disk)
    await second.accept([event('c')])
    machine.losePower()

    const third = await openOn(machine.mount().disk)
    const [a, c] = await third.accept([event('a'), event('c')])
    expect([a, c]).toEqual([isFirst ? 'new' : 'duplicate', 'duplicate'])
  }
})

test('the copy of a damaged file is there when the power fails after the file was written anew', async () => {
  const machine = createMemoryDisk()
  const openOn = (disk: Disk) => openLowdbStore(folder, { now: () => start, onTrouble: () => {}, disk })
  const first = await openOn(machine.mount().disk)
  await first.accept([event('a')])
  await first.close()
  const file = `${folder}/segments/000001.journal`
  const damaged = Buffer.from(String(machine.files().get(file)).replace('claude', 'claudd'))
  machine.put(file, damaged)
  await openOn(machine.mount().disk)
  machine.losePower()
  expect(machine.files().get(`${file}.damaged-1`)).toEqual(damaged)
})
