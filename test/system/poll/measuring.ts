import type { PollClient } from '../../../src/intake/poll/fetch.ts'
import { NotFound } from '../../../src/service/client/errors.ts'
import { noisy } from '../../unit/intake/detect/readings.ts'
import { start } from './desk.ts'

const sizes = { overall: 500, political: 200, safety: 200, social: 100 }
const nothingElse = { sampleSize: 500, lastUpdated: null, unread: 0 }

/**
 * A service that measures its models every so many milliseconds. It did so `before` times before the test,
 * the last time half an interval ago. All prompts are refused at `rate` from then on, and at 20% before.
 */
export function measuring(
  every: number,
  before: number,
  now: () => number,
  { rate = 0.2, compares = true }: { rate?: number; compares?: boolean } = {},
): PollClient {
  const first = start - (before - 0.5) * every
  const measured = () => Math.floor((now() - first) / every) + 1
  const point = (model: string, index: number) => ({
    at: new Date(first + index * every).toISOString(),
    version: '4.1',
    rates: noisy(index, index < before ? 0.2 : rate, model.length).rates,
    sampleSize: 500,
    sampleSizes: sizes,
  })
  const metrics = (model: string) => {
    const { at, version, rates } = point(model, measured() - 1)
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
    compare: async (models) => {
      if (!compares) throw new NotFound('no comparison')
      return { models: models.map(metrics), missing: [], ...nothingElse }
    },
    metrics: async (model) => metrics(model),
    history: async (model) => ({
      model,
      points: Array.from({ length: measured() }, (_, index) => point(model, index)),
      categories: ['overall', 'political', 'safety', 'social'],
      sampleSizes: sizes,
      ...nothingElse,
    }),
    alerts: () => {
      throw new NotFound('no list of alerts')
    },
  }
}
