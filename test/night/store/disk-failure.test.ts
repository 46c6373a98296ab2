import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { event, sent, start, waiting } from '../../contract/store.ts'
import { faultyDisk, gate, type Step, systemError } from '../../unit/store/faulty-disk.ts'
import { copyOf, openStore, temporaryFolder } from '../../unit/store/folder.ts'

async function failingStore() {
  const folder = await temporaryFolder()
  const failing = new Map<Step, string>()
  const { disk, steps } = faultyDisk((step) => {
    const code = failing.get(step)
    if (code !== undefined) throw systemError(code)
  })
  const { store, troubles } = await openStore(folder, { disk })
  return { folder, failing, store, steps, troubles }
}

async function stored(store: Store): Promise<string[]> {
  return (await store.list({ limit: 100 })).map(({ seq, entry }) => `${seq}${entry.id}`).toReversed()
}

const inCopy = async (folder: string) => stored((await openStore(await copyOf(folder))).store)

describe.each(['write', 'sync', 'open', 'syncFolder'] as const)('when %s fails', (step) => {
  it('stores nothing, says so, and stores the next event when the disk is well again', async () => {
    const { folder, failing, store, troubles } = await failingStore()
    // The first event of a journal makes its file; the others do not open it or sync its folder.
    if (step === 'write' || step === 'sync') await store.accept([event('z')])
    const before = await stored(store)
    failing.set(step, 'ENOSPC')
    await expect(store.accept([event('a'), event('b')])).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: 'the event could not be stored: the disk is full (ENOSPC)',
      cause: { code: 'ENOSPC' },
    })
    expect(await stored(store)).toEqual(before)
    expect(await store.find('a')).toBeUndefined()
    expect(await inCopy(folder)).toEqual(before)
    failing.clear()
    expect(await store.accept([event('b'), event('a')])).toEqual(['new', 'new'])
    const after = [...before, `${before.length + 1}b`, `${before.length + 2}a`]
    expect(await stored(store)).toEqual(after)
    expect(await inCopy(folder)).toEqual(after)
    expect(troubles).toEqual([])
  })
})

