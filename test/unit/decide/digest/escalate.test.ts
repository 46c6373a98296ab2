import { expect, test } from 'vitest'
import type { CommonSettings } from '../../../../src/channels/settings.ts'
import type { Act } from '../../../../src/event/act.ts'
import type { AlertEvent } from '../../../../src/event/event.ts'
import { alert } from '../../../support/fakes/events.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'
import { type DeskOptions, openDesk } from '../accept/desk.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const escalate = { after: 15 * minuteMs, to: 'night', minDelta: 10 }
const by = { name: 'Ana', via: 'slack' } as const

/** A desk whose alerts go to `night`, which asks for nothing by itself, if nobody acknowledges them. */
function openEscalating(options: DeskOptions & { night?: Partial<CommonSettings> } = {}) {
  const { night, ...more } = options
  return openDesk({
    settings: { escalate },
    others: { night: { minDelta: 100, ...night } },
    digests: true,
    ...more,
  })
}

const at = (time: string): AlertEvent => alert({ delta: 12, receivedAt: `2026-11-21T${time}:00.000Z` })
const models = ['claude', 'gemini', 'qwen']
const numbered = (number: number): AlertEvent => ({
  ...at('13:10'),
  id: `evt_${number}`,
  model: models[number] ?? null,
})
const acknowledged: Act = {
  kind: 'act',
  id: 'act_1',
  does: 'acknowledge',
  by,
  about: 'evt_1',
  receivedAt: '2026-11-21T13:12:00.000Z',
}

test('an alert that nobody acknowledges goes to the other channel once, with the reason', async () => {
  const desk = await openEscalating()
  await desk.take(at('13:10'))
  expect(await desk.outcome('evt_1', 'night')).toEqual({
    state: 'held',
    until: '2026-11-21T13:25:00.000Z',
    by: 'escalation',
    from: 'desk',
    since: '2026-11-21T13:10:00.000Z',
    after: 15 * minuteMs,
    why: 'it goes here then if nobody has acknowledged it in desk',
  })
  await desk.clock.advance(14 * minuteMs)
  expect(desk.elsewhere.night).toEqual([])
  await desk.clock.advance(2 * minuteMs)
  await desk.quiet()
  expect(desk.elsewhere.night?.map(({ text }) => text[0])).toEqual([
    'Escalated from “desk” on 21 Nov 2026, 13:25 UTC: nobody had acknowledged it since 21 Nov 2026, 13:10 UTC.',
  ])
  expect(await desk.outcome('evt_1', 'night')).toMatchObject({
    state: 'sent',
    escalated: { from: 'desk', since: '2026-11-21T13:10:00.000Z', at: '2026-11-21T13:25:00.000Z' },
  })
  await desk.clock.advance(26 * hourMs)
  expect(desk.elsewhere.night).toHaveLength(1)
  expect(desk.failures).toEqual([])
})

const over = async (desk: Awaited<ReturnType<typeof openEscalating>>) => {
  await desk.clock.advance(hourMs)
  await desk.quiet()
  expect(desk.elsewhere.night).toEqual([])
  return await desk.outcome('evt_1', 'night')
}

test('what somebody acknowledged in time does not escalate, and the outcome says who has it', async () => {
  const desk = await openEscalating()
  await desk.take(at('13:10'), acknowledged)
  expect(await over(desk)).toEqual({ state: 'not_sent', rule: 'not-escalated', why: 'Ana has it' })
})

test.each(['channel-removed', 'unsubscribed'] as const)(
  'what reached nobody on the first channel (%s) goes to the other one all the same',
  async (rule) => {
    const clock = createManualClock(Date.parse('2026-11-21T13:10:00Z'))
    const store = createMemoryBacking(clock).open()
    const desk = await openEscalating({
      clock,
      store,
      settings: { escalate, quiet: { from: '13:00', to: '13:20' } },
    })
    await desk.take(at('13:10'))
    await store.alter('evt_1', 'desk', () => ({ state: 'not_sent', rule, why: 'nobody is there' }))
    await clock.advance(hourMs)
    await desk.quiet()
    expect(desk.sent).toEqual([])
    expect(desk.elsewhere.night?.map(({ text }) => text[0])).toEqual([
      expect.stringMatching(/^Escalated from “desk” on .*: it could not be sent there/),
    ])
  },
)

