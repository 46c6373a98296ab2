import { expect, test } from 'vitest'
import { createModelFigures } from '../../../src/app/figures.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/platform/durations.ts'
import type { MonitorClient } from '../../../src/service/client/client.ts'
import type { History } from '../../../src/service/client/endpoints/history.ts'
import { Unreachable } from '../../../src/service/client/errors.ts'
import { openArchive } from '../../support/archive.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'

const away = new Unreachable('GET http://127.0.0.1:1/v1 could not be completed (ECONNREFUSED).', {
  timedOut: false,
})
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

interface Changes {
  client?: Pick<MonitorClient, 'history'>
  rates?: 'fraction'
  maySpend?: () => Promise<boolean>
}

function open({ client = { history: async () => historyOf([0.18, 0.182, 0.3]) }, ...changes }: Changes = {}) {
  const clock = createManualClock(now)
  const archive = openArchive(clock, client, changes)
  const read = archive.reader({ freshMs: 6 * hourMs, patienceMs: 20_000, isInTurn: true })
  return {
    figures: createModelFigures({ read, rates: changes.rates ?? 'auto', clock }),
    clock,
    asked: archive.asked,
  }
}

test('a history is asked for once in six hours, and its time is said', async () => {
  const { figures, clock, asked } = open({ rates: 'fraction' })
  const { series, readAt } = await figures('claude', 'political')
  expect(series.days.map(({ percent }) => percent)).toEqual([18, 18.2, 30])
  expect(readAt).toBe('2026-11-21T13:10:00.000Z')
  await clock.advance(6 * hourMs - 1)
  await Promise.all([figures('claude', 'political'), figures('claude', 'political')])
  expect(asked).toEqual(['claude political 90d'])
  await clock.advance(1)
  expect((await figures('claude', 'political')).readAt).toBe('2026-11-21T19:10:00.000Z')
  expect(asked).toHaveLength(2)
})

test('each history is asked for when the one before has been paid for', async () => {
  let left = 2
  const history = async () => {
    await Promise.resolve()
    left -= 1
    return historyOf([0.18, 0.182, 0.3])
  }
  const { figures } = open({ client: { history }, rates: 'fraction', maySpend: async () => left > 0 })
  const ends = await Promise.allSettled(['claude', 'gemini', 'qwen'].map((one) => figures(one, 'political')))
  expect(ends.map((end) => (end.status === 'rejected' ? end.reason.message : 'read'))).toEqual([
    'read',
    'read',
    'the remaining requests are reserved for polling; more become available every few minutes',
  ])
  expect(left).toBe(0)
})

test('what could not be read is tried again after five minutes, not by each who looks', async () => {
  let tries = 0
  const history = async () => {
    tries += 1
    throw away
  }
  const { figures, clock } = open({ client: { history } })
  await expect(figures('claude', 'social')).rejects.toThrow(/^the service cannot be reached$/)
  await expect(figures('claude', 'social')).rejects.toThrow(/^the service cannot be reached$/)
  expect(tries).toBe(1)
  await clock.advance(5 * minuteMs)
  await expect(figures('claude', 'social')).rejects.toThrow(/^the service cannot be reached$/)
  expect(tries).toBe(2)
})

test('while the service is away, figures are those that were read last, and say so', async () => {
  let isAway = false
  const history = async () => {
    if (isAway) throw away
    return historyOf([0.18, 0.182, 0.3])
  }
  const { figures, clock } = open({ client: { history }, rates: 'fraction' })
  const before = await figures('claude', 'political')
  expect(before).not.toHaveProperty('outdated')
  isAway = true
  await clock.advance(6 * hourMs)
  expect(await figures('claude', 'political')).toMatchObject({
    readAt: before.readAt,
    outdated: 'the service cannot be reached',
  })
  isAway = false
  await clock.advance(5 * minuteMs)
  expect(await figures('claude', 'political')).not.toHaveProperty('outdated')
})

test('a rate whose unit could only be guessed is not shown', async () => {
  const { figures } = open({ client: { history: async () => historyOf([0.4, 0.4]) } })
  await expect(figures('claude', 'political')).rejects.toThrow('the unit of the rates is not known')
})
