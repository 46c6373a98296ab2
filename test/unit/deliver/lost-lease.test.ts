import { expect, test } from 'vitest'
import type { SendResult } from '../../../src/channels/channel.ts'
import { alert } from '../../support/fakes/events.ts'
import { openDesk } from '../decide/accept/desk.ts'

const minute = 60_000
const ok: SendResult = { result: 'sent', receipt: { text: 'r' } }
const down: SendResult = { result: 'retry', why: 'it answered 503', uncertain: false }

test('what a person asks for during a try that lasts is not overwritten when the try ends', async () => {
  const first = Promise.withResolvers<SendResult>()
  const answers: (SendResult | Promise<SendResult>)[] = [first.promise, ok]
  const desk = await openDesk({ sends: () => answers.shift() ?? ok })
  await desk.take(alert())
  const replayed = desk.pipeline.replay('evt_1', 'desk')
  await desk.clock.advance(10_000)
  expect(await replayed).toBe('pending')
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'waiting', why: 'sent again on request' })
  first.resolve({ result: 'permanent', why: 'too long' })
  await desk.quiet()
  expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1', expect.stringMatching(/^evt_1-again-/)])
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', attempts: 1 })
})

test('what a person asks for during a try that fails is sent when that has ended, without a rest', async () => {
  const first = Promise.withResolvers<SendResult>()
  const answers: (SendResult | Promise<SendResult>)[] = [first.promise]
  const desk = await openDesk({ sends: () => answers.shift() ?? ok })
  await desk.take(alert())
  const replayed = desk.pipeline.replay('evt_1', 'desk')
  first.resolve({ ...down, afterMs: 60 * minute })
  await desk.quiet()
  await replayed
  await desk.quiet()
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent' })
})

test('what a person asked for is not written over with what the queue remembers, when another gets through', async () => {
  let isDown = true
  const desk = await openDesk({ sends: ({ id }) => (isDown || /^evt_[12]$/.test(id) ? down : ok) })
  for (const [n, model] of ['claude', 'gemini', 'gpt'].entries()) {
    await desk.take(alert({ id: `evt_${n + 1}`, model }))
  }
  await desk.clock.advance(20 * minute)
  const waits = await desk.outcome('evt_1')
  expect(waits).toMatchObject({ state: 'waiting', why: 'it answered 503' })
  // Asked for by another process, so that this queue is not woken.
  const againAt = new Date(desk.clock.now()).toISOString()
  const dueAt = new Date(desk.clock.now() + 60 * minute).toISOString()
  await desk.store.settle('evt_1', 'desk', {
    state: 'waiting',
    dueAt,
    why: 'sent again on request',
    attempts: 0,
    againAt,
  })
  isDown = false
  await desk.clock.advance(90 * minute)
  expect(desk.sent.map(({ id }) => id)).toContain(`evt_1-again-${Date.parse(againAt).toString(36)}`)
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', attempts: 1 })
})

test('an edit that ends after a person asked for the message again changes nothing', async () => {
  const editing = Promise.withResolvers<SendResult>()
  const desk = await openDesk({ edits: () => editing.promise })
  await desk.take(alert())
  await desk.take(alert({ id: 'evt_1b' }))
  const other = { id: 'poll_1', source: 'poll' as const, sameAs: 'evt_1' }
  await desk.take(alert(other))
  const replayed = desk.pipeline.replay('evt_1', 'desk')
  await desk.clock.advance(6_000)
  await replayed
  editing.resolve({ result: 'permanent', why: 'it was deleted' })
  await desk.quiet()
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', attempts: 1 })
  expect(await desk.outcome('evt_1')).not.toHaveProperty('unedited')
})
