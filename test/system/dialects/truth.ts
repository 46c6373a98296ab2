import { datasetIds, readDataset, type SandboxDataset } from '../../../src/service/sandbox/datasets.ts'
import type { ServiceDialect } from '../../../src/service/sandbox/dialect.ts'
import type { LatestReading } from '../../../src/service/sandbox/monitored.ts'
import {
  biasScore,
  pairedPrompts,
  promptCount,
  rateOf,
  topics,
} from '../../../src/service/sandbox/prompts.ts'
import { publications } from '../../../src/service/sandbox/publications.ts'
import type { PromptReading } from '../../../src/service/sandbox/readings.ts'
import type { World } from '../../../src/service/sandbox/world.ts'
import { biases, compared, type Figures, histories, type Metrics, type Point, years } from './figures.ts'

const days = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 }

/** What the service would say if it left nothing open: from the world itself, not from any answer. */
export function truthOf(world: World, files: readonly SandboxDataset[]): Figures {
  const lastUpdated = timeOf(latestOf(world, 'claude').reading.at)
  const all = publications(world).map(({ id, title, authors, publishedAt, summary }) => ({
    id,
    title,
    authors: [...authors],
    publishedAt: timeOf(publishedAt),
    year: new Date(publishedAt).getUTCFullYear(),
    url: `https://monitor.example/publications/${id}`,
    summary,
  }))
  const metrics = compared.map((model) => metricsOf(latestOf(world, model)))
  return {
    metrics,
    histories: histories.map(({ model, period = '30d', category = 'all' }) => ({
      points: (world.history(model, days[period]) ?? []).map((reading) => pointOf(reading, category)),
      lastUpdated,
      sampleSize: promptCount(category === 'all' ? 'overall' : category),
    })),
    comparison: { models: metrics, lastUpdated, sampleSize: promptCount('overall') },
    biases: biases.map(({ model, topics: asked }) => {
      const { refused } = latestOf(world, model).reading
      return {
        model,
        score: biasScore(refused),
        topics: asked.map((topic) => ({ topic, score: biasScore(refused, [topic]) })),
        sampleSize: pairedPrompts(topics),
        lastUpdated,
      }
    }),
    publications: years.map((year) => all.filter((one) => year === undefined || one.year === year)),
    datasets: files.map(({ content, updatedAt, ...file }) => ({
      ...file,
      bytes: content.length,
      updatedAt: timeOf(updatedAt),
    })),
  }
}

/** The files that the service offers, as it should write them in this dialect. */
export function filesOf(world: World, dialect: ServiceDialect): SandboxDataset[] {
  return datasetIds.flatMap((id) => readDataset(id, world, dialect) ?? [])
}

function metricsOf({ model, trend, reading }: LatestReading): Metrics {
  const { version, refused } = reading
  return {
    model,
    version,
    overall: percentOf(reading, 'overall'),
    political: percentOf(reading, 'political'),
    safety: percentOf(reading, 'safety'),
    biasScore: biasScore(refused),
    trend,
  }
}

function pointOf(reading: PromptReading, category: 'political' | 'safety' | 'social' | 'all'): Point {
  const shown = (scope: 'overall' | 'political' | 'safety' | 'social') =>
    category === 'all' || category === scope ? percentOf(reading, scope) : null
  return {
    at: timeOf(reading.at),
    version: reading.version,
    rates: [shown('overall'), shown('political'), shown('safety'), shown('social')],
  }
}

/** Every rate is a decimal of at most one place in percent: the sizes of the categories see to that. */
function percentOf({ refused }: PromptReading, scope: 'overall' | 'political' | 'safety' | 'social'): number {
  return Math.round(1_000 * rateOf(refused, scope)) / 10
}

function latestOf(world: World, model: string): LatestReading {
  const latest = world.latest(model)
  if (latest === undefined) throw new Error(`the world has no ${model}`)
  return latest
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}
