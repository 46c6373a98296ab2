import { expect, test } from 'vitest'
import * as z from 'zod'
import type { ServiceDialect } from '../../../src/service/sandbox/dialect.ts'
import { start, startWithClock } from './started.ts'

const number = expect.any(Number)
const text = expect.any(String)
const numbers = {
  overall_refusal_rate: number,
  political_refusal_rate: number,
  safety_refusal_rate: number,
  bias_score: number,
}

async function read(path: string, dialect: Partial<ServiceDialect>): Promise<unknown> {
  const { ask } = await startWithClock({ dialect })
  return (await ask('GET', path)).body
}

test.each([
  ['sample_size', { sample_size: 500 }, { sample_size: 300 }],
  ['sampleSize', { sampleSize: 500 }, { sampleSize: 300 }],
  ['n', { n: 500 }, { n: 300 }],
  ['meta.sample_size', { meta: { sample_size: 500 } }, { meta: { sample_size: 300 } }],
  [
    'per-category',
    { sample_size: { overall: 500, political: 200, safety: 200, social: 100 } },
    { sample_size: { overall: 300, social: 100 } },
  ],
] as const)('the sample size as %s is in every data answer', async (form, all, paired) => {
  const dialect = { 'sample-size': form }
  expect(await read('/monitoring/claude/metrics', dialect)).toEqual({
    model: 'claude',
    version: text,
    metrics: numbers,
    trend: text,
    last_updated: start,
    ...all,
  })
  expect(await read('/monitoring/claude/history', dialect)).toEqual({
    model: 'claude',
    period: '30d',
    category: 'all',
    history: expect.any(Array),
    last_updated: start,
    ...all,
  })
  expect(await read('/monitoring/compare', dialect)).toEqual({
    models: expect.any(Array),
    last_updated: start,
    ...all,
  })
  expect(await read('/bias/claude?topics=social', dialect)).toEqual({
    model: 'claude',
    version: text,
    bias_score: number,
    topics: expect.any(Array),
    last_updated: start,
    ...paired,
  })
})

test('rates as percentages are a hundred times the fractions, bias scores the same', async () => {
  const path = '/monitoring/claude/metrics'
  const Metrics = z.object({ metrics: z.record(z.string(), z.number()) })
  const fraction = Metrics.parse(await read(path, {})).metrics
  const percent = Metrics.parse(await read(path, { rates: 'percent' })).metrics
  expect(percent.bias_score).toBe(fraction.bias_score)
  for (const name of ['overall_refusal_rate', 'political_refusal_rate', 'safety_refusal_rate']) {
    expect(percent[name]).toBeCloseTo(100 * (fraction[name] ?? 0), 10)
    expect(fraction[name]).toBeLessThan(1)
    expect(percent[name]).toBeGreaterThan(1)
  }
})

const Points = z.object({ history: z.array(z.looseObject({ timestamp: z.string(), version: z.string() })) })

test.each(['all', 'social'] as const)('the history of %s says the same in columns', async (category) => {
  const path = `/monitoring/mistral/history?category=${category}&period=1y`
  const { history } = Points.parse(await read(path, {}))
  const scopes = category === 'all' ? ['overall', 'political', 'safety', 'social'] : ['social']
  expect(await read(path, { 'history-shape': 'columns' })).toMatchObject({
    timestamps: history.map(({ timestamp }) => timestamp),
    versions: history.map((point) => point.version),
    refusal_rates: Object.fromEntries(
      scopes.map((scope) => [scope, history.map((point) => point[`${scope}_refusal_rate`])]),
    ),
  })
})

test.each(['all', 'political'] as const)('the history of %s says the same by category', async (category) => {
  const path = `/monitoring/mistral/history?category=${category}&period=1y`
  const { history } = Points.parse(await read(path, { 'sample-size': 'meta.sample_size' }))
  const scopes = category === 'all' ? ['overall', 'political', 'safety', 'social'] : ['political']
  const dialect = { 'history-shape': 'by-category', 'sample-size': 'meta.sample_size' } as const
  const byCategory = z.object({ categories: z.unknown() }).parse(await read(path, dialect))
  expect(byCategory.categories).toEqual(
    Object.fromEntries(
      scopes.map((scope) => [
        scope,
        history.map((point) => ({
          date: point.timestamp,
          rate: point[`${scope}_refusal_rate`],
          version: point.version,
        })),
      ]),
    ),
  )
})

const Metrics = z.object({
  version: z.string(),
  trend: z.string(),
  last_updated: z.string(),
  metrics: z.record(z.string(), z.number()),
})

test('the comparison by model has what the metrics have', async () => {
  const { ask } = await startWithClock({ dialect: { 'compare-shape': 'by-model' } })
  const metricsOf = async (model: string) =>
    Metrics.parse((await ask('GET', `/monitoring/${model}/metrics`)).body)
  expect((await ask('GET', '/monitoring/compare?models=qwen,gemini')).body).toEqual({
    comparison: { qwen: await metricsOf('qwen'), gemini: await metricsOf('gemini') },
    last_updated: start,
    sample_size: 500,
  })
})

test('the comparison by metric has what the metrics have', async () => {
  const { ask } = await startWithClock({ dialect: { 'compare-shape': 'by-metric' } })
  const metricsOf = async (model: string) =>
    Metrics.parse((await ask('GET', `/monitoring/${model}/metrics`)).body)
  const [qwen, gemini] = [await metricsOf('qwen'), await metricsOf('gemini')]
  expect((await ask('GET', '/monitoring/compare?models=qwen,gemini')).body).toEqual({
    models: ['qwen', 'gemini'],
    metrics: Object.fromEntries(
      Object.keys(numbers).map((name) => [name, { qwen: qwen.metrics[name], gemini: gemini.metrics[name] }]),
    ),
    versions: { qwen: qwen.version, gemini: gemini.version },
    trends: { qwen: qwen.trend, gemini: gemini.trend },
    last_updated: start,
    sample_size: 500,
  })
})

test('the bias analysis says the same as an object of topics and as scores only', async () => {
  const path = '/bias/gemini?topics=social,economic'
  const List = z.object({
    version: z.string(),
    bias_score: z.number(),
    topics: z.array(z.object({ topic: z.string(), bias_score: z.number() })),
  })
  const { version, bias_score: overall, topics } = List.parse(await read(path, {}))
  const same = { model: 'gemini', version, last_updated: start, sample_size: 300 }
  expect(await read(path, { 'bias-shape': 'topics-object' })).toEqual({
    ...same,
    bias_score: overall,
    topics: Object.fromEntries(
      topics.map(({ topic, bias_score: score }) => [topic, { score, sample_size: 100 }]),
    ),
  })
  expect(await read(path, { 'bias-shape': 'scores' })).toEqual({
    ...same,
    overall,
    scores: Object.fromEntries(topics.map(({ topic, bias_score: score }) => [topic, score])),
  })
})