test('what was put back to new does escalate', async () => {
  const desk = await openEscalating()
  const reopened: Act = {
    ...acknowledged,
    id: 'act_2',
    does: 'set-desk',
    about: 'evt_1',
    state: 'new',
    click: 'c',
  }
  await desk.take(at('13:10'), acknowledged, reopened)
  await desk.clock.advance(hourMs)
  await desk.quiet()
  expect(desk.elsewhere.night).toHaveLength(1)
})

test('what is corrected, silenced or too small does not escalate; a channel that gets it anyway gets it once', async () => {
  const corrected = await openEscalating()
  await corrected.take(at('13:10'), { ...at('13:11'), delta: 4, content: 'other' })
  expect(await over(corrected)).toMatchObject({ rule: 'not-escalated', why: 'evt_1~2 has replaced it' })
  expect(await corrected.outcome('evt_1~2', 'night')).toMatchObject({ state: 'not_sent', rule: 'minDelta' })
  const silence = {
    id: 'act_s',
    by,
    scope: { channel: 'desk' },
    why: 'known',
    until: '2026-11-22T13:10:00.000Z',
  }
  const silenced = await openEscalating({ silences: [silence] })
  await silenced.take(at('13:10'))
  expect(await over(silenced)).toMatchObject({ rule: 'not-escalated', why: 'silenced by Ana: known' })
  const small = await openEscalating()
  await small.take({ ...at('13:10'), delta: 9 })
  expect(await over(small)).toMatchObject({ rule: 'minDelta' })
  const all = await openEscalating({ night: { minDelta: 0 } })
  await all.take(at('13:10'))
  await all.clock.advance(hourMs)
  expect(all.elsewhere.night).toHaveLength(1)
  expect(all.elsewhere.night?.[0]?.text.join()).not.toContain('Escalated')
})

test('the quiet hours of the other channel are obeyed, and an acknowledgement in them counts', async () => {
  const night = { quiet: { from: '13:00', to: '15:00' } }
  const desk = await openEscalating({ night })
  await desk.take(at('13:10'))
  await desk.clock.advance(hourMs)
  expect(await desk.outcome('evt_1', 'night')).toMatchObject({
    state: 'held',
    by: 'escalation',
    until: '2026-11-21T15:00:00.000Z',
    why: expect.stringContaining('quiet hours from 13:00 to 15:00, UTC'),
  })
  await desk.take(acknowledged)
  await desk.clock.advance(hourMs)
  expect(await over(desk)).toMatchObject({ rule: 'not-escalated', why: 'Ana has it' })
  const other = await openEscalating({ night })
  await other.take(at('13:10'))
  await other.clock.advance(2 * hourMs)
  await other.quiet()
  expect(other.elsewhere.night).toHaveLength(1)
})

test('quiet hours of a weekend do not make it late', async () => {
  const night = { quiet: { from: '13:00', to: '12:00', days: ['sat', 'sun'] as ('sat' | 'sun')[] } }
  const desk = await openEscalating({ night })
  await desk.take(at('13:10'))
  await desk.clock.advance(48 * hourMs)
  await desk.quiet()
  expect(desk.elsewhere.night).toHaveLength(1)
})

/** Nothing runs for so many hours after the alerts came. */
async function openAfterOutage(hours: number, settings: Partial<CommonSettings> = {}, count = 1) {
  const clock = createManualClock(Date.parse('2026-11-21T13:10:00Z'))
  const store = createMemoryBacking(clock).open()
  const options = { clock, store, settings: { escalate, ...settings } }
  const before = await openEscalating(options)
  for (let number = 1; number <= count; number += 1) await before.take(numbered(number))
  await before.stop()
  await clock.advance(hours * hourMs)
  const desk = await openEscalating(options)
  await clock.advance(2 * minuteMs)
  await desk.quiet()
  return desk
}

