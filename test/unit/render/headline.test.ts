import { describe, expect, test } from 'vitest'
import type { AlertEvent } from '../../../src/event/event.ts'
import type { Levels } from '../../../src/event/levels.ts'
import { headline } from '../../../src/render/headline.ts'
import { alert, finding, levels, noFigures } from '../../support/fakes/events.ts'

const fall = levels({
  before: { rate: 30, prompts: 500, readings: 1 },
  now: { rate: 18.2, prompts: 500, readings: 1 },
})

describe('a headline with the levels', () => {
  test.each<[Partial<AlertEvent>, Levels, string]>([
    [{}, levels(), 'Claude now refuses more political prompts: 30 %, up 12 points from 18 %.'],
    [{ delta: -12 }, fall, 'Claude now refuses fewer political prompts: 18 %, down 12 points from 30 %.'],
    [
      { type: 'policy_change', model: 'chatgpt' },
      levels(),
      'After a policy change, ChatGPT refuses more political prompts: 30 %, up 12 points from 18 %.',
    ],
    [
      { type: 'policy_change', model: 'llama' },
      levels(),
      'After a policy change, the model llama refuses more political prompts: 30 %, up 12 points from 18 %.',
    ],
    [
      { category: 'all' },
      levels({ category: 'overall' }),
      'Claude now refuses more prompts overall: 30 %, up 12 points from 18 %.',
    ],
    [
      {
        before: {
          id: 'poll_1',
          by: 'figures',
          type: null,
          model: null,
          category: null,
          delta: 6,
          detectedAt: null,
        },
      },
      levels(),
      'Claude now refuses more political prompts: 30 %, up 12 points from 18 %, after 6 seen before.',
    ],
  ])('%j', (changes, known, sentence) => {
    expect(headline(alert(changes), { levels: known })).toBe(sentence)
  })

  test('a finding of a policy change is no policy change that somebody reported', () => {
    expect(headline(finding({ type: 'policy_change' }), { levels: levels() })).toBe(
      'Claude now refuses more political prompts: 30 %, up 12 points from 18 %.',
    )
  })

  test.each<[number, number, string]>([
    [18.4, 30.4, '30 %, up 12 points from 18 %'],
    [18.4, 29.6, '29.6 %, up 11.2 points from 18.4 %'],
    [18.6, 30.4, '30.4 %, up 11.8 points from 18.6 %'],
    [20.02, 21, '21 %, up 1 point from 20 %'],
    [20.1, 20.4, '20.4 %, up 0.3 points from 20.1 %'],
    [0.2, 3.1, '3.1 %, up 2.9 points from 0.2 %'],
    [0, 12, '12 %, up 12 points from 0 %'],
    [88, 100, '100 %, up 12 points from 88 %'],
  ])('from %d to %d the three figures add up: %s', (before, now, words) => {
    const known = levels({
      before: { rate: before, prompts: 500, readings: 1 },
      now: { rate: now, prompts: 500, readings: 1 },
    })
    expect(headline(alert(), { levels: known })).toContain(`: ${words}.`)
  })

  test.each<[string, Partial<AlertEvent>, Partial<Levels>]>([
    ['are of another category', {}, { category: 'overall' }],
    ['go the other way', { delta: -12 }, {}],
    ['differ by no more than chance explains', {}, { standardErrors: 1.9 }],
  ])('has none where they %s', (_, changes, known) => {
    expect(headline(alert(changes), { levels: levels(known) })).toMatch(
      /^Claude refuses 12 percentage points (more|fewer) political prompts\.$/,
    )
  })

  test('what does not stand any more is named as it was reported', () => {
    const revision = {
      id: 'evt_2',
      by: 'service',
      type: null,
      model: null,
      category: null,
      delta: 2,
      detectedAt: null,
    } as const
    const said = headline(alert(), {
      levels: levels(),
      revision: { ...revision, receivedAt: '2026-11-22T00:00:00Z' },
    })
    expect(said).toBe('Since corrected: Claude refuses 12 percentage points more political prompts.')
  })
})

test('a policy change and a spike whose size cannot be read', () => {
  expect(headline(alert({ type: 'policy_change', delta: null, category: null, model: null }))).toBe(
    'A policy change is reported for a model that is not named; its size cannot be read.',
  )
  expect(headline(alert({ type: 'model_retired', delta: null }))).toBe(
    'An unrecognised event on political prompts is reported for Claude; its size cannot be read.',
  )
})

const types = ['policy_change', 'censorship_spike', 'model_retired', '', null]
const models = ['claude', 'llama', 'constructor', '', null]
const categories = ['political', 'Safety', 'overall', 'ALL', 'sports', '', null]
const deltas = [12, -12, 0.004, -1, 0, null]
const known = [undefined, levels(), fall, levels({ category: 'overall' }), levels({ category: 'safety' })]
const ways: Partial<AlertEvent>[] = [
  {},
  { source: 'poll', found: true, figures: { ...noFigures, state: 'visible', rate: 30 } },
  { source: 'poll', found: true, figures: { ...noFigures, state: 'visible' } },
]

test.each(types)('every headline of the type %j reads as one sentence', (type) => {
  for (const model of models)
    for (const category of categories)
      for (const delta of deltas)
        for (const shown of known)
          for (const way of ways) {
            const said = headline(alert({ type, model, category, delta, ...way }), { levels: shown })
            expect(said).toMatch(/^[A-Z].*[^.]\.$/)
            expect(said).not.toMatch(/ {2}|null|undefined|NaN|\[object| [.,:;]|\.\./)
            expect(said.length).toBeLessThanOrEqual(
              model === null || model === '' || category === null || category === '' ? 150 : 110,
            )
          }
})

test('an alert as it is documented has a headline of about a hundred characters at most', () => {
  for (const type of ['policy_change', 'censorship_spike'])
    for (const model of ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen'])
      for (const category of ['political', 'safety', 'social', 'overall'])
        for (const [before, now] of [
          [18.6, 30.4],
          [30.4, 18.6],
        ] as const) {
          const shown = levels({
            category,
            before: { rate: before, prompts: 500, readings: 1 },
            now: { rate: now, prompts: 500, readings: 1 },
          })
          const said = headline(alert({ type, model, category, delta: now - before }), { levels: shown })
          expect(said).toContain(' points from ')
          expect(said.length).toBeLessThanOrEqual(102)
        }
})
