import { expect, test } from 'vitest'
import { createModelFigures, createStoredFigures } from '../../../src/app/figures.ts'
import { dayMs, hourMs } from '../../../src/platform/durations.ts'
import { createStoredReader } from '../../../src/record/figures/reader.ts'
import type { History } from '../../../src/service/client/endpoints/history.ts'
import { openArchive } from '../../support/archive.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'

const now = Date.parse('2026-11-21T13:10:00Z')
const none = { overall: null, political: null, safety: null, social: null }

function historyOf(rates: readonly number[]): History {
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
    sampleSize: 500,
    sampleSizes: none,
    lastUpdated: null,
    unread: 0,
  }
}

/** A store to which polling, or somebody else, has written histories; and a service that counts what it is asked. */
function open(history = historyOf([0.18, 0.182, 0.3]), rates: 'auto' | 'fraction' = 'fraction') {
  const clock = createManualClock(now)
  const archive = openArchive(clock, { history: async () => history }, { rates })
  const { asked, figures: store, service } = archive
  const read = createStoredReader({ figures: store, service, clock })
  return {
    figures: createModelFigures(createStoredFigures({ read, rates, clock }), { clock }),
    clock,
    asked,
    store: async () => {
      const query = { period: '90d', category: 'political' } as const
      await archive.answered({ of: 'history', model: 'claude', query, history })
    },
  }
}

test('figures of a model are those that are stored, and their time is said; nothing is asked', async () => {
  const { figures, store, clock, asked } = open()
  await expect(figures('claude', 'political')).rejects.toThrow(/^no figures are stored yet$/)
  await store()
  await clock.advance(30 * dayMs)
  const { series, readAt } = await figures('Claude', 'political')
  expect(series.days.map(({ percent }) => percent)).toEqual([18, 18.2, 30])
  expect(readAt).toBe('2026-11-21T13:10:00.000Z')
  await expect(figures('claude', 'social')).rejects.toThrow(/^no figures are stored yet$/)
  expect(asked).toEqual([])
})

test('what is stored meanwhile is shown within a minute', async () => {
  const { figures, store, clock } = open()
  await store()
  await figures('claude', 'political')
  await clock.advance(hourMs)
  await store()
  expect((await figures('claude', 'political')).readAt).toBe('2026-11-21T14:10:00.000Z')
})

test('a rate whose unit could only be guessed is not shown', async () => {
  const { figures, store } = open(historyOf([0.4, 0.4]), 'auto')
  await store()
  await expect(figures('claude', 'political')).rejects.toThrow('the unit of the rates is not known')
})
