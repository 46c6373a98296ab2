import { expect, test } from 'vitest'
import type { SendResult } from '../../../../src/channels/channel.ts'
import type { AlertEvent } from '../../../../src/event/event.ts'
import { alert, finding } from '../../../support/fakes/events.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'
import { type DeskOptions, openDesk } from './desk.ts'

const hourMs = 60 * 60_000
const stories = { within: 2 * hourMs, worse: 5 }
const minutes = (count: number) => count * 60_000

/** A desk on which alerts that belong together become one message. */
const openStories = (options: DeskOptions = {}) =>
  openDesk({ ...options, settings: { stories, ...options.settings }, digests: true })

let number = 0
function newAlert(changes: Partial<AlertEvent> = {}): AlertEvent {
  number += 1
  return alert({ id: `evt_s${number}`, receivedAt: '2026-11-21T13:10:00.000Z', ...changes })
}

test('three models that refuse more of one category are one message, which names them all', async () => {
  const desk = await openStories()
  const [first, second, third] = [
    newAlert(),
    newAlert({ model: 'gemini', delta: 8 }),
    newAlert({ model: 'qwen', delta: 15 }),
  ]
  await desk.take(first, second, third)
  expect(desk.sent.map(({ id }) => id)).toEqual([first.id])
  const told = desk.edited.at(-1)?.message
  expect(told).toMatchObject({
    id: first.id,
    tone: 'rise',
    kicker: '3 alerts in one',
    headline: 'Three models refuse more political prompts.',
    text: [
      '• Qwen’s refusal rate on political prompts rose 15 points. (21 Nov 2026, 13:05 UTC)',
      '• Claude’s refusal rate on political prompts rose 12 points. (21 Nov 2026, 13:05 UTC)',
      '• Gemini’s refusal rate on political prompts rose 8 points. (21 Nov 2026, 13:05 UTC)',
    ],
    alsoTells: [second.id, third.id],
  })
  expect(await desk.outcome(second.id)).toEqual({ state: 'merged', in: first.id })
  expect((await desk.store.find(third.id))?.entry).toMatchObject({ story: { desk: first.id } })
  expect(await desk.outcome(first.id)).toMatchObject({ state: 'sent', alsoTells: [second.id, third.id] })
})

test('another category, the other direction and a change without a size are messages of their own', async () => {
  const desk = await openStories()
  const alone = [
    newAlert({ delta: -7, category: 'safety', model: 'gemini' }),
    newAlert({ delta: 45, model: 'gemini' }),
    newAlert({ category: 'social' }),
    newAlert({ delta: -4 }),
    newAlert({ delta: null }),
    newAlert({ delta: 0, type: 'policy_change' }),
  ]
  await desk.take(newAlert(), ...alone)
  expect(desk.sent).toHaveLength(7)
  expect(desk.edited.map(({ message }) => message.alsoTells)).toEqual([[alone[1]?.id]])
})

test('what turns round again is a message of its own', async () => {
  const desk = await openStories()
  const [up, down, again, down2] = [
    newAlert(),
    newAlert({ delta: -10 }),
    newAlert({ delta: 11 }),
    newAlert({ delta: -9 }),
  ]
  await desk.take(up, down, again, newAlert({ delta: 10 }), down2)
  expect(desk.sent.map(({ id }) => id)).toEqual([up.id, down.id, again.id, down2.id])
})

test('several models are one message if they come within ten minutes, and one model for as long as is asked', async () => {
  const desk = await openStories()
  const [first, again, late] = [newAlert(), newAlert({ delta: 13 }), newAlert({ model: 'gemini', delta: 8 })]
  await desk.take(first)
  await desk.clock.advance(minutes(11))
  await desk.take(late)
  await desk.clock.advance(minutes(90))
  await desk.take(again)
  expect(desk.sent.map(({ id }) => id)).toEqual([first.id, late.id])
  expect(await desk.outcome(again.id)).toEqual({ state: 'merged', in: first.id })
})

test('what comes later than that, or after a story that was not sent, begins a story of its own', async () => {
  const failing = await openStories({ sends: () => ({ result: 'permanent', why: 'no' }) })
  const second = newAlert()
  await failing.take(newAlert(), second)
  expect(await failing.outcome(second.id)).toMatchObject({ state: 'failed' })
  const desk = await openStories()
  await desk.take(newAlert())
  await desk.clock.advance(2 * hourMs + 1)
  await desk.take(newAlert({ receivedAt: new Date(desk.clock.now()).toISOString() }))
  expect(desk.sent).toHaveLength(2)
})

