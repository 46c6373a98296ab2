import { expect, test } from 'vitest'
import { NotFound } from '../../src/client/errors.ts'
import type { PollClient } from '../../src/poll/ask.ts'
import { dayMs, hourMs, openDesk, start } from './desk.ts'
import { noisy } from './detect/readings.ts'

const weekMs = 7 * dayMs
const sizes = { overall: 500, political: 200, safety: 200, social: 100 }

const nothingElse = { sampleSize: 500, lastUpdated: null, unread: 0 }

/** A service that measures one model each week, and had done so `before` times when the test began. */
function weekly(before: number, now: () => number): PollClient {
  const first = start - (before - 0.5) * weekMs
  const measured = () => Math.floor((now() - first) / weekMs) + 1
  const point = (index: number) => ({
    at: new Date(first + index * weekMs).toISOString(),
    version: '4.1',
    rates: noisy(index, 0.2).rates,
    sampleSize: 500,
    sampleSizes: sizes,
  })
  const metrics = (model: string) => {
    const { at, version, rates } = point(measured() - 1)
    return {
      model,
      version,
      overallRefusalRate: rates.overall,
      politicalRefusalRate: rates.political,
      safetyRefusalRate: rates.safety,
      biasScore: null,
      trend: null,
      lastUpdated: at,
      sampleSize: 500,
      sampleSizes: sizes,
    }
  }
  return {
    compare: async (models) => ({ models: models.map(metrics), missing: [], ...nothingElse }),
    metrics: async (model) => metrics(model),
    history: async (model) => ({
      model,
      points: Array.from({ length: measured() }, (_, index) => point(index)),
      categories: ['overall', 'political', 'safety', 'social'],
      sampleSizes: sizes,
      ...nothingElse,
    }),
    alerts: () => {
      throw new NotFound('no list of alerts')
    },
  }
}

test('operators hear that weekly figures are too few to be judged, once, and when they are enough', async () => {
  const desk = await openDesk()
  const client = weekly(4, desk.clock.now)
  const poller = desk.startPoller({ models: ['claude'], rates: 'fraction', interval: hourMs, client })
  await desk.pass(poller, 2 * dayMs)
  expect(desk.errors).toEqual([])
  expect(desk.notices).toEqual([
    expect.stringMatching(
      /^The figures of claude cannot be used as they are: claude: only 4 of its readings/,
    ),
  ])
  await desk.pass(poller, 3 * weekMs)
  expect(desk.notices.slice(1)).toEqual(['over: The figures of claude are as usual again.'])
})
