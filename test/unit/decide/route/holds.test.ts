import { describe, expect, test } from 'vitest'
import { CommonSettings } from '../../../../src/channels/settings.ts'
import { heldBy } from '../../../../src/decide/route/holds.ts'
import { route } from '../../../../src/decide/route/route.ts'
import type { StandingSilence } from '../../../../src/event/act.ts'
import { alert } from '../../../support/fakes/events.ts'

const night = { quiet: { from: '22:00', to: '07:00', unless: { minDelta: 20 } } }
const atNight = Date.parse('2026-11-21T23:00:00Z')

function channel(more: object = {}): CommonSettings {
  return CommonSettings.parse({ name: 'desk', ...more })
}

function silence(more: Partial<StandingSilence> = {}): StandingSilence {
  const by = { name: 'Ana', via: 'slack' } as const
  return { id: 'act_1', by, scope: {}, why: 'known', until: '2026-11-22T03:00:00.000Z', ...more }
}

test('in quiet hours an alert is held until they end, and a large one goes out', () => {
  expect(heldBy(alert({ delta: 19 }), channel(night), { silences: [], now: atNight })).toEqual({
    state: 'held',
    until: '2026-11-22T07:00:00.000Z',
    by: 'quiet',
    why: 'quiet hours from 22:00 to 07:00, UTC',
  })
  expect(heldBy(alert({ delta: -20 }), channel(night), { silences: [], now: atNight })).toBeUndefined()
  expect(heldBy(alert({ delta: null }), channel(night), { silences: [], now: atNight })).toMatchObject({
    by: 'quiet',
  })
  expect(
    heldBy(alert(), channel(night), { silences: [], now: Date.parse('2026-11-21T12:00:00Z') }),
  ).toBeUndefined()
  expect(heldBy(alert(), channel(), { silences: [], now: atNight })).toBeUndefined()
})

test('a digest that falls due in quiet hours waits for their end', () => {
  const held = heldBy(alert(), channel({ ...night, digest: { every: 'hour' } }), {
    silences: [],
    now: atNight,
  })
  expect(held).toMatchObject({ by: 'digest', until: '2026-11-22T07:00:00.000Z' })
  const early = heldBy(alert(), channel({ digest: { every: 'day', at: '06:00' } }), {
    silences: [],
    now: atNight,
  })
  expect(early).toMatchObject({ by: 'digest', until: '2026-11-22T06:00:00.000Z' })
})

describe('a silence', () => {
  test('holds what it covers until it ends, however large, and then until quiet hours end', () => {
    const noon = Date.parse('2026-11-21T12:00:00Z')
    expect(heldBy(alert({ delta: 60 }), channel(), { silences: [silence()], now: noon })).toEqual({
      state: 'held',
      until: '2026-11-22T03:00:00.000Z',
      by: 'act_1',
      why: 'silenced by Ana: known',
    })
    expect(heldBy(alert({ delta: 5 }), channel(night), { silences: [silence()], now: noon })).toMatchObject({
      by: 'act_1',
      until: '2026-11-22T07:00:00.000Z',
    })
  })

  test('of several, the one that lasts longest', () => {
    const longer = silence({ id: 'act_2', until: '2026-11-23T03:00:00.000Z' })
    expect(heldBy(alert(), channel(), { silences: [silence(), longer], now: atNight })).toMatchObject({
      by: 'act_2',
    })
  })

  test.each([
    [{ model: 'claude' }, true],
    [{ model: 'Claude', category: 'Political' }, true],
    [{ model: 'gemini' }, false],
    [{ category: 'safety' }, false],
    [{ channel: 'desk' }, true],
    [{ channel: 'other' }, false],
  ])('of %j covers an alert about claude and political prompts on desk: %s', (scope, isCovered) => {
    expect(heldBy(alert(), channel(), { silences: [silence({ scope })], now: atNight }) !== undefined).toBe(
      isCovered,
    )
  })

  test('holds no correction of what was sent, and holds that of what it holds', () => {
    const table = { channels: [channel()], operators: [], retentionMs: 30 * 86_400_000 }
    const corrects = { id: 'evt_0', channels: ['desk'], sent: ['desk'] }
    const circumstances = { silences: [silence()], corrects }
    expect(route(alert(), table, atNight, circumstances).desk?.state).toBe('waiting')
    const unsent = { ...circumstances, corrects: { ...corrects, sent: [] } }
    expect(route(alert(), table, atNight, unsent).desk?.state).toBe('held')
  })
})

test('nothing is held that a filter does not let pass, and no notice of trouble', () => {
  const table = {
    channels: [channel({ ...night, minDelta: 50 })],
    operators: ['desk'],
    retentionMs: 86_400_000,
  }
  expect(route(alert(), table, atNight).desk).toMatchObject({ state: 'not_sent', rule: 'minDelta' })
  const notice = {
    kind: 'notice' as const,
    id: 'ntc_1',
    phase: 'trouble' as const,
    channel: null,
    title: 't',
    text: 't',
    receivedAt: '2026-11-21T23:00:00.000Z',
  }
  expect(route(notice, table, atNight).desk?.state).toBe('waiting')
})
