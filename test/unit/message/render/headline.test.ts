import { describe, expect, test } from 'vitest'
import type { AlertEvent } from '../../../../src/event/event.ts'
import type { Levels } from '../../../../src/event/levels.ts'
import { headline } from '../../../../src/message/render/headline.ts'
import { statedSize } from '../../../../src/message/render/levels.ts'
import { alert, finding, levels, noFigures } from '../../../support/fakes/events.ts'

const fall = levels({
  before: { rate: 30, prompts: 500, readings: 1 },
  now: { rate: 18.2, prompts: 500, readings: 1 },
})

function withLevels(event: AlertEvent, known: Levels | undefined): AlertEvent {
  return known === undefined
    ? event
    : { ...event, figures: { ...noFigures, state: 'visible', levels: known } }
}

function headlineOf(event: AlertEvent, known: Levels | undefined): string {
  return headline(event, { size: statedSize(withLevels(event, known)) })
}

describe('a headline with the levels', () => {
  test.each<[Partial<AlertEvent>, Levels, string]>([
    [{}, levels(), 'Claude refused 30% of political prompts, up from 18%.'],
    [{ delta: -12 }, fall, 'Claude refused 18% of political prompts, down from 30%.'],
    [
      { type: 'policy_change', model: 'chatgpt' },
      levels(),
      'ChatGPT policy change: 30% of political prompts refused, up from 18%.',
    ],
    [
      { type: 'policy_change', model: 'llama' },
      levels(),
      'The model llama policy change: 30% of political prompts refused, up from 18%.',
    ],
    [{ category: 'all' }, levels({ category: 'overall' }), 'Claude refused 30% of all prompts, up from 18%.'],
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
      'Claude refused 30% of political prompts, up from 18% (after a first rise of 6).',
    ],
  ])('%j', (changes, known, sentence) => {
    expect(headlineOf(alert(changes), known)).toBe(sentence)
  })

  test('a finding of a policy change is no policy change that somebody reported', () => {
    expect(headlineOf(finding({ type: 'policy_change' }), levels())).toBe(
      'Claude refused 30% of political prompts, up from 18%.',
    )
  })

  test.each<[number, number, string]>([
    [18.4, 30.4, '30% of political prompts, up from 18%'],
    [18.4, 29.6, '29.6% of political prompts, up from 18.4%'],
    [18.6, 30.4, '30.4% of political prompts, up from 18.6%'],
    [20.02, 21, '21% of political prompts, up from 20%'],
    [20.1, 20.4, '20.4% of political prompts, up from 20.1%'],
    [0.2, 3.1, '3.1% of political prompts, up from 0.2%'],
    [0, 12, '12% of political prompts, up from 0%'],
    [88, 100, '100% of political prompts, up from 88%'],
  ])('from %d to %d the figures add up to the size: %s', (before, now, words) => {
    const shownLevels = levels({
      before: { rate: before, prompts: 500, readings: 1 },
      now: { rate: now, prompts: 500, readings: 1 },
    })
    const event = alert({ delta: Number((now - before).toFixed(1)) })
    expect(headlineOf(event, shownLevels)).toBe(`Claude refused ${words}.`)
  })

  test.each<[string, Partial<AlertEvent>, Partial<Levels>]>([
    ['are of another category', {}, { category: 'overall' }],
    ['go the other way', { delta: -12 }, {}],
    ['differ by no more than chance usually makes', {}, { standardErrors: 1.9 }],
    ['differ by another size, though within the noise', {}, { now: { rate: 28, prompts: 500, readings: 1 } }],
    ['differ by another size', {}, { now: { rate: 50, prompts: 500, readings: 1 } }],
  ])('has none where they %s', (_, changes, known) => {
    expect(headlineOf(alert(changes), levels(known))).toMatch(
      /^Claude’s refusal rate on political prompts (rose|fell) 12 points\.$/,
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
    const corrected = headline(alert(), {
      size: statedSize(withLevels(alert(), levels())),
      revision: { ...revision, receivedAt: '2026-11-22T00:00:00Z' },
    })
    expect(corrected).toBe('CORRECTED: Claude’s refusal rate on political prompts rose 12 points.')
  })
})

test('a policy change and a spike whose size cannot be read', () => {
  expect(headline(alert({ type: 'policy_change', delta: null, category: null, model: null }))).toBe(
    'A policy change was reported for an unnamed model, but its size is unreadable.',
  )
  expect(headline(alert({ type: 'model_retired', delta: null }))).toBe(
    'An unrecognised event was reported for Claude on political prompts, but its size is unreadable.',
  )
})

const types = ['policy_change', 'censorship_spike', 'model_retired', '', null]
const models = ['claude', 'llama', 'constructor', '', null]
const categories = ['political', 'Safety', 'overall', 'ALL', 'sports', '', null]
const deltas = [12, -12, 0.004, -1, 0, null]
const allLevels = [undefined, levels(), fall, levels({ category: 'overall' }), levels({ category: 'safety' })]
const ways: Partial<AlertEvent>[] = [
  {},
  { source: 'poll', found: true, figures: { ...noFigures, state: 'visible', rate: 30 } },
  { source: 'poll', found: true, version: { from: '4.1', to: '4.2' } },
]

test.each(types)('every headline of the type %j reads as one sentence', (type) => {
  for (const model of models)
    for (const category of categories)
      for (const delta of deltas)
        for (const shown of allLevels)
          for (const way of ways) {
            const text = headlineOf(alert({ type, model, category, delta, ...way }), shown)
            expect(text).toMatch(/^[A-Z].*[^.]\.$/)
            expect(text).not.toMatch(/ {2}|null|undefined|NaN|\[object| [.,:;]|\.\./)
            expect(text.length).toBeLessThanOrEqual(
              model === null || model === '' || category === null || category === '' ? 150 : 110,
            )
          }
})

test('an alert as it is documented has a headline of eighty characters at most', () => {
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
          const text = headlineOf(alert({ type, model, category, delta: now - before }), shown)
          expect(text).toContain('% of ')
          expect(text.length).toBeLessThanOrEqual(80)
        }
})