test('each channel has its own story: one that filtered the first sends the second', async () => {
  const desk = await openStories({ others: { far: { stories, minDelta: 20 } }, editsOthers: true })
  const [first, second] = [newAlert({ delta: 19 }), newAlert({ model: 'gemini', delta: 21 })]
  await desk.take(first, second)
  expect(desk.elsewhere.far?.map(({ id }) => id)).toEqual([second.id])
  expect((await desk.store.find(second.id))?.entry).toMatchObject({ story: { desk: first.id } })
})

test('without stories, and if they are off, each alert is a message', async () => {
  const desk = await openDesk({ settings: { stories: 'off' }, others: { other: {} } })
  await desk.take(...Array.from({ length: 8 }, () => newAlert()))
  expect(desk.sent).toHaveLength(8)
  expect(desk.elsewhere.other).toHaveLength(8)
})

test('what is clearly larger than all before it comes by itself too', async () => {
  const desk = await openStories()
  const [a, b, c] = [
    newAlert(),
    newAlert({ model: 'gemini', delta: 16 }),
    newAlert({ model: 'qwen', delta: 21 }),
  ]
  await desk.take(a, b, c)
  expect(desk.sent.map(({ id }) => id)).toEqual([a.id, c.id])
  expect(desk.edited.at(-1)?.message.alsoTells).toEqual([b.id, c.id])
})

test('if messages cannot be edited, each alert is sent by itself at once, although stories are asked for', async () => {
  const desk = await openStories({ edits: null })
  await desk.take(newAlert(), newAlert({ model: 'gemini' }), newAlert({ delta: 13 }))
  expect(desk.sent).toHaveLength(3)
})

test('if an edit fails for good, the alerts that it would have added are sent in one message', async () => {
  const desk = await openStories({ edits: () => ({ result: 'permanent', why: 'it is gone' }) })
  const [a, b, c] = [newAlert(), newAlert({ model: 'gemini' }), newAlert({ model: 'qwen' })]
  await desk.take(a, b)
  expect(await desk.outcome(b.id)).toMatchObject({ state: 'held', by: 'story' })
  await desk.take(c)
  // What follows is a story of its own.
  expect(await desk.outcome(c.id)).toMatchObject({ state: 'sent' })
  await desk.clock.advance(minutes(2))
  await desk.quiet()
  expect(desk.sent.map(({ id }) => id)).toEqual([a.id, c.id, b.id])
  await desk.stop()
})

test('if the first alert is given up, the others are still sent', async () => {
  let answer: SendResult = { result: 'retry', why: 'no', uncertain: false }
  const desk = await openStories({
    sends: ({ id }) => (id === a.id ? answer : { result: 'sent', receipt: { text: 'r' } }),
  })
  const [a, b, c] = [newAlert(), newAlert({ model: 'gemini' }), newAlert({ model: 'qwen' })]
  await desk.take(a, b, c)
  expect(await desk.outcome(c.id)).toEqual({ state: 'merged', in: a.id })
  answer = { result: 'permanent', why: 'never' }
  await desk.clock.advance(minutes(5))
  await desk.quiet()
  expect(await desk.outcome(a.id)).toMatchObject({ state: 'failed' })
  expect(desk.sent.at(-1)).toMatchObject({ headline: expect.stringContaining('2 alerts') })
  await desk.stop()
})

test('an edit that was pending when a process ended is made by the next process', async () => {
  const clock = createManualClock(Date.parse('2026-11-21T13:10:00Z'))
  const backing = createMemoryBacking(clock)
  const never = () => new Promise<SendResult>(() => {})
  const before = await openDesk({ store: backing.open(), clock, settings: { stories }, edits: never })
  const [a, b] = [newAlert(), newAlert({ model: 'gemini' })]
  await before.take(a, b)
  await before.stop()
  const after = await openDesk({ store: backing.open(), clock, settings: { stories } })
  await clock.advance(minutes(2))
  await after.quiet()
  expect(after.edited.map(({ message }) => message.headline)).toEqual([
    'Two models refuse more political prompts.',
  ])
})

