import { describe, expect, test } from 'vitest'
import { CommonSettings } from '../../../../src/channels/settings.ts'
import { route } from '../../../../src/decide/route/route.ts'
import type { AlertEvent, Notice } from '../../../../src/event/event.ts'
import { alert, finding, levels } from '../../../support/fakes/events.ts'

const now = Date.parse('2026-11-21T13:05:03Z')
const retentionMs = 90 * 86_400_000

function decide(entry: AlertEvent | Notice, settings: Record<string, unknown>, operators: string[] = []) {
  const channels = [
    CommonSettings.parse({ name: 'desk', ...settings }),
    CommonSettings.parse({ name: 'other' }),
  ]
  return route(entry, { channels, operators, retentionMs }, now).desk
}

describe('what a channel gets', () => {
  test('a channel without filters gets everything, at once', () => {
    expect(decide(alert(), {})).toEqual({
      state: 'waiting',
      dueAt: '2026-11-21T13:05:03.000Z',
      why: 'not tried yet',
      attempts: 0,
    })
  })

  test.each([
    [{ models: ['claude'] }, {}],
    [{ events: ['censorship_spike'] }, {}],
    [{ categories: ['political'] }, {}],
    [{ categories: ['Political'] }, { category: 'POLITICAL' }],
    [{ minDelta: 12 }, {}],
    [{ minDelta: 12 }, { delta: -12 }],
    [{ minDelta: 0 }, { delta: null }],
    [{ direction: 'rise' }, {}],
    [{ direction: 'fall' }, { delta: -0.5 }],
    // Shown as 5, and as a rise of less than 0.01.
    [{ minDelta: 5 }, { delta: 4.996 }],
    [{ minDelta: 5 }, { delta: -4.995 }],
    [{ minDelta: 0.001, direction: 'rise' }, { delta: 0.004 }],
    [
      {
        models: ['claude'],
        events: ['censorship_spike'],
        categories: ['political'],
        minDelta: 5,
        direction: 'rise',
      },
      {},
    ],
  ])('%j passes %j', (settings, event) => {
    expect(decide(alert(event), settings)?.state).toBe('waiting')
  })

  test.each([
    [{ models: ['gemini'] }, {}, 'models', 'the channel gets only gemini; the model is claude'],
    [
      { events: ['policy_change'] },
      {},
      'events',
      'the channel gets only policy_change; the type is censorship_spike',
    ],
    [{ categories: ['safety'] }, {}, 'categories', 'the channel gets only safety; the category is political'],
    [
      { minDelta: 5 },
      { delta: -4.9 },
      'minDelta',
      'the channel gets only changes of at least 5 percentage points; the change is 4.9',
    ],
    [
      { minDelta: 5 },
      { delta: 4.994 },
      'minDelta',
      'the channel gets only changes of at least 5 percentage points; the change is 4.99',
    ],
    [
      { minDelta: 0.01 },
      { delta: 0.004 },
      'minDelta',
      'the channel gets only changes of at least 0.01 percentage points; the change is 0.004',
    ],
    [{ direction: 'fall' }, {}, 'direction', 'the channel gets only changes that fall; this is a rise'],
    [
      { direction: 'rise' },
      { delta: 0 },
      'direction',
      'the channel gets only changes that rise; this is no change',
    ],
  ])('%j refuses %j by %s', (settings, event, rule, why) => {
    expect(decide(alert(event), settings)).toEqual({ state: 'not_sent', rule, why })
  })

  test('a change of the measurement passes the models of every channel, and no other filter', () => {
    const { figures } = finding()
    const shared = levels({ alike: { moved: 4, others: 4, points: 15 } })
    const all = finding({ model: 'chatgpt', ...(figures && { figures: { ...figures, levels: shared } }) })
    expect(decide(all, { models: ['claude'] })?.state).toBe('waiting')
    expect(decide(all, { models: ['claude'], minDelta: 13 })).toMatchObject({ rule: 'minDelta' })
    expect(decide(finding({ model: 'chatgpt' }), { models: ['claude'] })).toMatchObject({ rule: 'models' })
    // What the service reports is about the model that it names.
    expect(decide({ ...all, source: 'webhook' }, { models: ['claude'] })).toMatchObject({ rule: 'models' })
  })

  test('a filter that is set does not pass what it cannot judge, and says why', () => {
    const event = alert({
      delta: null,
      unrecognised: [{ field: 'delta', problem: '“lots” is not a number of points' }],
    })
    expect(decide(event, { minDelta: 5 })).toMatchObject({
      rule: 'minDelta',
      why: 'the channel gets only changes of at least 5 percentage points; the delta could not be read: “lots” is not a number of points',
    })
    expect(decide(event, { models: ['claude'] })?.state).toBe('waiting')
  })

  test('an alert from before the retention is a possible replay and is not sent', () => {
    expect(decide(alert({ detectedAt: '2026-08-01T00:00:00.000Z' }), {})).toMatchObject({
      state: 'not_sent',
      rule: 'stale',
    })
    expect(decide(alert({ detectedAt: '2026-08-24T00:00:00.000Z' }), {})?.state).toBe('waiting')
  })
})

describe('what may be a replay', () => {
  const entry = alert({ detectedAt: '2026-11-10T00:00:00.000Z' })
  const table = { channels: [CommonSettings.parse({ name: 'desk' })], operators: [], retentionMs }

  test('is what is dated when the newest was that the store dropped, or before', () => {
    const horizonMs = Date.parse('2026-11-10T00:00:00.000Z')
    expect(route(entry, table, now, { horizonMs }).desk).toEqual({
      state: 'not_sent',
      rule: 'stale',
      why: 'detected 2026-11-10T00:00:00.000Z; events up to 2026-11-10T00:00:00.000Z were deleted, so it may be a replay',
    })
    expect(route(entry, table, now, { horizonMs: horizonMs - 1 }).desk?.state).toBe('waiting')
    expect(route(entry, table, now, { horizonMs: undefined }).desk?.state).toBe('waiting')
  })

  test('is nothing without a date', () => {
    const undated = alert({ detectedAt: null })
    expect(route(undated, table, now, { horizonMs: now }).desk?.state).toBe('waiting')
  })

  test('is not what corrects a message that stands in the channel', () => {
    const corrects = { id: 'evt_0', channels: ['desk'], sent: ['desk'] }
    const old = alert({ detectedAt: '2025-11-21T13:05:00.000Z' })
    expect(route(old, table, now, { corrects }).desk?.state).toBe('waiting')
  })
})

describe('who is notified of incidents', () => {
  const notice: Notice = {
    kind: 'notice',
    id: 'ntc_1',
    phase: 'trouble',
    channel: null,
    title: 'x',
    text: 'y',
    receivedAt: '2026-11-21T13:05:02.000Z',
  }

  test('only the operators, with or without filters', () => {
    expect(decide(notice, { models: ['gemini'] }, ['desk'])?.state).toBe('waiting')
    expect(decide(notice, {}, ['other'])).toMatchObject({ state: 'not_sent', rule: 'operators-only' })
  })

  test('an incident of an operators channel goes to the others, and to itself only if there are none', () => {
    const about = { ...notice, channel: 'desk' }
    expect(decide(about, {}, ['desk', 'other'])).toMatchObject({ state: 'not_sent', rule: 'operators-only' })
    expect(decide(about, {}, ['desk'])?.state).toBe('waiting')
  })
})
