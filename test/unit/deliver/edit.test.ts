import { expect, test } from 'vitest'
import type { SendResult } from '../../../src/channels/channel.ts'
import { needsEdit } from '../../../src/deliver/edit.ts'
import { settleRemoved } from '../../../src/deliver/removed.ts'
import { shownHash } from '../../../src/deliver/sent-message.ts'
import type { AlertEvent } from '../../../src/event/event.ts'
import type { Sent } from '../../../src/event/outcome.ts'
import { render } from '../../../src/message/render/render.ts'
import { StoreUnavailable } from '../../../src/store/store.ts'
import { alert, finding } from '../../support/fakes/events.ts'
import { openDesk } from '../decide/accept/desk.ts'

const hour = 60 * 60_000
const day = 24 * hour
const down: SendResult = { result: 'retry', why: 'it answered 503', uncertain: true }
const ok: SendResult = { result: 'sent', receipt: { text: 'r' } }
const deleted: SendResult = { result: 'permanent', why: 'it was deleted' }
const hanging = () => new Promise<SendResult>(() => {})

const version = (content: string, delta: number): AlertEvent => alert({ content: content.repeat(32), delta })
const first = version('a', 12)
const corrected = version('b', 9)
const withdrawn = finding({
  id: 'poll_2',
  revises: 'poll_1',
  delta: 0,
  receivedAt: '2026-11-22T13:05:00.000Z',
})

test('what is withdrawn says so in the message where it stands, and the correction is sent besides', async () => {
  const desk = await openDesk()
  await desk.take(finding(), withdrawn)
  expect(desk.sent.map(({ id }) => id)).toEqual(['poll_1', 'poll_2'])
  expect(desk.edited).toMatchObject([
    {
      receipt: { text: 'receipt of poll_1' },
      message: {
        id: 'poll_1',
        tone: 'neutral',
        headline: 'WITHDRAWN: Claude’s refusal rate on political prompts rose 12 points.',
        text: [
          'Withdrawn on 22 Nov 2026, 13:05 UTC: later readings do not show this change.',
          ...(desk.sent[0]?.text ?? []),
        ],
      },
    },
  ])
  expect(await desk.outcome('poll_1')).toMatchObject({ state: 'sent', attempts: 1, alsoTells: ['poll_2'] })
})

test('what is corrected says so in every message that had it otherwise', async () => {
  const desk = await openDesk()
  await desk.take(first, corrected, version('c', 8))
  expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1', 'evt_1~2', 'evt_1~3'])
  const shown = new Map(desk.edited.map(({ message }) => [message.id, message]))
  expect(shown.get('evt_1')).toMatchObject({
    headline: 'CORRECTED: Claude’s refusal rate on political prompts rose 12 points.',
    tone: 'rise',
    alsoTells: ['evt_1~3'],
  })
  for (const id of ['evt_1', 'evt_1~2']) {
    expect(shown.get(id)?.text[0]).toBe(
      'Corrected on 21 Nov 2026, 13:05 UTC: now reported as +8 percentage points (evt_1~3).',
    )
  }
  expect(shown.get('evt_1~2')?.headline).toMatch(
    /^CORRECTED: Claude’s refusal rate on political prompts rose 9 points/,
  )
  expect(shown.has('evt_1~3')).toBe(false)
})

test('a finding that a report confirmed says what the report was corrected to, and stays a finding', async () => {
  const desk = await openDesk()
  await desk.take(finding(), first, corrected)
  expect(desk.sent.map(({ id }) => id)).toEqual(['poll_1', 'evt_1~2'])
  expect(desk.edited.at(-1)?.message).toMatchObject({
    id: 'poll_1',
    headline: 'Claude’s refusal rate on political prompts rose 12 points.',
    text: [
      expect.stringContaining('Bluepencil found'),
      'Also reported by the Service (evt_1).',
      'Corrected on 21 Nov 2026, 13:05 UTC: now reported as +9 percentage points (evt_1~2).',
    ],
  })
})

test('two changes of one message are one edit', async () => {
  const answers: SendResult[] = [down]
  const desk = await openDesk({ edits: () => answers.shift() ?? ok })
  await desk.take(first, finding(), corrected)
  expect(desk.edited).toHaveLength(1)
  await desk.clock.advance(hour)
  expect(desk.edited).toHaveLength(2)
  expect(desk.edited[1]?.message).toMatchObject({ id: 'evt_1', alsoTells: ['poll_1', 'evt_1~2'] })
})

