import { describe, expect, test } from 'vitest'
import { changeOf } from '../../../../src/decide/accept/correlate.ts'
import type { AlertEvent } from '../../../../src/event/event.ts'
import type { Levels } from '../../../../src/event/levels.ts'
import type { Message } from '../../../../src/message/message.ts'
import { type RenderContext, render } from '../../../../src/message/render/render.ts'
import { alert, finding, levels, noFigures } from '../../../support/fakes/events.ts'

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
  test('is both levels and a range that contains the size of the headline', () => {
    const message = render(alert(shown()), context)
    expect(message.headline).toBe('Claude refused 30% of political prompts, up from 18%.')
    expect(message.facts).toEqual([
      { label: 'Model', value: 'Claude' },
      { label: 'Category', value: 'political' },
      { label: 'Reported change', value: '+12 percentage points' },
      { label: 'Before', value: '18.1% of 14,500 prompts in 29 readings before 21 Nov 2026' },
      { label: 'Now', value: '30.0% of 500 prompts (one reading, 21 Nov 2026)' },
      { label: 'How sure', value: 'Very unlikely to be chance (95% range +8.0 to +15.3 points)' },
      { label: 'Detected', value: '21 Nov 2026, 14:05 CET' },
      { label: 'Received', value: '21 Nov 2026, 14:05 CET' },
    ])
    expect(message.caveats).toEqual([])
    expect(message.text).toHaveLength(1)
  })

  test.each<[number, number, string]>([
    [0.04, 28.3, 'Very unlikely to be chance, but its size is open (95% range 0.0 to +28.3 points)'],
    [0.06, 28.3, 'Very unlikely to be chance (95% range +0.1 to +28.3 points)'],
  ])('has an open size if its range begins at zero (%d)', (from, to, sure) => {
    const message = render(alert(shown({ interval: [from, to] })), context)
    expect(factsOf(message, 'How sure')).toEqual({ 'How sure': sure })
  })

  test('is said with the drift, and without the prompts if these are not known', () => {
    const drifting = {
      drift: -1.04,
      interval: [-15.3, -8] as [number, number],
      size: -11.6,
      before: { rate: 30, prompts: null, readings: 29 },
      now: { rate: 18.1, prompts: null, readings: 3 },
    }
    expect(
      factsOf(render(alert({ delta: -12, ...shown(drifting) }), context), 'Before', 'Now', 'How sure'),
    ).toEqual({
      Before: '30.0% in 29 readings before 21 Nov 2026, plus a gradual change of −1.0 points',
      Now: '18.1% (3 readings since 21 Nov 2026)',
      'How sure': 'Very unlikely to be chance (95% range −15.3 to −8.0 points)',
    })
  })

  test('of another size is one sentence with both; the headline has the reported size', () => {
    const message = render(alert({ delta: 18, ...shown() }), context)
    expect(message.headline).toBe('Claude’s refusal rate on political prompts rose 18 points.')
    expect(message.text[1]).toBe(
      'The Censorship Monitoring Service reports +18 percentage points; its published figures show +11.9, from 18.1% to 30.0%.',
    )
    expect(message.facts.map(({ label }) => label)).toEqual([
      'Model',
      'Category',
      'Reported change',
      'Detected',
      'Received',
    ])
  })

  test('of another size within the noise stands beside the reported size, with a range that contains it', () => {
    const message = render(alert({ delta: 14, ...shown() }), context)
    expect(message.headline).toBe('Claude’s refusal rate on political prompts rose 14 points.')
    expect(message.text).toHaveLength(1)
    expect(factsOf(message, 'Now', 'How sure')).toEqual({
      Now: '30.0% of 500 prompts (one reading, 21 Nov 2026)',
      'How sure': 'Very unlikely to be chance (95% range +8.0 to +15.3 points)',
    })
  })

  test('has no range in a message if that does not contain the size of the headline', () => {
    const message = render(finding(shown({ size: 7, interval: [3, 11] })), context)
    expect(message.headline).toBe('Claude refused 30% of political prompts, up from 18%.')
    expect(factsOf(message, 'Before', 'How sure')).toMatchObject({
      Before: expect.stringContaining('18.1%'),
      'How sure': undefined,
    })
  })

  test('of another category is another figure, and stands on the page alone', () => {
    const overall = finding({ category: 'overall', delta: 5, ...shown({ category: 'overall' }) })
    const message = render(alert(), { ...context, ...other(overall) })
    expect(message.headline).toBe('Claude’s refusal rate on political prompts rose 12 points.')
    expect(factsOf(message, 'Now')).toEqual({ Now: undefined })
    const ofPolitical = render(
      alert({ delta: 13, ...shown({ now: { rate: 31, prompts: 200, readings: 1 } }) }),
      {
        ...context,
        ...other(overall),
      },
    )
    expect(ofPolitical.headline).toBe('Claude refused 31% of political prompts, up from 18%.')
  })

  test('later stands in the message about the report, with what polling found', () => {
    const before = render(alert({ figures: { ...noFigures, state: 'not-shown' } }), context)
    expect(before.headline).toBe('Claude’s refusal rate on political prompts rose 12 points.')
    const after = render(alert({ figures: { ...noFigures, state: 'not-shown' } }), {
      ...context,
      ...other(finding(shown())),
    })
    expect(after.headline).toBe('Claude refused 30% of political prompts, up from 18%.')
    expect(after.text[1]).toBe('Also found in the published figures.')
    expect(factsOf(after, 'Before')).toEqual({
      Before: '18.1% of 14,500 prompts in 29 readings before 21 Nov 2026',
    })
  })

  test.each<[string, Partial<Levels>, string, string]>([
    ['one reading', {}, '2026-11-21T13:04:00.000Z', '2026-11-21T13:05:00.000Z'],
    [
      'several readings, the first of them',
      { now: { rate: 30, prompts: 1_000, readings: 2 } },
      '2026-11-22T13:00:00.000Z',
      '2026-11-22T13:00:00.000Z',
    ],
    [
      'a reading without a time of day',
      { since: '2026-11-21T00:00:00.000Z', firstRead: '2026-11-21T13:04:00.000Z' },
      '2026-11-21T00:00:00.000Z',
      '2026-11-21T00:00:00.000Z',
    ],
  ])('is left out if it was found in %s older than the report', (_, known, tooOld, other) => {
    const otherWay = (readAt: string, more: Partial<Levels> = {}) => {
      const { figures } = shown({ ...known, ...more })
      return finding({ figures: figures && { ...figures, readAt } })
    }
    const rendered = (event: AlertEvent) => render(alert(), { ...context, other: changeOf(event) })
    const old = rendered(otherWay(tooOld))
    expect(old.headline).toBe('Claude’s refusal rate on political prompts rose 12 points.')
    expect(factsOf(old, 'Before', 'Now')).toEqual({ Before: undefined, Now: undefined })
    expect(old.text[1]).toBe('Also found in the published figures.')
    const later = { since: '2026-11-21T13:05:00.000Z', firstRead: '2026-11-21T13:05:00.000Z' }
    expect(rendered(otherWay(other, later)).headline).toBe(
      'Claude refused 30% of political prompts, up from 18%.',
    )
  })

  test.each([
    [12, []],
    [
      14,
      [
        'The Censorship Monitoring Service reports +14 percentage points; its published figures show +11.9, from 18.1% to 30.0%.',
      ],
    ],
    [
      18,
      [
        'The Censorship Monitoring Service reports +18 percentage points; its published figures show +11.9, from 18.1% to 30.0%.',
      ],
    ],
  ])(
    'is the size of a finding, and what the service reports later of it, here %i, is said as its report',
    (delta, texts) => {
      const message = render(finding(shown()), { ...context, ...other(alert({ delta })) })
      expect(message.headline).toBe('Claude refused 30% of political prompts, up from 18%.')
      expect(factsOf(message, 'Change in refusal rate', 'How sure')).toEqual({
        'Change in refusal rate': '+11.9 percentage points',
        'How sure': 'Very unlikely to be chance (95% range +8.0 to +15.3 points)',
      })
      expect(message.text.slice(1)).toEqual([
        ...texts,
        'Also reported by the Censorship Monitoring Service (evt_1).',
      ])
    },
  )

  test('is of its own category, if polling found it in the overall rate', () => {
    const overall = finding({ category: 'overall', ...shown({ category: 'overall' }) })
    const message = render(overall, { ...context, ...other(alert({ delta: 18 })) })
    expect(message.headline).toBe('Claude refused 30% of all prompts, up from 18%.')
    expect(JSON.stringify(message.text)).not.toContain('18')
  })

  test('is not taken from a finding that was withdrawn', () => {
    const revision = { ...changeOf(finding({ delta: 0 })), receivedAt: '2026-11-22T13:05:00.000Z' }
    const withdrawn = { ...changeOf(finding(shown())), revision }
    expect(render(alert(), { ...context, other: withdrawn }).headline).toBe(
      'Claude’s refusal rate on political prompts rose 12 points.',
    )
  })
})

