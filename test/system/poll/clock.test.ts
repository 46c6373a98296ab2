import { expect, test } from 'vitest'
import { hourMs, minuteMs, openDesk } from './desk.ts'

test.each([-20, 20])('a clock that is set by %s hours stops no poll, and repeats no alert', async (hours) => {
  const desk = await openDesk({ poll: { models: ['claude', 'gemini'] } })
  const poller = desk.startPoller()
  await desk.pass(poller, hourMs)
  desk.sandbox.fire({ model: 'gemini', category: 'political', delta: 30 })
  await desk.pass(poller, 5 * minuteMs)
  expect(desk.taken).toHaveLength(1)
  const looks = desk.looks()
  desk.clock.set(desk.clock.now() + hours * hourMs)
  await desk.pass(poller, 10 * minuteMs)
  expect(desk.looks() - looks).toBeGreaterThanOrEqual(5)
  // The service's clock is right again, and so is ours.
  desk.clock.set(desk.clock.now() - hours * hourMs)
  await desk.pass(poller, 10 * minuteMs)
  desk.sandbox.fire({ model: 'claude', category: 'political', delta: 30 })
  await desk.pass(poller, 10 * minuteMs)
  expect(desk.taken.map(({ model }) => model)).toEqual(['gemini', 'claude'])
  expect(desk.looks() - looks).toBeGreaterThanOrEqual(15)
  expect((await desk.requests()).mostInAnHour['sandbox-free']).toBeLessThanOrEqual(100)
  expect(desk.errors).toEqual([])
})

test('a clock that is set back while the service fails makes no pause longer', async () => {
  let down = false
  const desk = await openDesk({ fails: () => down, poll: { models: ['claude'] } })
  const poller = desk.startPoller()
  await desk.pass(poller, hourMs)
  down = true
  await desk.pass(poller, 10 * minuteMs)
  desk.clock.set(desk.clock.now() - 5 * hourMs)
  down = false
  const looks = desk.looks()
  await desk.pass(poller, 10 * minuteMs)
  expect(desk.looks() - looks).toBeGreaterThanOrEqual(5)
})
