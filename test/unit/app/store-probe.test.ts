import { expect, test } from 'vitest'
import { createStoreProbe } from '../../../src/app/store-probe.ts'
import { StoreUnavailable } from '../../../src/store/store.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'

/** A disk whose writes end when the test says so. */
function slowDisk() {
  const writes: PromiseWithResolvers<void>[] = []
  const clock = createManualClock(Date.parse('2026-11-21T13:00:00Z'))
  const probe = async () => {
    const write = Promise.withResolvers<void>()
    writes.push(write)
    await write.promise
  }
  const ask = createStoreProbe({ probe }, clock).now
  return {
    clock,
    writes,
    /** What somebody is answered who waits for a while. */
    async answer(): Promise<string> {
      const answer = ask().then(
        () => 'ok',
        (error: unknown) => String(error),
      )
      await clock.advance(200)
      return await Promise.race([answer, Promise.resolve('nothing')])
    },
  }
}

test('the first answer is that of the disk, and counts for a second', async () => {
  const { clock, writes, answer } = slowDisk()
  expect(await answer()).toBe('nothing')
  writes[0]?.resolve()
  expect(await answer()).toBe('ok')
  expect(writes).toHaveLength(1)
  await clock.advance(1_000)
  await answer()
  expect(writes).toHaveLength(2)
})

test('while a write is slow the last one counts, no other is begun, and after ten seconds the store is unavailable', async () => {
  const { clock, writes, answer } = slowDisk()
  await answer()
  writes[0]?.resolve()
  await clock.advance(1_000)
  expect([await answer(), await answer()]).toEqual(['ok', 'ok'])
  await clock.advance(5_000)
  expect(await answer()).toBe('ok')
  await clock.advance(5_000)
  expect(await answer()).toBe('StoreUnavailable: a write has been running for 11 s')
  expect(writes).toHaveLength(2)
  writes[1]?.resolve()
  expect(await answer()).toBe('ok')
})

test('a write that fails is reported until one does not', async () => {
  const { clock, writes, answer } = slowDisk()
  await answer()
  writes[0]?.reject(new StoreUnavailable('the disk is full'))
  expect(await answer()).toContain('the disk is full')
  await clock.advance(1_000)
  expect(await answer()).toContain('the disk is full')
  writes[1]?.resolve()
  expect(await answer()).toBe('ok')
})
