import type { ModelMetrics, MonitorClient, Publication } from '../../../src/service/client/client.ts'
import type { HistoryPoint } from '../../../src/service/client/endpoints/history.ts'
import { type RateUnit, toPercent } from '../../../src/service/client/readers/rates.ts'

/** Asked for in every dialect: each period and category once, and what the service does without them. */
export const histories = [
  { model: 'claude', period: '7d', category: 'all' },
  { model: 'claude', period: '30d', category: 'political' },
  { model: 'gemini', period: '90d', category: 'safety' },
  { model: 'qwen', period: '1y', category: 'social' },
  { model: 'mistral', period: undefined, category: undefined },
] as const
export const compared = ['claude', 'gemini', 'qwen'] as const
export const biases = [
  { model: 'claude', topics: ['political', 'social'] },
  { model: 'chatgpt', topics: ['political', 'social', 'economic'] },
] as const
export const years = [undefined, 2025] as const

/** What a service says of its world, in one form for all dialects: rates in percent, times in ISO 8601 UTC. */
export interface Figures {
  metrics: Metrics[]
  histories: { points: Point[]; lastUpdated: string; sampleSize: number }[]
  comparison: { models: Metrics[]; lastUpdated: string; sampleSize: number }
  biases: {
    model: string
    score: number
    topics: { topic: string; score: number }[]
    sampleSize: number
    lastUpdated: string
  }[]
  publications: Publication[][]
  datasets: {
    id: string
    title: string
    description: string
    format: string
    bytes: number
    records: number
    updatedAt: string
  }[]
}

export interface Metrics {
  model: string
  version: string
  overall: number
  political: number
  safety: number
  biasScore: number
  trend: string
}

export interface Point {
  at: string
  version: string
  /** Overall, political, safety, social; null where that one was not asked for. */
  rates: (number | null)[]
}

/** Asks for all of it. What is absent stays `null`, which no `Figures` has: a comparison shows it. */
export async function readFigures(client: MonitorClient, unit: RateUnit): Promise<unknown> {
  const percent = (rate: number | null) => (rate === null ? null : toPercent(rate, unit))
  const point = ({ at, version, rates }: HistoryPoint) => ({
    at,
    version,
    rates: [rates.overall, rates.political, rates.safety, rates.social].map(percent),
  })
  const numbers = (one: ModelMetrics) => ({
    model: one.model,
    version: one.version,
    overall: percent(one.overallRefusalRate),
    political: percent(one.politicalRefusalRate),
    safety: percent(one.safetyRefusalRate),
    biasScore: one.biasScore,
    trend: one.trend,
  })

  const metrics = []
  for (const model of compared) metrics.push(numbers(await client.metrics(model)))
  const read = []
  for (const { model, period, category } of histories) {
    const query = { ...(period && { period }), ...(category && { category }) }
    const { points, lastUpdated, sampleSize } = await client.history(model, query)
    read.push({ points: points.map(point), lastUpdated, sampleSize })
  }
  const { models, lastUpdated, sampleSize } = await client.compare(compared)
  const analyses = []
  for (const { model, topics } of biases) {
    const { unread: _, topics: scored, ...bias } = await client.bias(model, topics)
    analyses.push({ ...bias, topics: scored.map(({ topic, score }) => ({ topic, score })) })
  }
  const publications = []
  for (const year of years) {
    publications.push(await allOf(client.publications(year === undefined ? {} : { year })))
  }
  return {
    metrics,
    histories: read,
    comparison: { models: models.map(numbers), lastUpdated, sampleSize },
    biases: analyses,
    publications,
    datasets: await allOf(client.datasets()),
  }
}

export async function allOf<T>(records: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const record of records) all.push(record)
  return all
}
