import { writeCsv } from './csv.ts'
import { dailyReadings, lastRead } from './daily.ts'
import type { ServiceDialect } from './dialect.ts'
import { keptWhileUnchanged } from './kept.ts'
import { biasScore, categories, promptCount } from './prompts.ts'
import { scopes, writeRate, writeTime } from './shapes/rate.ts'
import { writeSampleSize } from './shapes/sample-size.ts'
import type { World } from './world.ts'

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

interface DatasetTable {
  name: string
  title: string
  description: string
  rows: (world: World, dialect: ServiceDialect) => DatasetRows
}

const tables: readonly DatasetTable[] = [
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
    rows: changes,
  },
  {
    name: 'prompt-categories',
    title: 'Categories of the prompts',
    description: 'How many of the 500 fixed prompts belong to each category.',
    rows: promptCategories,
  },
]

const files = tables.flatMap((table) =>
  (['csv', 'json'] as const).map((format) => ({ id: `${table.name}-${format}`, table, format })),
)

export const datasetIds = files.map(({ id }) => id)

/**
 * A data set, made from the history as it is now, in the units and with the sample size of the dialect. Undefined for
 * an id that there is not.
 */
export function readDataset(id: string, world: World, dialect: ServiceDialect): SandboxDataset | undefined {
  return files.some((file) => file.id === id) ? madeOf(world, dialect).get(id) : undefined
}

/** A list names the size of all of them, so all of them are made for it. */
const madeOf = keptWhileUnchanged((world, dialect: ServiceDialect) => {
  const rows = new Map(tables.map((table) => [table, table.rows(world, dialect)]))
  return new Map(files.map((file) => [file.id, make(file, rows.get(file.table) ?? [], world, dialect)]))
})

function make(
  { id, table, format }: (typeof files)[number],
  rows: DatasetRows,
  world: World,
  dialect: ServiceDialect,
): SandboxDataset {
  const { title, description } = table
  const updatedAt = lastRead(world)
  const content = format === 'csv' ? Buffer.from(writeCsv(rows)) : writeJson(rows, updatedAt, dialect)
  return { id, title, description, format, records: rows.length, content, updatedAt }
}

function dailyRates(world: World, { rates }: ServiceDialect): DatasetRows {
  return world.models().flatMap((model) =>
    dailyReadings(world, model).map(({ at, version, refused }) => ({
      date: writeTime(at).slice(0, 10),
      model,
      version,
      ...Object.fromEntries(
        scopes.map((scope) => [`${scope}_refusal_rate`, writeRate(refused, scope, rates)]),
      ),
      bias_score: biasScore(refused),
      sample_size: promptCount('overall'),
      last_updated: writeTime(at),
    })),
  )
}

function changes(world: World): DatasetRows {
  return world.changes().map(({ at, id, type, model, category, delta, version }) => ({
    detected_at: writeTime(at),
    id,
    type,
    model,
    category,
    delta,
    version,
  }))
}

function promptCategories(): DatasetRows {
  return categories.map((category) => ({ category, prompts: promptCount(category) }))
}

/** "Every data response carries a last_updated timestamp and a sample size": so does a file of JSON. */
function writeJson(rows: DatasetRows, updatedAt: number, dialect: ServiceDialect): Buffer {
  const whole = promptCount('overall')
  const sampleSize = writeSampleSize(dialect['sample-size'], { whole, each: { overall: whole } })
  return Buffer.from(JSON.stringify({ last_updated: writeTime(updatedAt), ...sampleSize, records: rows }))
}
