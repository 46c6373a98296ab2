import { expect, test } from 'vitest'
import type { AlertEvent } from '../../../../src/event/event.ts'
import { alert } from '../../../support/fakes/events.ts'
import { openDesk } from './desk.ts'

const minutes = (count: number) => count * 60_000

let number = 0
/** Of a model and a category of its own. */
function newAlert(changes: Partial<AlertEvent> = {}): AlertEvent {
  number += 1
  return alert({
    id: `evt_f${number}`,
    model: `model-${number}`,
    category: `category-${number}`,
    receivedAt: '2026-11-21T13:10:00.000Z',
    content: '1',
    ...changes,
  })
}

const many = (count: number, changes: Partial<AlertEvent> = {}) =>
  Array.from({ length: count }, () => newAlert(changes))

test('of thirty alerts in a minute ten come at once, and the rest as one message within ten minutes, the largest first', async () => {
  const desk = await openDesk({ digests: true })
  const [first, rest] = [
    many(10),
    [...many(18, { delta: 3 }), newAlert({ delta: -9 }), newAlert({ delta: 12 })],
  ]
  for (const event of [...first, ...rest]) {
    await desk.take(event)
    await desk.clock.advance(2_000)
  }
  expect(desk.sent.map(({ id }) => id)).toEqual(first.map(({ id }) => id))
  expect(await desk.outcome(rest[0]?.id ?? '')).toMatchObject({
    state: 'held',
    by: 'burst',
    until: '2026-11-21T13:20:00.000Z',
  })
  await desk.clock.advance(minutes(9) + 1_000)
  await desk.quiet()
  const message = desk.sent[10]
  expect(desk.sent).toHaveLength(11)
  expect(message?.text.slice(0, 2)).toEqual([
    expect.stringContaining('rose 12 points'),
    expect.stringContaining('fell 9 points'),
  ])
  const outcomes = await Promise.all(rest.map(({ id }) => desk.outcome(id)))
  expect(outcomes).toEqual(rest.map(() => ({ state: 'merged', in: message?.id })))
  await desk.stop()
})

test('in a flood, what is larger than all before comes at once, and so does a correction', async () => {
  const desk = await openDesk({ digests: true })
  const [first, rest] = [many(10), many(3)]
  const corrected = { ...newAlert(), ...first[0], content: '2', delta: 2 }
  const [larger, asLarge] = [newAlert({ delta: -13 }), newAlert({ delta: 13 })]
  await desk.take(...first, ...rest, larger, asLarge, corrected)
  expect(desk.sent.map(({ id }) => id)).toEqual([
    ...first.map(({ id }) => id),
    larger.id,
    `${first[0]?.id}~2`,
  ])
  expect(await desk.outcome(asLarge.id)).toMatchObject({ state: 'held', by: 'burst' })
  await desk.stop()
})

test('ten alerts within ten minutes wait for nothing, and corrections of them are not counted', async () => {
  const desk = await openDesk()
  const some = many(9)
  await desk.take(...some)
  await desk.take(...some.map((event) => ({ ...event, content: '2', delta: 4 })))
  await desk.take(newAlert({ delta: 1 }))
  expect(desk.sent).toHaveLength(19)
})

test('a flood is counted by channel, and ends', async () => {
  const desk = await openDesk({ digests: true, others: { far: { minDelta: 10 } } })
  await desk.take(...many(10, { delta: 4 }), newAlert({ delta: 11 }), newAlert({ delta: 4 }))
  expect(desk.sent).toHaveLength(11)
  expect(desk.elsewhere.far).toHaveLength(1)
  await desk.clock.advance(minutes(10))
  await desk.quiet()
  expect(desk.sent).toHaveLength(12)
  await desk.take(...many(10, { delta: 4, receivedAt: '2026-11-21T13:20:00.000Z' }))
  expect(desk.sent).toHaveLength(22)
  await desk.stop()
})

test('500 alerts at once are ten messages and one, and every one is accounted for', async () => {
  const desk = await openDesk({ digests: true })
  const all = many(500)
  for (const event of all) await desk.pipeline.accept(event)
  await desk.quiet()
  expect(desk.sent).toHaveLength(10)
  await desk.clock.advance(minutes(11))
  await desk.quiet()
  expect(desk.sent).toHaveLength(11)
  const outcomes = await Promise.all(all.map(({ id }) => desk.outcome(id)))
  const told = { state: 'merged', in: desk.sent[10]?.id }
  expect(outcomes.map((outcome) => outcome?.state === 'sent' || outcome)).toEqual([
    ...Array(10).fill(true),
    ...Array(490).fill(told),
  ])
  await desk.stop()
})

test('a clock that is set back holds nothing for longer than ten minutes', async () => {
  const desk = await openDesk({ digests: true })
  const now = desk.clock.now()
  desk.clock.set(now + 24 * 60 * minutes(1))
  await desk.take(...many(12, { receivedAt: '2026-11-22T13:10:00.000Z' }))
  desk.clock.set(now)
  await desk.clock.advance(minutes(2))
  await desk.quiet()
  expect(desk.sent).toHaveLength(11)
  await desk.take(...many(10))
  expect(desk.sent).toHaveLength(21)
  await desk.stop()
})