describe('a failing disk', () => {
  it('has nothing after a stop of what it refused, though that was written', async () => {
    const { folder, failing, store } = await failingStore()
    await store.accept([event('a', { desk: sent() })])
    // It is written and not known to be on disk, and the file cannot be opened to cut it off.
    failing.set('sync', 'EIO')
    failing.set('open', 'EIO')
    await expect(store.settle('a', 'desk', waiting())).rejects.toMatchObject({ name: 'StoreUnavailable' })
    failing.clear()
    await store.close()
    const { store: next } = await openStore(folder)
    expect((await next.find('a'))?.outcomes.desk).toEqual(sent())
  })

  it('fails everyone who asked for the same event while it was being written', async () => {
    const sync = gate()
    const { disk, steps } = faultyDisk(async (step) => {
      if (step !== 'sync' || steps.sync !== 1) return
      await sync.pass()
      throw systemError('EIO')
    })
    const { store } = await openStore(await temporaryFolder(), { disk })
    const first = store.accept([event('a'), event('a')])
    await sync.reached
    const repeat = store.accept([event('b'), event('a')])
    const other = store.accept([event('c')])
    sync.open()
    const answers = await Promise.allSettled([first, repeat, other])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(await stored(store)).toEqual(['1c'])
  })

  it('begins another segment when a journal cannot be cut back, and never shows what it did not store', async () => {
    const { folder, failing, store } = await failingStore()
    await store.accept([event('a')])
    failing.set('sync', 'EIO').set('truncate', 'EIO')
    await expect(store.accept([event('lost')])).rejects.toThrow('the disk reports an error (EIO)')
    await expect(store.settle('a', 'desk', sent())).rejects.toThrow('the outcome could not be stored')
    failing.delete('sync')
    expect(await store.accept([event('b'), event('c')])).toEqual(['new', 'new'])
    expect(await stored(store)).toEqual(['1a', '2b', '3c'])

    expect(await readFile(join(folder, 'segments', '000001.journal'), 'utf8')).toContain('"lost"')
    const copy = await copyOf(folder)
    const reopened = await openStore(copy)
    expect(await stored(reopened.store)).toEqual(['1a', '2b', '3c'])
    expect(reopened.troubles).toEqual([
      '1 event of segments/000001.journal had not been stored when the disk failed, and the file as it was is kept as segments/000001.journal.damaged-1; the sender was asked to send again',
    ])
    await reopened.store.close()
    expect((await openStore(copy)).troubles).toEqual([])

    failing.clear()
    expect(await store.settle('a', 'desk', sent('r'))).toBe(true)
    expect((await store.find('a'))?.outcomes.desk).toEqual(sent('r'))
  })

  it('leaves a notification owed and leased when its settlement cannot be stored', async () => {
    const { folder, failing, store } = await failingStore()
    await store.accept([event('a')])
    const when = { now: start, limit: 1, leaseMs: 1000 }
    await store.lease('desk', when)
    failing.set('write', 'ENOSPC')
    await expect(store.settle('a', 'desk', sent())).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: 'the outcome could not be stored: the disk is full (ENOSPC)',
    })
    expect(await store.lease('desk', when)).toEqual([])
    const begun = new Date(start).toISOString()
    expect((await store.find('a'))?.outcomes.desk).toEqual(waiting({ begun }))
    failing.clear()
    expect(await store.settle('a', 'desk', sent())).toBe(true)
    expect(await store.backlog()).toEqual([])
    const reopened = await openStore(await copyOf(folder))
    expect(await reopened.store.backlog()).toEqual([])
  })

  it('gives out no notification of which it cannot be stored that a try begins, and gives it out afterwards', async () => {
    const { folder, failing, store } = await failingStore()
    await store.accept([event('a'), event('b')])
    const when = { now: start, limit: 1, leaseMs: 60_000 }
    failing.set('write', 'ENOSPC')
    await expect(store.lease('desk', when)).rejects.toMatchObject({ name: 'StoreUnavailable' })
    expect((await store.find('a'))?.outcomes.desk).toEqual(waiting())
    expect(await store.nextDue('desk')).toBe(start)
    failing.clear()
    expect(await store.lease('desk', when)).toMatchObject([{ eventId: 'a', uncertain: false }])
    const reopened = await openStore(await copyOf(folder))
    expect(await reopened.store.lease('desk', { ...when, limit: 2 })).toMatchObject([
      { eventId: 'a', uncertain: true },
      { eventId: 'b', uncertain: false },
    ])
  })

  it.each(['create', 'rename', 'remove'] as const)(
    'keeps a segment in its journal while it cannot be sealed (%s)',
    async (step) => {
      const { folder, failing, store, steps } = await failingStore()
      failing.set(step, 'ENOSPC')
      for (let n = 0; n < 6; n++) await store.accept([event(`e${n}`, { desk: sent() })])
      await expect.poll(() => steps[step]).toBeGreaterThan(0)
      expect(await stored(store)).toHaveLength(6)
      expect(await inCopy(folder)).toHaveLength(6)
      failing.clear()
      await store.settle('e1', 'desk', waiting())
      await store.settle('e1', 'desk', sent('again'))
      await expect
        .poll(() =>
          stat(join(folder, 'segments', '000001.json')).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true)
      expect((await store.find('e1'))?.outcomes.desk).toEqual(sent('again'))
      expect(await inCopy(folder)).toHaveLength(6)
    },
  )

  it('is told of once when it cannot seal', async () => {
    const { failing, store, steps, troubles } = await failingStore()
    failing.set('create', 'EACCES')
    for (let n = 0; n < 6; n++) await store.accept([event(`e${n}`, {})])
    await expect.poll(() => steps.create).toBeGreaterThan(0)
    await store.retain(0)
    expect(troubles).toEqual([
      'segments/000001.json could not be written (this user may not write there (EACCES)); its events are safe in segments/000001.journal, and it is tried again',
    ])
    failing.clear()
    await store.retain(0)
    expect(await stored(store)).toHaveLength(6)
  })

  it('keeps the state as it was', async () => {
    const { folder, failing, store } = await failingStore()
    await store.changeState('subscription', () => 'old')
    failing.set('create', 'ENOSPC')
    await expect(store.changeState('subscription', () => 'new')).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: 'the state could not be stored: the disk is full (ENOSPC)',
    })
    expect(await store.readState('subscription')).toBe('old')
    failing.clear()
    await store.changeState('signatures', () => 1)
    const reopened = await openStore(await copyOf(folder))
    expect(await reopened.store.readState('subscription')).toBe('old')
  })

  it('is noticed by the probe', async () => {
    const { failing, store } = await failingStore()
    failing.set('sync', 'EIO')
    await expect(store.probe()).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: 'an event could not be stored now: the disk reports an error (EIO)',
    })
    failing.clear()
    await expect(store.probe()).resolves.toBeUndefined()
  })

  it('says that old events could not be dropped', async () => {
    const { failing, store } = await failingStore()
    await store.accept([event('a', {})])
    failing.set('remove', 'EIO')
    await expect(store.retain(start + 1)).rejects.toMatchObject({ name: 'StoreUnavailable' })
  })
})
