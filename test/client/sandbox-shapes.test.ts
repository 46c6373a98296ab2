import { expect, test } from 'vitest'
import { MonitorClient } from '../../src/client/client.ts'
import { toPercent } from '../../src/client/rates.ts'
import type { Dialect } from '../../src/sandbox/dialect.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { createManualClock } from '../fakes/manual-clock.ts'

const now = Date.parse('2026-03-01T09:10:00Z')

/** Everything that a sandbox of this dialect says, with rates in percent and without what it need not say. */
async function everythingIn(dialect: Partial<Dialect>) {
  const sandbox = await startSandbox({ port: 0, seed: 7, clock: createManualClock(now), dialect })
  const percent = (rate: number | null) => rate && toPercent(rate, dialect.rates ?? 'fraction')
  try {
    const client = new MonitorClient({ baseUrl: sandbox.url, apiKey: 'sandbox-enterprise' })
    const metrics = await client.metrics('claude')
    const all = await client.history('claude', { period: '7d', category: 'all' })
    const political = await client.history('claude', { period: '7d', category: 'political' })
    const comparison = await client.compare(['claude', 'gemini'])
    const bias = await client.bias('claude', ['political', 'social'])
    const publications = []
    for await (const one of client.publications({ year: 2025 })) publications.push(one)
    const datasets = []
    for await (const { id, title, format, records } of client.datasets()) {
      datasets.push({ id, title, format, records })
    }
    return {
      metrics: [metrics, ...comparison.models].map((one) => ({
        ...one,
        overallRefusalRate: percent(one.overallRefusalRate),
        politicalRefusalRate: percent(one.politicalRefusalRate),
        safetyRefusalRate: percent(one.safetyRefusalRate),
        // By metric, only the whole has a time.
        lastUpdated: null,
        sampleSize: null,
        sampleSizes: null,
      })),
      histories: [all, political].map(({ model, points, categories, lastUpdated, unread }) => ({
        model,
        points: points.map(({ at, version, rates }) => ({
          at,
          version,
          rates: Object.values(rates).map(percent),
        })),
        categories,
        lastUpdated,
        unread,
      })),
      comparison: { missing: comparison.missing, unread: comparison.unread, at: comparison.lastUpdated },
      bias: { ...bias, topics: bias.topics.map(({ topic, score }) => ({ topic, score })) },
      publications,
      datasets,
      sampleSizes: [metrics, all, political, comparison].map(({ sampleSize }) => sampleSize),
    }
  } finally {
    await sandbox.close()
  }
}

const usual = everythingIn({})

test('the sandbox’s own forms say what they mean', async () => {
  const { histories, bias, sampleSizes, publications, datasets } = await usual
  expect(histories.map(({ points }) => points.length)).toEqual([29, 29])
  expect(histories[0]?.points.at(-1)?.at).toBe('2026-03-01T09:10:00.000Z')
  expect(histories.map(({ categories }) => categories)).toEqual([
    ['overall', 'political', 'safety', 'social'],
    ['political'],
  ])
  expect(bias.topics.map(({ topic }) => topic)).toEqual(['political', 'social'])
  expect(sampleSizes).toEqual([500, 500, 200, 500])
  expect(publications.length).toBeGreaterThan(0)
  expect(datasets.length).toBeGreaterThan(0)
})

test.each<Partial<Dialect>>([
  { 'history-shape': 'columns', 'sample-size': 'n', 'compare-shape': 'by-model' },
  { 'history-shape': 'by-category', 'sample-size': 'per-category', 'bias-shape': 'scores' },
  { 'compare-shape': 'by-metric', 'sample-size': 'meta.sample_size', 'bias-shape': 'topics-object' },
  { 'history-shape': 'by-category', 'sample-size': 'sampleSize', 'compare-shape': 'by-metric' },
  { 'history-shape': 'by-category', 'compare-shape': 'by-model', 'extra-fields': 'yes' },
  { 'compare-shape': 'by-metric', 'bias-shape': 'scores', 'extra-fields': 'yes', rates: 'percent' },
  { 'publications-shape': 'nested', 'datasets-shape': 'camel', 'list-shape': 'data', pages: 'cursor' },
  { 'publications-shape': 'camel', 'datasets-shape': 'nested', 'list-shape': 'items', pages: 'number' },
])('the client reads the same from a sandbox that speaks %j', async (dialect) => {
  expect(await everythingIn(dialect)).toEqual(await usual)
})