test('new alerts go before edits', async () => {
  const order: string[] = []
  let isUp = false
  const desk = await openDesk({
    sends: (message) => {
      if (isUp) order.push(`sent ${message.id}`)
      return isUp || message.id === 'evt_1' ? ok : { ...down, uncertain: false }
    },
    edits: () => {
      order.push('edited')
      return ok
    },
  })
  await desk.take(alert())
  await desk.take(alert({ id: 'evt_2', model: 'gemini' }), alert({ id: 'evt_3', model: 'qwen' }))
  // The channel rests; nothing is edited meanwhile.
  await desk.take(finding())
  expect(order).toEqual([])
  isUp = true
  await desk.clock.advance(hour)
  expect(order).toEqual(['sent evt_2', 'sent evt_3', 'edited'])
})

test('an alert that comes during an edit does not wait for its end, and the edit is made again', async () => {
  const answers = [hanging]
  const desk = await openDesk({ edits: () => answers.shift()?.() ?? ok })
  await desk.take(alert(), finding(), alert({ id: 'evt_2', model: 'gemini' }))
  await desk.clock.advance(1_000)
  expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
  expect(desk.edited).toHaveLength(2)
  expect(await desk.outcome('evt_1')).toMatchObject({ alsoTells: ['poll_1'] })
})

test('an alert that comes while an edit is looked up does not wait for it either', async () => {
  const desk = await openDesk({ edits: hanging })
  await desk.take(alert())
  const { find } = desk.store
  const editBegun = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  // The first time it is compared, the second it is edited.
  let count = 0
  desk.store.find = async (id) => {
    count += 1
    if (count === 2) {
      editBegun.resolve()
      await answered.promise
    }
    return find(id)
  }
  await desk.take(finding())
  await editBegun.promise
  await desk.take(alert({ id: 'evt_2', model: 'gemini' }))
  answered.resolve()
  await desk.quiet()
  await desk.clock.advance(1_000)
  expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
})

test('an edit that fails is tried again some times over an hour and a half, and the message stays sent', async () => {
  const desk = await openDesk({ edits: () => down })
  await desk.take(alert(), finding())
  await desk.clock.advance(hour)
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', attempts: 1 })
  expect(await desk.outcome('evt_1')).not.toHaveProperty('unedited')
  await desk.clock.advance(day)
  expect(desk.edited).toHaveLength(8)
  expect(desk.sent).toHaveLength(1)
  expect(await desk.outcome('evt_1')).toEqual({
    state: 'sent',
    at: '2026-11-21T13:10:00.000Z',
    attempts: 1,
    receipt: { text: 'receipt of evt_1' },
    message: expect.objectContaining({ kicker: 'Censorship spike' }),
    shows: expect.stringMatching(/^[0-9a-f]{32}$/),
    unedited: { why: 'it answered 503', shows: expect.stringMatching(/^[0-9a-f]{32}$/) },
  })
})

test.each<SendResult>([deleted, { result: 'blocked', why: 'the token was revoked' }])(
  'an edit that can never be is tried once: %j',
  async (answer) => {
    const desk = await openDesk({ edits: () => answer })
    await desk.take(alert(), finding())
    await desk.clock.advance(day)
    expect(desk.edited).toHaveLength(1)
    expect(await desk.outcome('evt_1')).toMatchObject({
      state: 'sent',
      unedited: { why: expect.any(String) },
    })
  },
)

test('what could not be edited is not tried again at the next start, but when something else is to stand there', async () => {
  const before = await openDesk({ edits: () => deleted })
  await before.take(first, finding())
  await before.stop()
  const after = await openDesk({ store: before.store, clock: before.clock })
  await after.quiet()
  expect([after.sent, after.edited]).toEqual([[], []])
  await after.take(corrected)
  expect(after.edited).toMatchObject([{ message: { alsoTells: ['poll_1', 'evt_1~2'] } }])
  expect(await after.outcome('evt_1')).not.toHaveProperty('unedited')
})

test('where an earlier try may be what stands there, it is edited with what came between the two', async () => {
  const lost: SendResult = { result: 'retry', why: 'it did not answer', uncertain: true, unanswered: true }
  const answers = [lost]
  const desk = await openDesk({ sends: () => answers.shift() ?? ok })
  await desk.take(alert())
  await desk.take(finding())
  await desk.clock.advance(hour)
  expect(desk.sent).toHaveLength(2)
  expect(desk.edited).toMatchObject([{ receipt: { text: 'r' }, message: { alsoTells: ['poll_1'] } }])
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', alsoTells: ['poll_1'] })
})

test('a limit is waited for', async () => {
  const answers: SendResult[] = [{ ...down, afterMs: 10 * 60_000 }, ok]
  const desk = await openDesk({ edits: () => answers.shift() ?? ok })
  await desk.take(alert(), finding())
  await desk.clock.advance(10 * 60_000 - 1)
  expect(desk.edited).toHaveLength(1)
  await desk.clock.advance(1)
  expect(desk.edited).toHaveLength(2)
})

test('an edit that fails holds up no alert', async () => {
  const desk = await openDesk({ edits: () => down })
  await desk.take(alert(), finding(), alert({ id: 'evt_2', model: 'gemini' }))
  expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
  expect(desk.pipeline.backoff('desk')).toBeUndefined()
})

