import { expect, test } from 'vitest'
import type { SendResult } from '../../../src/channels/channel.ts'
import { alert } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'
import { openDesk } from '../decide/accept/desk.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.parse('2026-11-21T13:10:00Z')

const ok: SendResult = { result: 'sent', receipt: { text: 'r' } }
const refused: SendResult = { result: 'retry', why: 'the connection was refused', uncertain: false }
const silent: SendResult = { result: 'retry', why: 'it did not answer.', uncertain: true, unanswered: true }

const minutes = (attempts: readonly { at: number }[]) => attempts.map(({ at }) => (at - start) / minute)

test('on a channel that cannot be searched, a message without an answer is sent four times in a day, then given up', async () => {
  const desk = await openDesk({ cannotVerifyDelivery: true, sends: () => silent })
  await desk.take(alert())
  await desk.clock.advance(72 * hour)
  expect(minutes(desk.attempts)).toEqual([0, 5, 65, 545])
  expect(new Set(desk.sent.map(({ id }) => id)).size).toBe(1)
  expect(await desk.outcome('evt_1')).toMatchObject({
    state: 'failed',
    attempts: 4,
    unanswered: 4,
    why: 'gave up after 4 attempts without an answer; each may have arrived: it did not answer.',
  })
})

test('each copy but the first says that it may be a duplicate, and is repeated under the same id', async () => {
  const desk = await openDesk({ cannotVerifyDelivery: true, sends: () => silent })
  await desk.take(alert())
  await desk.clock.advance(24 * hour)
  const marked = desk.sent.map(({ caveats }) =>
    caveats.some((caveat) => caveat.startsWith('This may be a duplicate: ')),
  )
  expect(marked).toEqual([false, true, true, true])
  expect(desk.attempts.map(({ repeat }) => repeat)).toEqual([false, true, true, true])
})

test('the outcome says why it waits and until when, and of what was sent in the end, how many may be there too', async () => {
  const answers = [silent, silent, ok]
  const desk = await openDesk({ cannotVerifyDelivery: true, sends: () => answers.shift() ?? ok })
  await desk.take(alert())
  await desk.clock.advance(6 * minute)
  expect(await desk.outcome('evt_1')).toMatchObject({
    state: 'waiting',
    unanswered: 2,
    why: 'it did not answer; it may have arrived. The next attempt is at 2026-11-21T14:15:00.000Z, marked as a possible duplicate',
  })
  await desk.clock.advance(24 * hour)
  expect(await desk.outcome('evt_1')).toEqual({
    state: 'sent',
    at: '2026-11-21T14:15:00.000Z',
    attempts: 3,
    receipt: { text: 'r' },
    unanswered: 2,
    message: expect.objectContaining({ caveats: [expect.stringMatching(/^This may be a duplicate: /)] }),
  })
})

test('where it was one reader’s part, that is given up after its copies, and the others go on', async () => {
  const unanswered: SendResult = { ...silent, without: ['given-up:a'] }
  const desk = await openDesk({
    cannotVerifyDelivery: true,
    sends: (_, { progress }) => (progress.length === 0 ? unanswered : { ...ok, remark: 'not to a' }),
  })
  await desk.take(alert())
  await desk.clock.advance(24 * hour)
  expect(minutes(desk.attempts)).toEqual([0, 5, 65, 545, 546])
  expect(desk.attempts.at(-1)).toMatchObject({ progress: ['given-up:a'], repeat: false })
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', attempts: 5, unanswered: 4 })
})

test('the same where the process ends during the last copy', async () => {
  const clock = createManualClock(start)
  const backing = createMemoryBacking(clock)
  const unanswered: SendResult = { ...silent, without: ['given-up:a'] }
  const store = backing.open()
  let tries = 0
  const first = await openDesk({
    store,
    clock,
    cannotVerifyDelivery: true,
    sends: () => (++tries < 4 ? unanswered : new Promise(() => {})),
  })
  await first.take(alert())
  await clock.advance(9 * hour + 6 * minute)
  expect(first.attempts).toHaveLength(4)
  store.kill()
  const next = await openDesk({ store: backing.open(), clock, cannotVerifyDelivery: true })
  await clock.advance(2 * hour)
  expect(next.attempts).toMatchObject([{ progress: ['given-up:a'] }])
  expect(await next.outcome('evt_1')).toMatchObject({ state: 'sent', unanswered: 4 })
})

test('what surely did not arrive is tried again as ever', async () => {
  const answers = [refused, silent, refused, refused, ok]
  const desk = await openDesk({ cannotVerifyDelivery: true, sends: () => answers.shift() ?? ok })
  await desk.take(alert())
  await desk.clock.advance(10 * minute)
  expect(desk.attempts).toHaveLength(5)
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', attempts: 5, unanswered: 1 })
})

test('where the provider can be asked, it is asked soon', async () => {
  const answers = [silent, ok]
  const desk = await openDesk({ sends: () => answers.shift() ?? ok })
  await desk.take(alert())
  await desk.clock.advance(2_000)
  expect(desk.attempts.map(({ uncertain, repeat }) => [uncertain, repeat])).toEqual([
    [false, false],
    [true, false],
  ])
  const outcome = await desk.outcome('evt_1')
  expect(outcome).toMatchObject({ state: 'sent', receipt: { text: 'r' } })
  expect(outcome).not.toHaveProperty('unanswered')
})

