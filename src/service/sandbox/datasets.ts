import { stringify } from 'csv-stringify/sync'
import * as z from 'zod'
import type { AnswerForm } from './answer.ts'
import type { ServiceDialect } from './dialect.ts'
import { recordForm } from './lists.ts'
import { biasScore, categories, promptCount } from './prompts.ts'
import { promptCountsOf, rateScopes, sampleSizeForm, time, writeRates, writeTime } from './shapes/figures.ts'
import { dailyReadings, keptWhileUnchanged, lastRead, type World } from './world.ts'

type DatasetRows = readonly Record<string, string | number | null>[]

export interface SandboxDataset {
  id: string
  title: string
  description: string
  format: 'csv' | 'json'
  records: number
  content: Buffer
  /** Milliseconds since the epoch. */
  updatedAt: number
}

const tables: readonly {
  name: string
  title: string
  description: string
  rows: (world: World, dialect: ServiceDialect) => DatasetRows
}[] = [
  {
    name: 'daily-rates',
    title: 'Daily refusal rates',
    description: 'The last reading of each UTC day of a year, for each model.',
    rows: dailyRates,
  },
  {
    name: 'changes',
    title: 'Policy changes and censorship spikes',
    description: 'Every change that the service reported in a year.',
    rows: (world) =>
      world.changes().map(({ at, id, ...change }) => ({ detected_at: writeTime(at), id, ...change })),
  },
  {
    name: 'prompt-categories',
    title: 'Categories of the prompts',
    description: 'How many of the 500 fixed prompts belong to each category.',
    rows: () => categories.map((category) => ({ category, prompts: promptCount(category) })),
  },
]
const formats = ['csv', 'json'] as const

export const datasetIds = tables.flatMap(({ name }) => formats.map((format) => `${name}-${format}`))

/**
 * A data set, made from the history as it is now, in the units and with the sample size of the dialect. Undefined for
 * an id that does not exist.
 */
export function readDataset(id: string, world: World, dialect: ServiceDialect): SandboxDataset | undefined {
  return datasetIds.includes(id) ? allDatasets(world, dialect).get(id) : undefined
}

/** A list names the size of each of them, so it needs all. */
const allDatasets = keptWhileUnchanged((world, dialect: ServiceDialect) => {
  const updatedAt = lastRead(world)
  const datasets = tables.flatMap(({ name, title, description, rows: rowsOf }) => {
    const rows = rowsOf(world, dialect)
    return formats.map((format): SandboxDataset => {
      const content = format === 'csv' ? writeCsv(rows) : writeJson(rows, updatedAt, dialect)
      return { id: `${name}-${format}`, title, description, format, records: rows.length, content, updatedAt }
    })
  })
  return new Map(datasets.map((dataset) => [dataset.id, dataset]))
})

function dailyRates(world: World, dialect: ServiceDialect): DatasetRows {
  return world.models().flatMap((model) =>
    dailyReadings(world, model).map(({ at, version, refused }) => ({
      date: writeTime(at).slice(0, 10),
      model,
      version,
      ...writeRates(refused, rateScopes, dialect),
      bias_score: biasScore(refused),
      sample_size: promptCount('overall'),
      last_updated: writeTime(at),
    })),
  )
}

/** RFC 4180, with a header line of the first row's names. */
function writeCsv(rows: DatasetRows): Buffer {
  const options = { header: true, record_delimiter: 'windows', quoted_match: /[\r\n]/ } as const
  return Buffer.from(stringify([...rows], { ...options, columns: Object.keys(rows[0] ?? {}) }))
}

/** "Every data response carries a last_updated timestamp and a sample size": so does a file of JSON. */
function writeJson(rows: DatasetRows, updatedAt: number, dialect: ServiceDialect): Buffer {
  const sampleSize = sampleSizeForm(dialect).write(promptCountsOf(['overall']))
  return Buffer.from(JSON.stringify({ last_updated: writeTime(updatedAt), ...sampleSize, records: rows }))
}

/** The form of such a file. */
export function datasetFileSchema(dialect: ServiceDialect): z.ZodType {
  return z.strictObject({
    last_updated: time,
    ...sampleSizeForm(dialect).fields,
    records: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
  })
}

const count = z.int().min(0)

/** A record of the list of data sets. */
export function datasetForm(dialect: ServiceDialect): AnswerForm<SandboxDataset> {
  return recordForm(
    dialect['datasets-shape'],
    {
      type: 'dataset',
      under: 'metadata',
      camel: {
        id: 'datasetId',
        title: 'name',
        size_bytes: 'sizeBytes',
        records: 'recordCount',
        last_updated: 'lastUpdated',
      },
      fields: {
        title: z.string(),
        description: z.string(),
        format: z.enum(formats),
        size_bytes: count,
        records: count,
        last_updated: time,
      },
      write: ({ title, description, format, content, records, updatedAt }) => ({
        title,
        description,
        format,
        size_bytes: content.length,
        records,
        last_updated: writeTime(updatedAt),
      }),
    },
    dialect,
  )
}

/** Where a data set can be had without a key for a while (dialect `download=json-link`). */
export function downloadLinkForm(
  dialect: ServiceDialect,
): AnswerForm<{ url: string; expiresAt: number; dataset: SandboxDataset }> {
  const sampleSize = sampleSizeForm(dialect)
  return {
    schema: z.strictObject({
      url: z.url(),
      expires_at: time,
      size_bytes: count,
      last_updated: time,
      ...sampleSize.fields,
    }),
    write: ({ url, expiresAt, dataset }) => ({
      url,
      expires_at: writeTime(expiresAt),
      size_bytes: dataset.content.length,
      last_updated: writeTime(dataset.updatedAt),
      ...sampleSize.write(promptCountsOf(['overall'])),
    }),
  }
}
