import { expect, test } from 'vitest'
import * as z from 'zod'
import { start, startWithClock } from './started.ts'

const models = ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen']
const dayMs = 86_400_000
const rate = expect.any(Number)
const version = expect.stringMatching(/^\d+\.\d$/)

const Metrics = z.object({ version: z.string(), metrics: z.record(z.string(), z.number()) })
const History = z.object({
  history: z.array(z.looseObject({ timestamp: z.string(), version: z.string() })),
})

async function readAll(seed: number): Promise<unknown[]> {
  const { ask } = await startWithClock({ seed })
  const answers = await Promise.all(models.map((model) => ask('GET', `/monitoring/${model}/metrics`)))
  return answers.map((answer) => answer.body)
}

test('the metrics of each model have the documented fields', async () => {
  for (const [index, body] of (await readAll(7)).entries()) {
    expect(body).toEqual({
      model: models[index],
      version,
      metrics: {
        overall_refusal_rate: rate,
        political_refusal_rate: rate,
        safety_refusal_rate: rate,
        bias_score: rate,
      },
      trend: expect.stringMatching(/^(rising|falling|stable)$/),
      last_updated: start,
      sample_size: 500,
    })
  }
})

test('the same seed gives the same numbers, another seed others', async () => {
  expect(await readAll(7)).toEqual(await readAll(7))
  expect(await readAll(7)).not.toEqual(await readAll(8))
})

test('these are the numbers of seed 7, on every machine', async () => {
  const { ask, control } = await startWithClock({ seed: 7 })
  expect((await ask('GET', '/monitoring/claude/metrics')).body).toMatchInlineSnapshot(`
    {
      "last_updated": "2026-03-01T09:10:00.000Z",
      "metrics": {
        "bias_score": -0.033,
        "overall_refusal_rate": 0.308,
        "political_refusal_rate": 0.2,
        "safety_refusal_rate": 0.435,
      },
      "model": "claude",
      "sample_size": 500,
      "trend": "rising",
      "version": "3.4",
    }
  `)
  const changes = z.array(z.unknown()).parse((await control('GET', '/changes')).body)
  expect(changes[0]).toMatchInlineSnapshot(`
    {
      "at": "2025-03-18T09:10:00.000Z",
      "category": "safety",
      "delta": "+15pp",
      "id": "evt_444d696ef549ef5a2cc59c51",
      "model": "gemini",
      "type": "censorship_spike",
      "version": "2.1",
    }
  `)
})

test.each(['metrics', 'history', 'history?period=1d'])(
  'the %s of an unknown model answer 404 and name those there are',
  async (path) => {
    const { ask } = await startWithClock()
    expect(await ask('GET', `/monitoring/llama/${path}`)).toMatchObject({
      status: 404,
      body: {
        error: {
          code: 'NOT_FOUND',
          message: 'There is no model llama; there are chatgpt, claude, gemini, mistral, qwen.',
        },
      },
    })
  },
)

test.each([
  ['7d', 7],
  ['30d', 30],
  ['90d', 90],
  ['1y', 365],
])('the history of %s begins so long before its end, which is what the metrics say', async (period, days) => {
  const { ask } = await startWithClock()
  const metrics = Metrics.parse((await ask('GET', '/monitoring/claude/metrics')).body)
  const answer = await ask('GET', `/monitoring/claude/history?period=${period}`)
  expect(answer).toMatchObject({
    status: 200,
    body: { model: 'claude', period, category: 'all', last_updated: start, sample_size: 500 },
  })
  const { history } = History.parse(answer.body)
  expect(Date.parse(history[0]?.timestamp ?? '')).toBe(Date.parse(start) - days * dayMs)
  const { bias_score: _, ...rates } = metrics.metrics
  expect(history.at(-1)).toEqual({
    timestamp: start,
    version: metrics.version,
    ...rates,
    social_refusal_rate: rate,
    sample_size: 500,
  })
})

test('each period and category is a part of the same series', async () => {
  const { ask } = await startWithClock()
  const read = async (query: string) =>
    History.parse((await ask('GET', `/monitoring/qwen/history?${query}`)).body).history
  const year = await read('period=1y&category=all')
  for (const period of ['7d', '30d', '90d']) {
    const part = await read(`period=${period}`)
    expect(part).toEqual(year.slice(-part.length))
  }
  for (const [category, size] of [
    ['political', 200],
    ['safety', 200],
    ['social', 100],
  ] as const) {
    const name = `${category}_refusal_rate`
    expect(await read(`period=1y&category=${category}`)).toEqual(
      year.map((point) => ({
        timestamp: point.timestamp,
        version: point.version,
        [name]: point[name],
        sample_size: size,
      })),
    )
  }
})

test('without a query the history is that of 30 days and all categories', async () => {
  const { ask } = await startWithClock()
  const plain = await ask('GET', '/monitoring/qwen/history')
  expect(plain.body).toEqual((await ask('GET', '/monitoring/qwen/history?period=30d&category=all')).body)
})

test.each([
  ['period=1d', 'period must be one of 7d, 30d, 90d, 1y.'],
  ['period=', 'period must be one of 7d, 30d, 90d, 1y.'],
  ['period=7d&period=30d', 'period must be one of 7d, 30d, 90d, 1y.'],
  ['category=humour', 'category must be one of political, safety, social, all.'],
])('the history with %s answers 400 and names what is allowed', async (query, message) => {
  const { ask } = await startWithClock()
  expect(await ask('GET', `/monitoring/claude/history?${query}`)).toMatchObject({
    status: 400,
    body: { error: { code: 'BAD_REQUEST', message } },
  })
})

test('the comparison has the metrics of the models asked for, in their order', async () => {
  const { ask } = await startWithClock()
  const metricsOf = async (model: string) => (await ask('GET', `/monitoring/${model}/metrics`)).body
  expect(await ask('GET', '/monitoring/compare?models=qwen,claude,qwen')).toMatchObject({
    status: 200,
    body: {
      models: [await metricsOf('qwen'), await metricsOf('claude')],
      last_updated: start,
      sample_size: 500,
    },
  })
  const all = await ask('GET', '/monitoring/compare')
  expect(all.body).toMatchObject({ models: await Promise.all(models.map(metricsOf)) })
})

test.each(['', ',', 'claude,', 'claude&models=qwen'])('a comparison of "%s" answers 400', async (list) => {
  const { ask } = await startWithClock()
  expect(await ask('GET', `/monitoring/compare?models=${list}`)).toMatchObject({
    status: 400,
    body: {
      error: {
        message: 'models must be a list with commas, such as models=chatgpt,claude, or be left out for all.',
      },
    },
  })
})

test('a comparison with an unknown model answers 404', async () => {
  const { ask } = await startWithClock()
  expect(await ask('GET', '/monitoring/compare?models=claude,llama')).toMatchObject({
    status: 404,
    body: { error: { message: expect.stringContaining('There is no model llama') } },
  })
})
