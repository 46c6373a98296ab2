import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Disk } from '../../../src/store/lowdb/disk.ts'
import { event, sent, start, waiting } from '../../contract/store.ts'
import { createMemoryDisk, type MemoryDisk } from '../../support/fakes/memory-disk.ts'
import { faultyDisk, gate } from '../../unit/store/faulty-disk.ts'
import { openStore } from '../../unit/store/folder.ts'

const folder = '/data'
const file = `${folder}/segments/000001.json`

const openOn = (disk: Disk) => openStore(folder, { segmentSize: 1, now: () => start + 9, disk })

/** Event `a` in a sealed file of its own, in which one bit is wrong. */
async function damagedMachine(): Promise<MemoryDisk> {
  const machine = createMemoryDisk()
  const { store } = await openStore(folder, { segmentSize: 1, disk: machine.mount().disk })
  await store.accept([event('a', { desk: sent() })])
  await store.accept([event('b', { desk: sent() })])
  await store.close()
  const text = String(machine.files().get(file))
  machine.put(file, Buffer.from(text.replace('claude', 'claudd')))
  return machine
}

/** A store whose first writing of the damaged file anew is held up. */
async function heldStore() {
  const machine = await damagedMachine()
  const writing = gate()
  const { disk } = faultyDisk(async (step, path) => {
    if (step === 'create' && path.startsWith(file)) await writing.pass()
  }, machine.mount().disk)
  return { machine, writing, ...(await openOn(disk)) }
}

/** Everything that waits for nothing but this disk is done. */
async function quiet(): Promise<void> {
  for (let turns = 0; turns < 100; turns++) await turn()
}

const segmentFiles = (machine: MemoryDisk) =>
  [...machine.files().keys()].filter((path) => path.startsWith(file)).map((path) => path.slice(file.length))

describe('a damaged sealed file that is read', () => {
  it('is not written over what was settled meanwhile', async () => {
    const { machine, writing, store } = await heldStore()
    const reading = store.find('a')
    await writing.reached
    const settling = store.settle('a', 'desk', waiting()).then(() => store.settle('a', 'desk', sent('again')))
    await quiet()
    writing.open()
    await Promise.all([reading, settling])
    await store.close()
    const { store: reopened } = await openOn(machine.mount().disk)
    expect((await reopened.find('a'))?.outcomes.desk).toEqual(sent('again'))
  })

  it('does not come back when it is past retention', async () => {
    const { machine, writing, store } = await heldStore()
    const reading = store.find('a')
    await writing.reached
    const retaining = store.retain(start + 1)
    await quiet()
    writing.open()
    await Promise.all([reading, retaining])
    expect(segmentFiles(machine)).toEqual(['.damaged-1'])
  })

  it('is kept and reported once, where one of its events is changed at the same time', async () => {
    const machine = await damagedMachine()
    const { store, troubles } = await openOn(machine.mount().disk)
    await Promise.all([store.find('a'), store.settle('a', 'desk', waiting())])
    expect(segmentFiles(machine).filter((suffix) => suffix !== '')).toEqual(['.damaged-1'])
    expect(troubles).toEqual([
      'segments/000001.json had a wrong bit and was mended; nothing is lost, and the file as it was is kept as segments/000001.json.damaged-1',
    ])
  })

  it('stays as it is where the store was closed meanwhile', async () => {
    const machine = await damagedMachine()
    const { disk } = machine.mount()
    const read = gate()
    const { store } = await openOn({
      ...disk,
      async read(path) {
        if (path === file) await read.pass()
        return disk.read(path)
      },
    })
    const reading = store.find('a')
    await read.reached
    await store.close()
    const before = machine.files()
    read.open()
    await expect(reading).rejects.toThrow('the store is closed')
    expect(machine.files()).toEqual(before)
  })
})
