import { expect, test } from 'vitest'
import { after, within } from '../../../src/platform/clock.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'

test('what is to be done after a while is done then, unless it is called off before', async () => {
  const clock = createManualClock(0)
  const done: string[] = []
  after(clock, 1_000, () => void done.push('left alone'))
  const callOff = after(clock, 1_000, () => void done.push('called off'))
  await clock.advance(999)
  expect(done).toEqual([])
  callOff()
  await clock.advance(1)
  expect(done).toEqual(['left alone'])
  callOff()
  expect(clock.sleeping()).toBe(0)
})

test('a promise is waited for until it is settled or the time is up, and no timer stays', async () => {
  const clock = createManualClock(0)
  await within(clock, 1_000, Promise.resolve())
  await expect(within(clock, 1_000, Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(clock.sleeping()).toBe(0)

  let isOver = false
  const waited = within(clock, 1_000, new Promise(() => undefined)).then(() => {
    isOver = true
  })
  await clock.advance(999)
  expect(isOver).toBe(false)
  await clock.advance(1)
  await waited
})
