import { expect, test } from 'vitest'
import type { Attempt, SendResult } from '../../../src/channels/channel.ts'
import type { Message } from '../../../src/message/message.ts'
import { alert } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'
import { openDesk } from '../decide/accept/desk.ts'

const minute = 60_000
const start = Date.parse('2026-11-21T13:10:00Z')
const readers = ['one', 'two', 'three']
const silent: SendResult = { result: 'retry', why: 'it did not answer', uncertain: true, unanswered: true }

/** A channel with three readers, each with their own copy. `to` may answer for one of them. */
function copies(to: (reader: string) => SendResult | Promise<SendResult> | undefined = () => undefined) {
  const got: string[] = []
  async function sends({ id, caveats }: Message, { progress }: Attempt): Promise<SendResult> {
    const next = readers.find((reader) => !progress.includes(reader)) ?? 'nobody'
    const isRepeat = caveats.some((caveat) => caveat.startsWith('This may be a duplicate'))
    const result = await to(next)
    if (result === undefined || result.result !== 'retry' || result.uncertain) {
      got.push(`${id} to ${next}${isRepeat ? ', perhaps again' : ''}`)
    }
    if (result !== undefined) return result.result === 'retry' ? { ...result, progress } : result
    const done = [...progress, next]
    return done.length === readers.length
      ? { result: 'sent', receipt: { text: 'all have it' } }
      : { result: 'more', why: `${done.length} of 3 have it`, progress: done }
  }
  return { got, sends }
}

test('the parts of a message follow at once, before the next message, and count as one try', async () => {
  const { got, sends } = copies()
  const desk = await openDesk({ cannotVerifyDelivery: true, sends })
  await desk.take(alert({ id: 'evt_1' }))
  await desk.take(alert({ id: 'evt_2', category: 'medical' }))
  await desk.clock.advance(0)
  expect(got).toEqual(['evt_1', 'evt_2'].flatMap((id) => readers.map((reader) => `${id} to ${reader}`)))
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', attempts: 1 })
})

test('a part that fails is tried again as any message, and the parts before it stay done', async () => {
  const answers = [undefined, { result: 'retry', why: '451', uncertain: false } as const]
  const { got, sends } = copies(() => answers.shift())
  const desk = await openDesk({ cannotVerifyDelivery: true, sends })
  await desk.take(alert({ id: 'evt_1' }))
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'waiting', attempts: 1, progress: ['one'] })
  await desk.clock.advance(minute)
  expect(got).toEqual(readers.map((reader) => `evt_1 to ${reader}`))
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', attempts: 2 })
})

test('a part without an answer is repeated alone, and marked alone', async () => {
  const answers = [undefined, silent]
  const { got, sends } = copies(() => answers.shift())
  const desk = await openDesk({ cannotVerifyDelivery: true, sends })
  await desk.take(alert({ id: 'evt_1' }))
  await desk.clock.advance(6 * minute)
  expect(got).toEqual(['evt_1 to one', 'evt_1 to two', 'evt_1 to two, perhaps again', 'evt_1 to three'])
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', unanswered: 1 })
})

test('a process that is killed in the middle repeats the one part in flight and no other', async () => {
  const clock = createManualClock(start)
  const backing = createMemoryBacking(clock)
  const store = backing.open()
  const first = copies((reader) => (reader === 'three' ? new Promise(() => {}) : undefined))
  const killed = await openDesk({ clock, store, cannotVerifyDelivery: true, sends: first.sends })
  void killed.take(alert({ id: 'evt_1' }))
  await clock.advance(0)
  expect(first.got).toEqual(['evt_1 to one', 'evt_1 to two'])
  store.kill()
  const second = copies()
  const next = await openDesk({
    clock,
    store: backing.open(),
    cannotVerifyDelivery: true,
    sends: second.sends,
  })
  await clock.advance(10 * minute)
  expect(second.got).toEqual(['evt_1 to three, perhaps again'])
  expect(await next.outcome('evt_1')).toMatchObject({ state: 'sent', unanswered: 1 })
})

test('nobody who wants it is left: not sent, by that rule, and the next message goes on', async () => {
  const answers: SendResult[] = [{ result: 'unwanted', why: 'The only reader has unsubscribed' }]
  const desk = await openDesk({
    cannotVerifyDelivery: true,
    sends: () => answers.shift() ?? { result: 'sent', receipt: { text: 'r' } },
  })
  await desk.take(alert({ id: 'evt_1' }))
  await desk.take(alert({ id: 'evt_2', category: 'medical' }))
  await desk.clock.advance(0)
  expect(await desk.outcome('evt_1')).toEqual({
    state: 'not_sent',
    rule: 'unsubscribed',
    why: 'The only reader has unsubscribed',
  })
  expect(await desk.outcome('evt_2')).toMatchObject({ state: 'sent' })
})
