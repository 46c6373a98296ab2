import { describe, expect, test } from 'vitest'
import type { MentionRule } from '../../../../src/channels/mentions.ts'
import { mentionsOf } from '../../../../src/decide/route/mentions.ts'
import type { Notice } from '../../../../src/event/event.ts'
import { alert, finding } from '../../../support/fakes/events.ts'

const before = {
  id: 'evt_0',
  by: 'service',
  type: 'censorship_spike',
  model: 'claude',
  category: 'political',
  delta: 20,
  detectedAt: '2026-11-21T13:05:00.000Z',
} as const

const notice: Notice = {
  kind: 'notice',
  id: 'ntc_1',
  phase: 'trouble',
  channel: null,
  title: 'Deliveries stay away',
  text: 'For an hour.',
  receivedAt: '2026-11-21T13:05:00.000Z',
}

test.each<[string, MentionRule['when'], boolean]>([
  ['without a condition, every alert', undefined, true],
  ['of its size', { minDelta: 12 }, true],
  ['larger', { minDelta: 12.5 }, false],
  ['of its model, in any case', { models: ['Claude', 'gemini'] }, true],
  ['of another model', { models: ['gemini'] }, false],
  ['of its category', { categories: ['political'] }, true],
  ['of another category', { categories: ['safety'] }, false],
  ['of its direction', { direction: 'rise' }, true],
  ['of the other direction', { direction: 'fall' }, false],
  [
    'of all that at once',
    { minDelta: 5, models: ['claude'], categories: ['political'], direction: 'rise' },
    true,
  ],
  [
    'of all that but one',
    { minDelta: 5, models: ['claude'], categories: ['safety'], direction: 'rise' },
    false,
  ],
  ['a notice', { notices: true }, false],
])('a rule for alerts: %s', (_, when, applies) => {
  expect(mentionsOf(alert(), [{ who: 'here', when }])).toEqual(applies ? ['here'] : [])
})

test('each is mentioned once, in the order of the rules; without rules nobody is', () => {
  const rules: MentionRule[] = [
    { who: 'U0123456' },
    { who: 'here', when: { minDelta: 15 } },
    { who: 'S0123456', when: { direction: 'rise' } },
    { who: 'U0123456', when: { models: ['claude'] } },
  ]
  expect(mentionsOf(alert(), rules)).toEqual(['U0123456', 'S0123456'])
  expect(mentionsOf(alert())).toEqual([])
})

describe('a correction', () => {
  const rules = [{ who: 'here', when: { minDelta: 15 } }]

  test('goes to those who were mentioned with what it corrects, and with what it says', () => {
    expect(mentionsOf(alert({ delta: 3, revises: 'evt_0', before }), rules)).toEqual(['here'])
    expect(
      mentionsOf(alert({ delta: 30, revises: 'evt_0', before: { ...before, delta: 3 } }), rules),
    ).toEqual(['here'])
    expect(mentionsOf(alert({ delta: 3, revises: 'evt_0', before: { ...before, delta: 4 } }), rules)).toEqual(
      [],
    )
  })

  test('so does a withdrawal; a step that goes further counts by its own size', () => {
    const taken = finding({ delta: 0, revises: 'poll_1', before: { ...before, id: 'poll_1', by: 'figures' } })
    expect(mentionsOf(taken, rules)).toEqual(['here'])
    expect(mentionsOf(alert({ delta: 3, before }), rules)).toEqual([])
  })
})

test('a notice of trouble mentions whom a rule says, and neither its end nor a report does', () => {
  const rules = [{ who: 'here' }, { who: 'U0123456', when: { notices: true as const } }]
  expect(mentionsOf(notice, rules)).toEqual(['U0123456'])
  expect(mentionsOf({ ...notice, phase: 'over' }, rules)).toEqual([])
  expect(mentionsOf({ ...notice, status: true }, rules)).toEqual([])
})

test('what could not be read passes no condition that needs it', () => {
  const rules = [{ who: 'here', when: { minDelta: 1 } }, { who: 'channel' }]
  expect(mentionsOf(alert({ delta: null }), rules)).toEqual(['channel'])
})