test('the correction of an alert within another’s message shows there, and is sent by itself too', async () => {
  const desk = await openStories()
  const [a, b] = [newAlert({ content: '1' }), newAlert({ model: 'gemini', content: '1' })]
  await desk.take(a, b, { ...b, delta: -3, content: '2', receivedAt: '2026-11-21T13:20:00.000Z' })
  expect(desk.edited.at(-1)?.message).toMatchObject({
    headline: 'The refusal rate on political prompts changed for two models: up for one, down for one.',
    text: [
      expect.stringContaining('Claude’s refusal rate on political prompts rose 12'),
      expect.stringMatching(
        /CORRECTED: Gemini’s refusal rate .* rose 12.*now reported as −3 percentage points/,
      ),
    ],
  })
  expect(desk.sent.map(({ id }) => id)).toEqual([a.id, `${b.id}~2`])
})

test('what is withdrawn is counted no more', async () => {
  const desk = await openStories()
  const polled = finding({ id: 'poll_7', model: 'gemini', receivedAt: '2026-11-21T13:10:00.000Z' })
  await desk.take(newAlert(), newAlert({ model: 'qwen' }), polled)
  expect(desk.edited.at(-1)?.message.headline).toBe('Three models refuse more political prompts.')
  await desk.take({ ...polled, id: 'poll_8', delta: 0, revises: 'poll_7' })
  expect(desk.edited.at(-1)?.message).toMatchObject({
    headline: 'Two models refuse more political prompts.',
    text: expect.arrayContaining([expect.stringContaining('WITHDRAWN: ')]),
  })
})

test('the same change by the other way is no story', async () => {
  const desk = await openStories()
  const first = newAlert()
  await desk.take(first, finding({ receivedAt: '2026-11-21T13:10:00.000Z' }))
  expect(desk.sent).toHaveLength(1)
  expect((await desk.store.find('poll_1'))?.entry).toMatchObject({ sameAs: first.id })
  expect((await desk.store.find('poll_1'))?.entry).not.toHaveProperty('story')
})

test('a replay sends an alert by itself, even if another’s message already has it', async () => {
  const desk = await openStories()
  const [a, b] = [newAlert(), newAlert({ model: 'gemini' })]
  await desk.take(a, b)
  await desk.pipeline.replay(b.id, 'desk')
  await desk.quiet()
  expect(desk.sent).toHaveLength(2)
  expect(await desk.outcome(b.id)).toMatchObject({ state: 'sent' })
})

test('a program is given the figures of each', async () => {
  const desk = await openStories()
  await desk.take(newAlert(), newAlert({ model: 'gemini', delta: 8 }))
  expect(desk.edited.at(-1)?.message.about).toMatchObject({
    model: 'claude',
    delta: 12,
    story: [{ kind: 'alert', model: 'gemini', delta: 8 }],
  })
})

test('the finding for an alert within another’s message shows in that message', async () => {
  const desk = await openStories()
  const [first, second] = [newAlert({ model: 'gemini' }), newAlert()]
  await desk.take(first, second, finding({ receivedAt: '2026-11-21T13:10:00.000Z' }))
  expect((await desk.store.find('poll_1'))?.entry).toMatchObject({ sameAs: second.id })
  expect(await desk.outcome('poll_1')).toMatchObject({ state: 'not_sent', rule: 'same-change' })
  expect(desk.sent).toHaveLength(1)
  expect(desk.edited.at(-1)?.message.text).toContainEqual(
    expect.stringMatching(/Claude.*Also found in the published figures/),
  )
})

test('what comes to a story is said in its thread too, at once what comes within a minute', async () => {
  const desk = await openStories({ replies: () => ({ result: 'sent', receipt: { text: 'r' } }) })
  const [a, b, c, d] = [
    newAlert(),
    newAlert({ model: 'gemini' }),
    newAlert({ model: 'qwen' }),
    newAlert({ model: 'mistral' }),
  ]
  await desk.take(a, b, c, d)
  expect(desk.replied).toMatchObject([
    {
      receipt: { text: `receipt of ${a.id}` },
      message: {
        kicker: '1 alert added above',
        text: [expect.stringContaining('Gemini’s refusal rate on political prompts rose 12')],
      },
    },
  ])
  await desk.clock.advance(minutes(1))
  await desk.quiet()
  expect(desk.replied).toHaveLength(2)
  expect(desk.replied[1]?.message).toMatchObject({
    kicker: '2 alerts added above',
    text: [expect.stringContaining('Qwen’s refusal'), expect.stringContaining('Mistral’s refusal')],
  })
  expect(desk.sent).toHaveLength(1)
  await desk.stop()
})

