import { expect, test } from 'vitest'
import { alert, finding, noFigures } from '../../../support/fakes/events.ts'
import { openDesk } from './desk.ts'

const hour = 60 * 60_000
const at = Date.parse('2026-11-21T13:05:00Z')
const later = (hours: number) => new Date(at + hours * hour).toISOString()

/** A step that polling found with a standard error of two points. */
const findingOf = (delta: number, changes: object = {}) =>
  finding({
    delta,
    figures: { ...noFigures, state: 'visible', rate: 30, standardErrors: Math.abs(delta) / 2 },
    ...changes,
  })

test('+12 from the figures and +23 from the service two and a half days later: both are sent, everywhere', async () => {
  const desk = await openDesk({ others: { mail: {}, large: { minDelta: 20 } } })
  const spike = alert({ delta: 23, detectedAt: later(60), receivedAt: later(60) })
  expect(await desk.take(findingOf(12), spike)).toEqual(['new', 'new'])
  expect(desk.sent.map(({ id }) => id)).toEqual(['poll_1', 'evt_1'])
  expect(desk.edited).toEqual([])
  expect(desk.elsewhere.mail?.map(({ id }) => id)).toEqual(['poll_1', 'evt_1'])
  expect(desk.elsewhere.large?.map(({ id }) => id)).toEqual(['evt_1'])
  expect(desk.sent[1]).toMatchObject({
    kicker: 'Rose again',
    headline: 'Claude’s refusal rate on political prompts rose 23 points (after a first rise of 12).',
    text: [
      expect.any(String),
      'The rate rose again: now +23 percentage points. Earlier, the published figures had shown +12 percentage points (poll_1, detected on 21 Nov 2026, 13:05 UTC).',
    ],
    facts: expect.arrayContaining([
      { label: 'Reported change', value: '+23 percentage points' },
      { label: 'Previously found', value: '+12 percentage points' },
    ]),
  })
  expect(await desk.store.find('evt_1')).toMatchObject({ entry: { sameAs: null } })
})

test('a larger fall that follows a fall is sent as what it is', async () => {
  const desk = await openDesk()
  await desk.take(findingOf(-12), alert({ delta: -23, detectedAt: later(60) }))
  expect(desk.sent[1]).toMatchObject({
    kicker: 'Fell again',
    headline: 'Claude’s refusal rate on political prompts fell 23 points (after a first fall of 12).',
  })
})

test('what polling finds larger, days after a report, is sent too', async () => {
  const desk = await openDesk()
  await desk.take(alert(), findingOf(23, { detectedAt: later(60) }))
  expect(desk.sent[1]).toMatchObject({
    id: 'poll_1',
    headline: 'Claude’s refusal rate on political prompts rose 23 points (after a first rise of 12).',
    text: [
      expect.any(String),
      'The rate rose again: now +23 percentage points. Earlier, the Service had reported +12 percentage points (evt_1, detected on 21 Nov 2026, 13:05 UTC).',
    ],
  })
})

test('a further rise is recognised even if the first came both ways, and after a restart', async () => {
  const before = await openDesk()
  await before.take(findingOf(12), alert())
  await before.stop()
  const after = await openDesk({ store: before.store, clock: before.clock })
  await after.take(alert({ id: 'evt_2', delta: 23, detectedAt: later(60) }))
  expect(after.sent).toMatchObject([
    { headline: 'Claude’s refusal rate on political prompts rose 23 points (after a first rise of 12).' },
  ])
  await after.stop()
  // Its own confirmation is one, and not a further rise.
  const again = await openDesk({ store: before.store, clock: before.clock })
  await again.take(findingOf(22, { id: 'poll_2', detectedAt: later(62) }))
  expect(again.sent).toEqual([])
  expect(await again.store.find('poll_2')).toMatchObject({ entry: { sameAs: 'evt_2' } })
})

test.each([
  ['dated within a day', { delta: 23, detectedAt: later(20) }],
  ['within the noise', { delta: 17, detectedAt: later(60) }],
  ['of unknown size', { delta: null, detectedAt: later(60) }],
  ['smaller', { delta: 7, detectedAt: later(60) }],
])('a second that is %s confirms the first, and is not sent again', async (_, changes) => {
  const desk = await openDesk({ others: { mail: {} } })
  await desk.take(findingOf(12), alert(changes))
  expect(desk.sent).toHaveLength(1)
  expect(desk.edited).toHaveLength(1)
  expect(desk.elsewhere.mail).toHaveLength(1)
})

test('a channel whose messages cannot be changed is not sent the confirmation, and its outcome says so', async () => {
  const desk = await openDesk({ others: { mail: {} } })
  await desk.take(alert(), finding())
  expect(await desk.outcome('poll_1')).toEqual({ state: 'merged', in: 'evt_1' })
  expect(await desk.outcome('poll_1', 'mail')).toEqual({
    state: 'not_sent',
    rule: 'same-change',
    why: 'reported already as evt_1; a message here cannot be changed, and a confirmation alone is not sent',
  })
})
