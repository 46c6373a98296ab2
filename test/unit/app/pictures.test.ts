import { describe, expect, test } from 'vitest'
import { createAlertFigures, createPictures, type PicturesParts } from '../../../src/app/figures.ts'
import type { AlertEvent } from '../../../src/event/event.ts'
import { dayMs, minuteMs } from '../../../src/platform/durations.ts'
import type { MonitorClient } from '../../../src/service/client/client.ts'
import type { History } from '../../../src/service/client/endpoints/history.ts'
import { openArchive } from '../../support/archive.ts'
import { alert, finding } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'

const now = Date.parse('2026-11-21T13:10:00Z')
const none = { overall: null, political: null, safety: null, social: null }

function historyOf(rates: readonly number[], sampleSize: number | null = 500): History {
  return {
    model: 'claude',
    points: rates.map((political, index) => ({
      at: new Date(now - (rates.length - 1 - index) * dayMs).toISOString(),
      version: null,
      rates: { ...none, political },
      sampleSize: null,
      sampleSizes: none,
    })),
    categories: ['political'],
    sampleSize: null,
    sampleSizes: { ...none, political: sampleSize },
    lastUpdated: null,
    unread: 0,
  }
}

interface Changes extends Partial<Pick<PicturesParts, 'draw'>> {
  rates?: 'auto' | 'fraction' | 'percent'
  client?: Pick<MonitorClient, 'history'>
  maySpend?: () => Promise<boolean>
}

function open({ client, maySpend, rates = 'fraction', ...changes }: Changes = {}) {
  const clock = createManualClock(now)
  const usual = { history: async () => historyOf([0.18, 0.182, 0.3]) }
  const archive = openArchive(clock, client ?? usual, { rates, ...(maySpend && { maySpend }) })
  const { asked } = archive
  const read = archive.reader({ freshMs: minuteMs, patienceMs: 3_000 })
  const drawn: string[] = []
  const why: string[] = []
  const picture = createPictures({
    figures: createAlertFigures({ read, rates, clock }),
    async draw(svg) {
      drawn.push(svg)
      return new Uint8Array([drawn.length])
    },
    clock,
    onNone: (_, reason) => void why.push(reason),
    ...changes,
  })
  return { picture, clock, asked, drawn, why }
}

test('an alert has the last ninety days of its model and category as its picture', async () => {
  const { picture, asked, drawn, why } = open()
  const image = await picture(alert({ detectedAt: '2026-11-21T09:00:00.000Z' }), 'light', 'en')
  expect(image).toMatchObject({
    png: new Uint8Array([1]),
    alt: expect.stringMatching(
      /^Claude: political prompts refused, .* Before the change: 18\.1%\. Change marked on 21 Nov; since then 30\.0%/,
    ),
  })
  expect(asked).toEqual(['claude political 90d'])
  expect(drawn[0]).toContain('change, 21 Nov')
  expect(why).toEqual([])
})

test('one history serves the channels of an alert, and alerts that come together; one picture each look', async () => {
  const { picture, clock, asked, drawn } = open()
  await Promise.all([
    picture(alert(), 'light', 'en'),
    picture(alert(), 'light', 'en'),
    picture(alert(), 'dark', 'en'),
  ])
  await picture(alert({ id: 'evt_2' }), 'dark', 'en')
  expect(asked).toHaveLength(1)
  expect(drawn).toHaveLength(3)
  await clock.advance(61_000)
  await picture(alert({ id: 'evt_3' }), 'dark', 'en')
  expect(asked).toHaveLength(2)
})

test('a history that cannot be had is not asked for with each reader’s mail, but some minutes later', async () => {
  let requests = 0
  const client: Changes['client'] = {
    async history() {
      requests += 1
      throw new Error('the service answers 500')
    },
  }
  const { picture, clock, why } = open({ client })
  for (let reader = 0; reader < 50; reader++) {
    expect(await picture(alert(), 'light', 'en')).toBeUndefined()
    await clock.advance(250)
  }
  expect(requests).toBe(1)
  expect(new Set(why)).toEqual(new Set(['the service answers 500']))
  await clock.advance(5 * 60_000)
  await picture(alert(), 'light', 'en')
  expect(requests).toBe(2)
})

test('the level before is that of the alert, so that both say the same', async () => {
  const { picture } = open()
  const levels = {
    category: 'political',
    since: '2026-11-21T00:00:00.000Z',
    before: { rate: 17.6, prompts: 500, readings: 3 },
  }
  const figures = { levels } as unknown as NonNullable<AlertEvent['figures']>
  expect((await picture(alert({ figures }), 'light', 'en'))?.alt).toContain('Before the change: 17.6%.')
})

describe('there is no picture', () => {
  test.each<[string, AlertEvent, Changes, RegExp]>([
    ['of a model that is not named', alert({ model: null }), {}, /not known/],
    ['of a category that has no history', alert({ category: 'weather' }), {}, /not known/],
    ['of what is withdrawn', finding({ id: 'poll_2', revises: 'poll_1', delta: 0 }), {}, /withdraws/],
    ['where the budget is needed', alert(), { maySpend: async () => false }, /reserved for polling/],
    ['without a history', alert(), { client: { history: async () => historyOf([]) } }, /no history/],
    ['of one day', alert(), { client: { history: async () => historyOf([0.2]) } }, /no history/],
    [
      'where the unit of the rates could only be assumed',
      alert(),
      { rates: 'auto', client: { history: async () => historyOf([0.4, 0.6], null) } },
      /unit/,
    ],
    [
      'where the service fails',
      alert(),
      { client: { history: () => Promise.reject(new Error('it failed')) } },
      /it failed/,
    ],
    ['where it cannot be drawn', alert(), { draw: () => Promise.reject(new Error('no room')) }, /no room/],
  ])('%s', async (_, event, changes, reason) => {
    const { picture, why } = open(changes)
    expect(await picture(event, 'light', 'en')).toBeUndefined()
    expect(why).toEqual([expect.stringMatching(reason)])
  })

  test('after three seconds, and the request is ended', async () => {
    let signal: AbortSignal | undefined
    const { picture, clock, why } = open({
      client: {
        history(_model, _query, given) {
          signal = given
          return new Promise(() => {})
        },
      },
    })
    const late = picture(alert(), 'light', 'en')
    await clock.advance(2_999)
    expect(why).toEqual([])
    await clock.advance(1)
    expect(await late).toBeUndefined()
    expect(why).toEqual(['no history came in time'])
    expect(signal?.aborted).toBe(true)
  })
})

test('pictures are drawn one at a time, and in a storm most alerts have none', async () => {
  let drawing = 0
  const { picture, clock, asked, why } = open({
    async draw() {
      drawing += 1
      expect(drawing).toBe(1)
      await clock.sleep(2_000)
      drawing -= 1
      return new Uint8Array([1])
    },
  })
  const all = Array.from({ length: 50 }, (_, index) => picture(alert({ id: `evt_${index}` }), 'light', 'en'))
  for (let second = 0; second < 20; second++) await clock.advance(1_000)
  const made = await Promise.all(all)
  expect(made.filter((one) => one !== undefined)).toHaveLength(4)
  expect(asked).toHaveLength(1)
  expect(new Set(why)).toEqual(new Set(['too many charts are waiting to be drawn']))
  const later = picture(alert({ id: 'evt_later' }), 'light', 'en')
  for (let second = 0; second < 3; second++) await clock.advance(1_000)
  expect(await later).toBeDefined()
})