test('a process that ends in the middle of an edit makes it again, and sends nothing', async () => {
  const before = await openDesk({ edits: hanging })
  await before.take(finding(), withdrawn)
  await before.stop()
  expect(await before.outcome('poll_1')).toMatchObject({ state: 'sent' })
  const after = await openDesk({ store: before.store, clock: before.clock })
  await after.quiet()
  expect(after.sent).toEqual([])
  expect(after.edited).toMatchObject([
    { receipt: { text: 'receipt of poll_1' }, message: { alsoTells: ['poll_2'] } },
  ])
})

test('a message that reads as it should is not edited at a start', async () => {
  const before = await openDesk()
  await before.take(first, finding(), corrected)
  await before.stop()
  const after = await openDesk({ store: before.store, clock: before.clock })
  await after.quiet()
  expect([after.sent, after.edited]).toEqual([[], []])
})

test('an outcome that cannot be written is edited again, with a minute between, for as long as the store fails', async () => {
  const desk = await openDesk()
  await desk.take(alert())
  const { alter } = desk.store
  desk.store.alter = () => Promise.reject(new StoreUnavailable('the disk is full'))
  await desk.take(finding())
  await desk.clock.advance(5_000)
  expect(desk.edited).toHaveLength(1)
  for (let minute = 0; minute < 12; minute++) await desk.clock.advance(60_000)
  expect(desk.edited).toHaveLength(13)
  desk.store.alter = alter
  await desk.clock.advance(60_000)
  expect(desk.edited).toHaveLength(14)
  expect(await desk.outcome('evt_1')).toMatchObject({ alsoTells: ['poll_1'] })
})

test('a pair that is older than the recent alerts stays in its message after a correction', async () => {
  const before = await openDesk()
  await before.take(first, finding())
  await before.stop()
  const { later } = before.store
  before.store.later = async (id) => {
    const { revision } = await later(id)
    return revision === undefined ? {} : { revision }
  }
  const after = await openDesk({ store: before.store, clock: before.clock })
  await after.take(corrected)
  const [edit] = after.edited
  expect(edit?.message).toMatchObject({ id: 'evt_1', alsoTells: ['poll_1', 'evt_1~2'] })
  expect(edit?.message.text).toContainEqual(expect.stringContaining('Also found in the published figures'))
})

test('a channel that lets no message be changed has what it was sent', async () => {
  const desk = await openDesk({ edits: null })
  await desk.take(alert(), finding())
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', receipt: { text: 'receipt of evt_1' } })
  expect(await desk.outcome('evt_1')).not.toHaveProperty('shows')
})

test('a replay sends one message with both, and later edits go to that one', async () => {
  const desk = await openDesk({ edits: () => down })
  await desk.take(first, finding())
  await desk.pipeline.replay('evt_1', 'desk')
  await desk.quiet()
  const again = desk.sent[1]
  expect(again).toMatchObject({ alsoTells: ['poll_1'] })
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', alsoTells: ['poll_1'] })
  await desk.take(corrected)
  await desk.clock.advance(60_000)
  expect(desk.edited.at(-1)).toMatchObject({
    receipt: { text: `receipt of ${again?.id}` },
    message: { id: again?.id },
  })
})

test('a possible repeat stays marked as one', async () => {
  const lost: SendResult = { result: 'retry', why: 'it did not answer', uncertain: true, unanswered: true }
  const answers = [lost]
  const desk = await openDesk({ cannotVerifyDelivery: true, sends: () => answers.shift() ?? ok })
  await desk.take(alert())
  await desk.clock.advance(hour)
  await desk.take(finding())
  expect(desk.edited).toMatchObject([
    { message: { caveats: [expect.stringContaining('may be a duplicate')] } },
  ])
})

test('what was sent stays sent where its channel leaves the configuration', async () => {
  const desk = await openDesk({ edits: () => down })
  await desk.take(alert(), finding())
  await desk.stop()
  await settleRemoved(desk.store, [], async () => {})
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent' })
})

test('if it is uncertain which message is there, the events in it are compared', () => {
  const message = { ...render(alert(), { service: 'Service', timeZone: 'UTC' }), alsoTells: ['poll_1'] }
  const sent: Sent = { state: 'sent', at: '', attempts: 1, receipt: { text: 'r' } }
  expect(needsEdit(sent, message)).toBe(true)
  expect(needsEdit({ ...sent, alsoTells: ['poll_1'] }, message)).toBe(false)
  expect(
    needsEdit({ ...sent, unedited: { why: 'it was deleted', shows: shownHash(message) } }, message),
  ).toBe(false)
  expect(needsEdit({ ...sent, shows: shownHash(message) }, message)).toBe(false)
})
