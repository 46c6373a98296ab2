import { expect, test } from 'vitest'
import type { SendResult } from '../../../src/channels/channel.ts'
import { alert } from '../../support/fakes/events.ts'
import { openDesk } from '../decide/accept/desk.ts'

const hour = 3_600_000
const mentions = [{ who: 'here', when: { minDelta: 10 } }]

const ok: SendResult = { result: 'sent', receipt: { text: 'r' } }
const refused: SendResult = { result: 'retry', why: 'the connection was refused.', uncertain: false }
const broken: SendResult = { result: 'retry', why: 'it answers 500.', uncertain: true }
const silent: SendResult = { ...broken, unanswered: true }

/** Whom each try rang. */
async function rung(answers: SendResult[], { cannotVerifyDelivery = true } = {}) {
  const desk = await openDesk({ cannotVerifyDelivery, mentions, sends: () => answers.shift() ?? ok })
  await desk.take(alert())
  await desk.clock.advance(24 * hour)
  return desk.sent.map((message) => message.mentions ?? [])
}

test('an alert rings whom a rule names, and one below it nobody', async () => {
  const desk = await openDesk({ mentions })
  await desk.take(alert(), alert({ id: 'evt_2', model: 'gemini', delta: 3 }))
  await desk.clock.advance(hour)
  expect(desk.sent.map(({ id, mentions: who }) => [id, who])).toEqual([
    ['evt_1', ['here']],
    ['evt_2', undefined],
  ])
})

test('what surely did not arrive rings when it does', async () => {
  expect(await rung([refused, refused, ok])).toEqual([['here'], ['here'], ['here']])
})

test('a mention that may have arrived is not repeated on a channel that cannot be searched', async () => {
  expect(await rung([broken, ok])).toEqual([['here'], []])
  expect(await rung([broken, refused, ok])).toEqual([['here'], [], []])
  expect(await rung([silent, silent, ok])).toEqual([['here'], [], []])
})

test('where the channel can be searched, what is sent again was not there, and rings', async () => {
  expect(await rung([broken, ok], { cannotVerifyDelivery: false })).toEqual([['here'], ['here']])
})

test('what a person asks for again rings nobody', async () => {
  const desk = await openDesk({ mentions })
  await desk.take(alert())
  await desk.clock.advance(1_000)
  await desk.pipeline.replay('evt_1', 'desk')
  await desk.clock.advance(1_000)
  expect(desk.sent.map((message) => message.mentions)).toEqual([['here'], undefined])
})

test('a correction rings those who had the figure before; the edit of that is no cause for another', async () => {
  const desk = await openDesk({ mentions })
  await desk.take(alert({ content: 'a' }))
  await desk.clock.advance(1_000)
  await desk.take(alert({ content: 'b', delta: 3, body: { encoding: 'utf8', text: '{"n":2}' } }))
  await desk.clock.advance(1_000)
  expect(desk.sent.map(({ id, mentions: who }) => [id, who])).toEqual([
    ['evt_1', ['here']],
    ['evt_1~2', ['here']],
  ])
  await desk.clock.advance(24 * hour)
  expect(desk.edited).toHaveLength(1)
})
