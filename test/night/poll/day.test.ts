import { expect, test } from 'vitest'
import { dayMs, openDesk } from '../../system/poll/desk.ts'

test.each([
  ['compare serves', false],
  ['compare is absent', true],
])('a day on the free tier never exceeds it, and changes are found: %s', async (_, withoutCompare) => {
  const desk = await openDesk({ withoutCompare })
  const poller = desk.startPoller()
  await desk.pass(poller, dayMs / 2)
  desk.sandbox.fire({ model: 'gemini', category: 'safety', delta: 30 })
  await desk.pass(poller, dayMs / 2)
  expect(desk.taken).toMatchObject([{ model: 'gemini', category: 'safety' }])
  // A quarter of the hundred is kept for people.
  expect((await desk.requests()).mostInAnHour['sandbox-free']).toBeLessThanOrEqual(75)
  expect(desk.errors).toEqual([])
})
