import { describe, expect, test } from 'vitest'
import { changeOf } from '../../../src/accept/correlate.ts'
import type { Message } from '../../../src/channels/message.ts'
import type { AlertEvent } from '../../../src/event/event.ts'
import type { Levels } from '../../../src/event/levels.ts'
import { type RenderContext, render } from '../../../src/render/render.ts'
import { alert, finding, levels, noFigures } from '../../support/fakes/events.ts'

const context = { service: 'Censorship Monitoring Service', timeZone: 'Europe/Berlin' }

function shown(known: Partial<Levels> = {}): Pick<AlertEvent, 'figures'> {
  return { figures: { ...noFigures, state: 'visible', rate: 30, levels: levels(known) } }
}

function factsOf(message: Message, ...labels: string[]): Record<string, string | undefined> {
  return Object.fromEntries(
    labels.map((label) => [label, message.facts.find((fact) => fact.label === label)?.value]),
  )
}

function other(event: AlertEvent): Pick<RenderContext, 'other'> {
  return { other: changeOf(event) }
}

describe('what the published figures show of a report', () => {
  test('is said with every number that it was judged by', () => {
    const message = render(alert(shown()), context)
    expect(message.headline).toBe('Claude now refuses more political prompts: 30 %, up 12 points from 18 %.')
    expect(message.facts).toEqual([
      { label: 'Model', value: 'Claude' },
      { label: 'Category', value: 'political' },
      { label: 'Reported change', value: '+12 percentage points' },
      { label: 'Before', value: '18.1 % of 14,500 prompts in 29 readings before 21 Nov 2026' },
      { label: 'Now', value: '30.0 % of 500 prompts (one reading, 21 Nov 2026)' },
      {
        label: 'How sure',
        value: '+11.6 points (95 %: 8.0 to 15.3); 6.2 standard errors, noise 1.0 × binomial',
      },
      { label: 'Detected', value: '21 Nov 2026, 14:05 CET' },
      { label: 'Received', value: '21 Nov 2026, 14:05 CET' },
    ])
    expect(message.caveats).toEqual([])
    expect(message.text).toHaveLength(1)
  })

  test('is said with drift, errors besides and without sizes, where it was judged so', () => {
    const known = {
      drift: -1.04,
      besides: 1.2,
      noise: 0.4,
      interval: [-15.3, -8] as [number, number],
      size: -11.6,
      before: { rate: 30, prompts: null, readings: 29 },
      now: { rate: 18.1, prompts: null, readings: 3 },
    }
    expect(
      factsOf(render(alert({ delta: -12, ...shown(known) }), context), 'Before', 'Now', 'How sure'),
    ).toEqual({
      Before: '30.0 % in 29 readings before 21 Nov 2026, and a drift of −1.0 points',
      Now: '18.1 % (3 readings since 21 Nov 2026)',
      'How sure':
        '−11.6 points (95 %: −15.3 to −8.0); 6.2 standard errors, noise 0.40 × binomial and an error of 1.2 points besides',
    })
  })

  test('of another size is said beside the number of the service, as its own', () => {
    const message = render(alert({ delta: 18, ...shown() }), context)
    expect(message.headline).toContain('30 %, up 12 points from 18 %')
    expect(message.text[1]).toBe(
      'The Censorship Monitoring Service reports +18 percentage points; its published figures show +11.9.',
    )
    expect(factsOf(message, 'Reported change')).toEqual({ 'Reported change': '+18 percentage points' })
  })

  test('of another category is named as that, and is not in the headline', () => {
    const overall = finding({ category: 'overall', delta: 5, ...shown({ category: 'overall' }) })
    const message = render(alert(), { ...context, ...other(overall) })
    expect(message.headline).toBe('Claude refuses 12 percentage points more political prompts.')
    expect(factsOf(message, 'Now')).toEqual({
      Now: 'overall: 30.0 % of 500 prompts (one reading, 21 Nov 2026)',
    })
    const own = render(alert(shown({ now: { rate: 31, prompts: 200, readings: 1 } })), {
      ...context,
      ...other(overall),
    })
    expect(own.headline).toContain(': 31 %, up 13 points from 18 %.')
  })

  test('later stands in the message about the report, with what polling found', () => {
    const before = render(alert({ figures: { ...noFigures, state: 'not-shown' } }), context)
    expect(before.headline).toBe('Claude refuses 12 percentage points more political prompts.')
    const after = render(alert({ figures: { ...noFigures, state: 'not-shown' } }), {
      ...context,
      ...other(finding(shown())),
    })
    expect(after.headline).toBe('Claude now refuses more political prompts: 30 %, up 12 points from 18 %.')
    expect(after.text[1]).toBe('Also seen by polling in the published figures.')
    expect(factsOf(after, 'Before', 'Published figures')).toEqual({
      Before: '18.1 % of 14,500 prompts in 29 readings before 21 Nov 2026',
      'Published figures': undefined,
    })
  })

  test('is told as two sentences of one message where polling was first', () => {
    const message = render(finding(shown()), { ...context, ...other(alert({ delta: 14 })) })
    expect(message.headline).toBe('Claude now refuses more political prompts: 30 %, up 12 points from 18 %.')
    expect(message.text[1]).toBe(
      'Also reported by the Censorship Monitoring Service (evt_1): +14 percentage points.',
    )
  })

  test('is not taken from a finding that was withdrawn', () => {
    const revision = { ...changeOf(finding({ delta: 0 })), receivedAt: '2026-11-22T13:05:00.000Z' }
    const withdrawn = { ...changeOf(finding(shown())), revision }
    expect(render(alert(), { ...context, other: withdrawn }).headline).toBe(
      'Claude refuses 12 percentage points more political prompts.',
    )
  })
})