test('those behind a message that waits for its next copy go on, and do not hurry it', async () => {
  const desk = await openDesk({
    cannotVerifyDelivery: true,
    sends: ({ id }) => (id === 'evt_1' ? silent : ok),
  })
  await desk.take(alert())
  await desk.take(alert({ id: 'evt_2', model: 'gemini' }), alert({ id: 'evt_3', model: 'gpt' }))
  await desk.clock.advance(2 * minute)
  expect(await desk.outcome('evt_2')).toMatchObject({ state: 'sent' })
  expect(await desk.outcome('evt_3')).toMatchObject({ state: 'sent' })
  await desk.clock.advance(24 * hour)
  expect(minutes(desk.attempts.filter(({ id }) => id === 'evt_1'))).toEqual([0, 5, 65, 545])
})

test.each([-24, 3, 24])('a clock that is set by %s hours makes no copy more', async (hours) => {
  const desk = await openDesk({ cannotVerifyDelivery: true, sends: () => silent })
  await desk.take(alert())
  await desk.clock.advance(70 * minute)
  expect(desk.attempts).toHaveLength(3)
  desk.clock.set(desk.clock.now() + hours * hour)
  await desk.clock.advance(6 * hour)
  expect(desk.attempts).toHaveLength(3)
  await desk.clock.advance(3 * hour)
  expect(desk.attempts).toHaveLength(4)
  await desk.clock.advance(48 * hour)
  expect(desk.attempts).toHaveLength(4)
})

test('ten processes that are killed in the middle of a try make no more than four copies', async () => {
  const clock = createManualClock(start)
  const backing = createMemoryBacking(clock)
  const attempts: unknown[] = []
  for (let kill = 0; kill <= 10; kill++) {
    const store = backing.open()
    const next = await openDesk({
      store,
      clock,
      cannotVerifyDelivery: true,
      sends: () => new Promise(() => {}),
    })
    if (kill === 0) await next.take(alert())
    await clock.advance(9 * hour)
    store.kill()
    await clock.advance(minute)
    attempts.push(...next.attempts)
  }
  expect(attempts.length).toBeGreaterThan(1)
  expect(attempts.length).toBeLessThanOrEqual(4)
  expect((await backing.open().find('evt_1'))?.outcomes.desk).toMatchObject({
    state: 'failed',
    unanswered: 4,
  })
})

test('after a stop, what was in flight may have been sent, and what was never tried was not', async () => {
  const before = await openDesk({ sends: () => new Promise(() => {}) })
  await before.take(alert())
  await before.take(alert({ id: 'evt_2', model: 'gemini' }), alert({ id: 'evt_3', model: 'gpt' }))
  await before.stop()
  const after = await openDesk({ store: before.store, clock: before.clock })
  await after.clock.advance(minute)
  expect(after.attempts.map(({ id, uncertain }) => [id, uncertain])).toEqual([
    ['evt_1', true],
    ['evt_2', false],
    ['evt_3', false],
  ])
})

test('a summary that ends without an answer is not sent again before each of those behind it', async () => {
  let answer: SendResult = refused
  const desk = await openDesk({ cannotVerifyDelivery: true, sends: () => answer })
  for (let n = 1; n <= 6; n++) await desk.take(alert({ id: `evt_${n}`, model: `m${n}` }))
  await desk.clock.advance(hour)
  answer = silent
  await desk.clock.advance(24 * hour)
  const ids = desk.attempts.filter(({ at }) => at > start + hour).map(({ id }) => id)
  expect(ids.filter((id) => id.startsWith('sum_'))).toHaveLength(1)
  for (let n = 1; n <= 6; n++) expect(ids.filter((id) => id === `evt_${n}`)).toHaveLength(4)
})

test.each([
  ['nobody', undefined, 'again'],
  ['some readers', true as const, 'once'],
])('a summary that %s got, of those whom it was for', async (_, arrived, howOften) => {
  let answer: SendResult = refused
  const desk = await openDesk({
    cannotVerifyDelivery: true,
    sends: ({ id }) => (id.startsWith('sum_') || answer === refused ? answer : ok),
  })
  for (let n = 1; n <= 6; n++) await desk.take(alert({ id: `evt_${n}`, model: `m${n}` }))
  await desk.clock.advance(hour)
  answer = { ...refused, progress: ['rejected:a', 'later:b'], ...(arrived && { arrived }) }
  await desk.clock.advance(10 * minute)
  const summaries = desk.attempts.filter(({ id, at }) => at > start + hour && id.startsWith('sum_'))
  expect(summaries.length > 1 ? 'again' : 'once').toBe(howOften)
  answer = ok
  await desk.clock.advance(hour)
  for (let n = 1; n <= 6; n++) expect(await desk.outcome(`evt_${n}`)).toMatchObject({ state: 'sent' })
})
