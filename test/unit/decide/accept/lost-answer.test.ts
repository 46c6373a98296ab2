import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../../../src/store/store.ts'
import { alert } from '../../../support/fakes/events.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'
import { openDesk } from './desk.ts'

test('what was stored without an answer is reported as new when it comes again, once', async () => {
  const clock = createManualClock(Date.parse('2026-11-21T13:10:00Z'))
  const store = createMemoryBacking(clock).open()
  let isLost = true
  const desk = await openDesk({
    clock,
    store: {
      ...store,
      async accept(entries) {
        const verdicts = await store.accept(entries)
        if (isLost) throw new StoreUnavailable('the answer is lost', { mayBeStored: true })
        return verdicts
      },
    },
  })
  await expect(desk.take(alert())).rejects.toThrow('the answer is lost')
  expect(desk.accepted).toEqual([])
  isLost = false
  await desk.take(alert())
  await desk.take(alert())
  expect(desk.accepted).toEqual(['evt_1'])
  await desk.stop()
})