test('after an outage it is sent once, with the times as they were', async () => {
  const desk = await openAfterOutage(20)
  expect(desk.elsewhere.night?.map(({ text }) => text[0])).toEqual([
    expect.stringMatching(/on 22 Nov 2026, 09:1\d UTC: nobody .* since 21 Nov 2026, 13:10/),
  ])
})

test('after an outage of more than a day it is not sent', async () => {
  const desk = await openAfterOutage(25)
  expect(desk.elsewhere.night).toEqual([])
  const outcome = await desk.outcome('evt_1', 'night')
  expect(outcome).toMatchObject({ rule: 'not-escalated', why: 'it is more than a day late' })
})

test.each([
  { by: 'ten minutes', ms: 10 * minuteMs, sent: '13:20', escalated: '13:35' },
  // Each quarter of an hour people had another one, until the wrong day came.
  { by: 'a hundred days', ms: 2_400 * hourMs, sent: '13:1[01]', escalated: '13:2[567]' },
])('if the clock is set back by $by, it is sent when people had their time', async (clock) => {
  const desk = await openEscalating()
  const now = desk.clock.now()
  desk.clock.set(now + clock.ms)
  const then = new Date(now + clock.ms).toISOString()
  await desk.take({ ...at('13:10'), detectedAt: then, receivedAt: then })
  expect(desk.sent).toHaveLength(1)
  desk.clock.set(now)
  await desk.clock.advance(2 * hourMs)
  await desk.quiet()
  expect(desk.elsewhere.night?.map(({ text }) => text[0])).toEqual([
    expect.stringMatching(
      `on 21 Nov 2026, ${clock.escalated} UTC: nobody had acknowledged it since 21 Nov 2026, ${clock.sent} UTC`,
    ),
  ])
})

test('of two processes that find it due, one sends it', async () => {
  const clock = createManualClock(Date.parse('2026-11-21T13:10:00Z'))
  const store = createMemoryBacking(clock).open()
  const desks = [await openEscalating({ clock, store }), await openEscalating({ clock, store })]
  await desks[0]?.take(at('13:10'))
  await clock.advance(hourMs)
  for (const desk of desks) await desk.quiet()
  expect(desks.flatMap(({ elsewhere }) => elsewhere.night ?? [])).toHaveLength(1)
})

test('the same change by the other way, which came here by itself, is not sent a second time', async () => {
  const desk = await openEscalating({ night: { minDelta: 14 } })
  const finding = alert({ id: 'poll_1', found: true, source: 'poll', delta: 12, type: null })
  await desk.take(finding)
  expect(await desk.outcome('poll_1', 'night')).toMatchObject({ state: 'held', by: 'escalation' })
  await desk.take(alert({ id: 'evt_1', delta: 14 }))
  expect(await desk.outcome('evt_1', 'night')).toMatchObject({ state: 'sent' })
  await desk.clock.advance(hourMs)
  await desk.quiet()
  expect(desk.elsewhere.night).toHaveLength(1)
  expect(await desk.outcome('poll_1', 'night')).toMatchObject({ why: 'the same change came here as evt_1' })
})

test('who got it by an escalation gets its correction', async () => {
  const desk = await openEscalating()
  await desk.take(at('13:10'))
  await desk.clock.advance(hourMs)
  await desk.quiet()
  await desk.take({ ...at('14:10'), delta: 4, content: 'other' })
  expect(desk.elsewhere.night?.map(({ id }) => id)).toEqual(['evt_1', 'evt_1~2'])
})

const quiet = { from: '13:00', to: '14:00' }
const afterTwo = 51 * minuteMs

test('what an outage held longer than quiet hours waits until people had their time', async () => {
  const desk = await openAfterOutage(2, { quiet })
  expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1'])
  expect(desk.elsewhere.night).toEqual([])
  expect(await desk.outcome('evt_1', 'night')).toMatchObject({ state: 'held', by: 'escalation' })
  await desk.clock.advance(10 * minuteMs)
  expect(desk.elsewhere.night).toEqual([])
  await desk.clock.advance(6 * minuteMs)
  await desk.quiet()
  expect(desk.elsewhere.night?.map(({ text }) => text[0])).toEqual([
    expect.stringMatching(/on 21 Nov 2026, 15:2\d UTC: nobody .* since 21 Nov 2026, 15:1\d UTC/),
  ])
})