test('what was not said in the thread is tried again, and what may have been said is not', async () => {
  const answers: SendResult[] = [
    { result: 'retry', why: 'busy', uncertain: false, afterMs: 1_000 },
    { result: 'retry', why: 'no answer', uncertain: true },
  ]
  const desk = await openStories({
    replies: () => answers.shift() ?? { result: 'sent', receipt: { text: 'r' } },
  })
  await desk.take(newAlert(), newAlert({ model: 'gemini' }))
  await desk.clock.advance(minutes(5))
  await desk.quiet()
  expect(desk.replied).toHaveLength(2)
  await desk.stop()
})

test('what the desk does about an alert of a story shows in the message of its first, on each channel', async () => {
  const desk = await openStories({ others: { post: { stories } }, editsOthers: true })
  const [first, second] = [newAlert(), newAlert({ model: 'gemini', delta: 8 })]
  await desk.take(first, second)
  const act = {
    kind: 'act',
    by: { name: 'Ana', via: 'console' },
    receivedAt: '2026-11-21T13:20:00.000Z',
  } as const
  const line = (from: number) =>
    desk.edited.slice(from).map(({ message }) => message.text.find((text) => text.includes('Gemini')))
  let edits = desk.edited.length
  await desk.take({ ...act, id: 'act_1', does: 'acknowledge', about: second.id })
  const gemini = '• Gemini’s refusal rate on political prompts rose 8 points. (21 Nov 2026, 13:05 UTC)'
  const acknowledged = `${gemini} Acknowledged by Ana on 21 Nov 2026, 13:20 UTC.`
  expect(line(edits)).toEqual([acknowledged, acknowledged])
  edits = desk.edited.length
  const story = 'https://news.example/gemini'
  await desk.take({
    ...act,
    id: 'act_2',
    does: 'set-desk',
    about: second.id,
    state: 'published',
    story,
    click: '1',
  })
  const published = `${gemini} Published by Ana on 21 Nov 2026, 13:20 UTC: ${story}`
  expect(line(edits)).toEqual([published, published])
  expect(desk.edited.at(-1)?.message.links.map(({ url }) => url)).toContain(story)
  expect(desk.edited.at(-1)?.message.text.join()).not.toMatch(/^Published/)
  // Nothing is left to edit after a restart.
  edits = desk.edited.length
  const next = await openStories({
    store: desk.store,
    clock: desk.clock,
    others: { post: { stories } },
    editsOthers: true,
  })
  await next.quiet()
  expect(next.edited).toEqual([])
})

test('an alert of a story that the desk works on is shown, however many are larger', async () => {
  const desk = await openStories()
  const [first, small] = [newAlert(), newAlert({ delta: 2 })]
  await desk.take(first, small, ...Array.from({ length: 18 }, (_, n) => newAlert({ delta: 3 + n / 10 })))
  expect(desk.edited.at(-1)?.message.text.join()).not.toContain('rose 2 points')
  const by = { name: 'Ana', via: 'console' } as const
  const receivedAt = '2026-11-21T13:20:00.000Z'
  await desk.take({
    kind: 'act',
    id: 'act_1',
    by,
    receivedAt,
    does: 'set-desk',
    about: small.id,
    state: 'checking',
    click: '1',
  })
  expect(desk.edited.at(-1)?.message.text.join()).toMatch(
    /rose 2 points\. \(.*?\) Ana has been checking this/,
  )
})

test('an edit that adds no alert to a story says nothing in its thread', async () => {
  const desk = await openStories({ replies: () => ({ result: 'sent', receipt: { text: 'r' } }) })
  const first = newAlert({ content: '1' })
  await desk.take(first, { ...first, delta: 9, content: '2' })
  await desk.clock.advance(minutes(2))
  await desk.quiet()
  expect(desk.edited).toHaveLength(1)
  expect(desk.replied).toEqual([])
})
