import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { release } from '../../../src/digest/release.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import { event, sent, start } from '../../contract/store.ts'
import { createMemoryDisk } from '../../support/fakes/memory-disk.ts'
import { faultyDisk, gate } from './faulty-disk.ts'
import { openStore } from './folder.ts'

const folder = '/data'
const until = '2026-12-24T07:00:00.000Z'
const held: Outcome = { state: 'held', until, by: 'quiet', why: 'quiet hours' }

describe('what is held in a file', () => {
  it('is held no longer where its event is lost, though the others of the file are there', async () => {
    const machine = createMemoryDisk()
    const { store } = await openStore(folder, { segmentSize: 2, disk: machine.mount().disk })
    await store.accept([event('a', { desk: held }), event('b', { desk: held })])
    await store.accept([event('c')])
    await store.close()
    const file = `${folder}/segments/000001.json`
    const lines = String(machine.files().get(file)).split('\n')
    const damaged = lines.map((line) => (line.includes('"id":"a"') ? line.replaceAll('e', '#') : line))
    machine.put(file, Buffer.from(damaged.join('\n')))

    const { store: next, troubles } = await openStore(folder, { segmentSize: 2, disk: machine.mount().disk })
    expect(await next.held()).toHaveLength(2)
    expect(await next.find('a')).toBeUndefined()
    expect(troubles).toEqual([
      expect.stringContaining('1 notification that was held for a later hour will not be sent'),
    ])
    expect((await next.held()).map(({ eventId }) => eventId)).toEqual(['b'])
  })
})

describe('retention', () => {
  /** A store whose next writing of what it remembers of itself is held up. */
  async function slowStore(segmentSize: number) {
    const machine = createMemoryDisk()
    const writing = gate()
    let isSlow = false
    const { disk } = faultyDisk(async (step, path) => {
      if (isSlow && step === 'create' && path.includes('state.json')) await writing.pass()
    }, machine.mount().disk)
    const { store } = await openStore(folder, { segmentSize, now: () => start + 9, disk })
    await store.accept([event('a', { desk: sent() })])
    await store.accept([event('b', { desk: sent() })])
    return {
      store,
      writing,
      retain() {
        isSlow = true
        return store.retain(start + 10)
      },
    }
  }

  it.each([
    ['a sealed file', 1, 1],
    ['a journal', 5, 0],
  ])('keeps %s of which something is held since it looked', async (_, segmentSize, dropped) => {
    const { store, writing, retain } = await slowStore(segmentSize)
    const retaining = retain()
    await writing.reached
    const altering = store.alter('a', 'desk', () => held)
    for (let turns = 0; turns < 100; turns++) await turn()
    writing.open()
    expect([await retaining, await altering]).toEqual([dropped, true])
    expect((await store.find('a'))?.outcomes.desk).toEqual(held)
    expect(await store.held()).toMatchObject([{ eventId: 'a', channel: 'desk' }])
  })
})

describe('many that are held', () => {
  it('go out as one digest with a few writings of each file, however many they are', async () => {
    const written = new Map<string, number>()
    const { disk } = faultyDisk(async (step, path) => {
      const [file] = /\d+\.json/.exec(path) ?? []
      if (step === 'create' && file !== undefined) written.set(file, (written.get(file) ?? 0) + 1)
    }, createMemoryDisk().mount().disk)
    const { store } = await openStore(folder, { segmentSize: 250, disk })
    const ids = Array.from({ length: 2_000 }, (_, index) => `evt_${index}`)
    for (let from = 0; from < ids.length; from += 250) {
      await store.accept(ids.slice(from, from + 250).map((id) => event(id, { desk: held })))
    }
    let digests = 0
    const rows = await store.held()
    expect(rows).toHaveLength(ids.length)
    await release(rows, {
      store,
      clock: { now: () => start },
      silence: () => undefined,
      stillHeld: () => undefined,
      async take(digest) {
        digests += 1
        const [verdict] = await store.accept([{ entry: digest, outcomes: {} }])
        return verdict === 'new' ? 'new' : 'duplicate'
      },
      wake: () => {},
    })
    expect(digests).toBe(1)
    expect(await store.held()).toEqual([])
    for (const id of ids) expect((await store.find(id))?.outcomes.desk).toMatchObject({ state: 'told' })
    await store.close()
    expect(written.size).toBeGreaterThanOrEqual(7)
    expect(Math.max(...written.values())).toBeLessThanOrEqual(3)
  })
})
