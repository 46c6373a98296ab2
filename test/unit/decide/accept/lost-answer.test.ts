import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../../../src/store/store.ts'
import { alert } from '../../../support/fakes/events.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'
import { openDesk } from './desk.ts'

async function openLosing() {
  const clock = createManualClock(Date.parse('2026-11-21T13:10:00Z'))
  const store = createMemoryBacking(clock).open()
  const answers = { areLost: false }
  const desk = await openDesk({
    clock,
    store: {
      ...store,
      async accept(entries) {
        const verdicts = await store.accept(entries)
        if (answers.areLost) throw new StoreUnavailable('the answer is lost', { mayBeStored: true })
        return verdicts
      },
    },
  })
  return { desk, answers }
}

test('what was stored without an answer is reported as new when it comes again, once', async () => {
  const { desk, answers } = await openLosing()
  answers.areLost = true
  await expect(desk.take(alert())).rejects.toThrow('the answer is lost')
  expect(desk.accepted).toEqual([])
  answers.areLost = false
  await desk.take(alert())
  await desk.take(alert())
  expect(desk.accepted).toEqual(['evt_1'])
  await desk.stop()
})

test('other content that was stored without an answer does not report the first content as new again', async () => {
  const { desk, answers } = await openLosing()
  await desk.take(alert())
  answers.areLost = true
  await expect(desk.take(alert({ delta: 20 }))).rejects.toThrow('the answer is lost')
  answers.areLost = false
  await desk.take(alert({ delta: 20 }))
  expect(desk.accepted.filter((id) => id === 'evt_1')).toHaveLength(1)
  await desk.stop()
})