describe('a finding', () => {
  test('says what an editor must know: that it is provisional, a drift, or one of the measurement', () => {
    expect(render(finding(shown()), context).caveats).toEqual(['Provisional: based on one reading.'])
    const more = shown({
      driftSince: '2026-10-10T00:00:00.000Z',
      version: { from: '4.1', to: '4.2\u202E' },
      alike: { moved: 3, others: 4, points: 11.04 },
    })
    const message = render(finding(more), context)
    expect(message.caveats).toEqual([
      'A gradual change since 10 Oct 2026, not a sudden one.',
      '3 of 4 other models changed in the same way (median +11.0 points). This suggests a change in the measurement rather than in this model.',
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
    expect(message.headline).toBe('Claude refused 29% of political prompts, up from 18%.')
    expect(factsOf(message, 'Now')).toEqual({ Now: '29.1% of 1,500 prompts (3 readings since 21 Nov 2026)' })
    expect(message.caveats).toEqual([])
  })

  test('that the service reports, too, is provisional no more: on its page as in its messages', () => {
    const message = render(finding(shown()), { ...context, ...other(alert()) })
    expect(message.caveats).toEqual([])
  })

  test('that is withdrawn shows what it had shown as past', () => {
    const revision = { ...changeOf(finding({ delta: 0 })), receivedAt: '2026-11-22T13:05:00.000Z' }
    const message = render(finding(shown()), { ...context, revision })
    expect(message.headline).toBe('WITHDRAWN: Claude’s refusal rate on political prompts rose 11.9 points.')
    expect(factsOf(message, 'At the time', 'Now')).toMatchObject({
      'At the time': expect.stringContaining('30.0%'),
      Now: undefined,
    })
    expect(message.caveats).toEqual([])
  })
})
