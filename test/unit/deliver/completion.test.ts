import { expect, test } from 'vitest'
import type { SendResult } from '../../../src/channels/channel.ts'
import { settleRemoved } from '../../../src/deliver/removed.ts'
import { alert, finding } from '../../support/fakes/events.ts'
import { openDesk } from '../accept/desk.ts'

const hour = 60 * 60_000
const down: SendResult = { result: 'retry', why: 'it answered 503', uncertain: true }
const ok: SendResult = { result: 'sent', receipt: 'r' }

test('a completion that fails is tried again some times over an hour and a half, and the message stays sent', async () => {
  const desk = await openDesk({ completes: () => down })
  await desk.take(alert(), finding())
  await desk.clock.advance(hour)
  expect(await desk.outcome('evt_1')).toMatchObject({
    state: 'waiting',
    why: 'sent, and not completed yet: it answered 503',
    completes: { state: 'sent', receipt: 'receipt of evt_1' },
  })
  await desk.clock.advance(24 * hour)
  expect(desk.completed).toHaveLength(8)
  expect(desk.sent).toHaveLength(1)
  expect(await desk.outcome('evt_1')).toEqual({
    state: 'sent',
    at: '2026-11-21T13:10:00.000Z',
    attempts: 1,
    receipt: 'receipt of evt_1',
    incomplete: 'it answered 503',
  })
})

test.each<SendResult>([
  { result: 'permanent', why: 'it was deleted' },
  { result: 'blocked', why: 'the token was revoked' },
])('a completion that can never be is tried once: %j', async (answer) => {
  const desk = await openDesk({ completes: () => answer })
  await desk.take(alert(), finding())
  await desk.clock.advance(24 * hour)
  expect(desk.completed).toHaveLength(1)
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', incomplete: expect.any(String) })
})

test('where an earlier try may be what stands there, it is completed with what came between the two', async () => {
  const lost: SendResult = { result: 'retry', why: 'it did not answer', uncertain: true, unanswered: true }
  const answers = [lost]
  const desk = await openDesk({ sends: () => answers.shift() ?? ok })
  await desk.take(alert())
  await desk.take(finding())
  await desk.clock.advance(hour)
  expect(desk.sent).toHaveLength(2)
  expect(desk.completed).toMatchObject([{ receipt: 'r', message: { alsoTells: ['poll_1'] } }])
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', alsoTells: ['poll_1'] })
})

test('what could not be completed is not tried again at the next start', async () => {
  const before = await openDesk({ completes: () => ({ result: 'permanent', why: 'it was deleted' }) })
  await before.take(alert(), finding())
  await before.stop()
  const after = await openDesk({ store: before.store, clock: before.clock })
  await after.quiet()
  expect([after.sent, after.completed]).toEqual([[], []])
})

test('a limit is waited for', async () => {
  const answers: SendResult[] = [{ ...down, afterMs: 10 * 60_000 }, ok]
  const desk = await openDesk({ completes: () => answers.shift() ?? ok })
  await desk.take(alert(), finding())
  await desk.clock.advance(10 * 60_000 - 1)
  expect(desk.completed).toHaveLength(1)
  await desk.clock.advance(1)
  expect(desk.completed).toHaveLength(2)
})

test('a completion that fails holds up no alert', async () => {
  const desk = await openDesk({ completes: () => down })
  await desk.take(alert(), finding(), alert({ id: 'evt_2', model: 'gemini' }))
  expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
  expect(desk.pipeline.backoff('desk')).toBeUndefined()
})

test('a process that ends in the middle of a completion makes it again, and sends nothing', async () => {
  const before = await openDesk({ completes: () => new Promise(() => {}) })
  await before.take(alert(), finding())
  await before.stop()
  expect(await before.outcome('evt_1')).toMatchObject({ state: 'waiting', completes: { state: 'sent' } })
  const after = await openDesk({ store: before.store, clock: before.clock })
  await after.clock.advance(5 * 60_000)
  expect(after.sent).toEqual([])
  expect(after.completed).toMatchObject([{ receipt: 'receipt of evt_1' }])
})

test('a channel that lets no message be changed has what it was sent', async () => {
  const desk = await openDesk({ completes: null })
  await desk.take(alert(), finding())
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', receipt: 'receipt of evt_1' })
})

test('a person who asks for it again gets a message that tells of both', async () => {
  const desk = await openDesk({ completes: () => down })
  await desk.take(alert(), finding())
  await desk.pipeline.replay('evt_1', 'desk')
  await desk.quiet()
  expect(desk.sent[1]).toMatchObject({ alsoTells: ['poll_1'] })
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', alsoTells: ['poll_1'] })
})

test('what was sent stays sent where its channel leaves the configuration', async () => {
  const desk = await openDesk({ completes: () => down })
  await desk.take(alert(), finding())
  await desk.stop()
  await settleRemoved(desk.store, [], async () => {})
  expect(await desk.outcome('evt_1')).toMatchObject({
    state: 'sent',
    incomplete: 'the channel left the configuration',
  })
})