test.each([{ quiet }, { digest: { every: 'hour' } as const }])(
  'what was held and sent as one message escalates, each alert by itself, unless somebody has it or the message: %o',
  async (settings) => {
    const desk = await openEscalating({ settings: { escalate, ...settings } })
    for (const number of [0, 1, 2]) await desk.take(numbered(number))
    await desk.clock.advance(afterTwo)
    await desk.quiet()
    const [digest, ...more] = desk.sent
    expect(more).toEqual([])
    expect(await desk.outcome('evt_1')).toEqual({ state: 'merged', in: digest?.id })
    await desk.take(acknowledged)
    await desk.clock.advance(13 * minuteMs)
    expect(desk.elsewhere.night).toEqual([])
    await desk.clock.advance(8 * minuteMs)
    await desk.quiet()
    expect(desk.elsewhere.night?.map(({ id }) => id).toSorted()).toEqual(['evt_0', 'evt_2'])
    expect(desk.elsewhere.night?.[0]?.text[0]).toContain('acknowledged it since 21 Nov 2026, 14:0')
    expect(await desk.outcome('evt_1', 'night')).toMatchObject({ why: 'Ana has it' })
    const other = await openAfterOutage(2, settings, 2)
    const about = other.sent[0]?.id ?? ''
    expect(about).toMatch(/^dgs_/)
    await other.take({ ...acknowledged, about })
    await other.clock.advance(hourMs)
    expect(other.elsewhere.night).toEqual([])
    expect(await other.outcome('evt_2', 'night')).toMatchObject({ why: 'Ana has it' })
  },
)

test('what somebody has by the message of a story on another channel does not escalate', async () => {
  const stories = { within: 2 * hourMs, worse: 5 }
  const desk = await openEscalating({
    settings: { escalate, stories: 'off' },
    others: { chat: { stories }, night: { minDelta: 100 } },
    editsOthers: true,
  })
  await desk.take(numbered(0), numbered(1))
  expect(await desk.outcome('evt_1', 'chat')).toEqual({ state: 'merged', in: 'evt_0' })
  await desk.take({ ...acknowledged, about: 'evt_0' })
  await desk.clock.advance(hourMs)
  await desk.quiet()
  expect(desk.elsewhere.night).toEqual([])
  expect(await desk.outcome('evt_1', 'night')).toMatchObject({ why: 'Ana has it' })
})

test('a correction of what somebody has does not escalate, of what nobody has it does', async () => {
  const larger = { ...at('13:12'), delta: 14, content: 'other' }
  const desk = await openEscalating()
  await desk.take(at('13:10'), acknowledged, larger)
  await desk.take({ ...larger, delta: 16, content: 'third' })
  await desk.clock.advance(hourMs)
  await desk.quiet()
  expect(desk.elsewhere.night).toEqual([])
  expect(await desk.outcome('evt_1~3', 'night')).toMatchObject({ why: 'Ana has it' })
  for (const settings of [{ escalate }, { escalate, quiet }]) {
    const alone = await openEscalating({ settings })
    await alone.take(at('13:10'), larger)
    await alone.clock.advance(2 * hourMs)
    await alone.quiet()
    expect(alone.elsewhere.night?.map(({ id }) => id)).toEqual(['evt_1~2'])
  }
})

test.each([
  ['waits', { result: 'retry', why: 'no answer', uncertain: false } as const],
  ['failed', { result: 'permanent', why: 'no such channel' } as const],
])('what %s to be sent to the first channel escalates, and says that', async (_, result) => {
  const desk = await openEscalating({ sends: () => result })
  await desk.take(at('13:10'))
  await desk.clock.advance(16 * minuteMs)
  await desk.quiet()
  expect(desk.elsewhere.night?.map(({ text }) => text[0])).toEqual([
    'Escalated from “desk” on 21 Nov 2026, 13:25 UTC: it could not be sent there since 21 Nov 2026, 13:10 UTC.',
  ])
})