describe('a finding', () => {
  test('says what an editor must know: that it is provisional, a drift, or one of the measurement', () => {
    expect(render(finding(shown()), context).caveats).toEqual(['Provisional: one reading shows it.'])
    const more = shown({
      driftSince: '2026-10-10T00:00:00.000Z',
      version: { from: '4.1', to: '4.2\u202E' },
      alike: { moved: 3, others: 4, points: 11.04 },
    })
    const message = render(finding(more), context)
    expect(message.caveats).toEqual([
      'No step but a drift since 10 Oct 2026.',
      '3 of 4 other models moved alike (+11.0 points in the middle): more likely a change of the measurement than of a model.',
    ])
    expect(factsOf(message, 'Version')).toEqual({ Version: '4.1 became 4.2' })
  })

  test('that is borne out shows the levels of all its readings, and is provisional no more', () => {
    const more = finding({
      id: 'poll_2',
      delta: 11,
      ...shown({ now: { rate: 29.1, prompts: 1_500, readings: 3 } }),
    })
    const confirmation = { ...changeOf(more), receivedAt: '2026-11-23T13:05:00.000Z' }
    const message = render(finding(shown()), { ...context, confirmation })
    expect(message.headline).toBe('Claude now refuses more political prompts: 29 %, up 11 points from 18 %.')
    expect(factsOf(message, 'Now')).toEqual({ Now: '29.1 % of 1,500 prompts (3 readings since 21 Nov 2026)' })
    expect(message.caveats).toEqual([])
  })

  test('that is withdrawn shows what it had shown as past', () => {
    const revision = { ...changeOf(finding({ delta: 0 })), receivedAt: '2026-11-22T13:05:00.000Z' }
    const message = render(finding(shown()), { ...context, revision })
    expect(message.headline).toBe('Withdrawn: Claude refuses 12 percentage points more political prompts.')
    expect(factsOf(message, 'Then', 'Now')).toMatchObject({
      Then: expect.stringContaining('30.0 %'),
      Now: undefined,
    })
    expect(message.caveats).toEqual([])
  })
})

test('what was stored before there were levels reads as it did', () => {
  const message = render(finding(), context)
  expect(message.headline).toBe('Claude refuses 12 percentage points more political prompts.')
  expect(message.facts.at(-1)).toEqual({
    label: 'Published figures',
    value: '30 % of 500, against 18 % over 30 days; 6.7 standard errors',
  })
})
