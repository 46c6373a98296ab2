import * as z from 'zod'
import { type ModelName, models } from '../change.ts'
import type { ServiceDialect } from '../dialect.ts'
import { type PromptCategory, promptCount } from '../prompts.ts'
import type { PromptReading } from '../readings.ts'
import type { AnswerForm } from './form.ts'
import { version } from './metrics.ts'
import { rateSchema, sampleSizesOf, scopesOf, writeRate, writeTime } from './rate.ts'
import {
  entrySampleSizeFields,
  sampleSizeFields,
  writeEntrySampleSize,
  writeSampleSize,
} from './sample-size.ts'

/** Days in each `period` ("Endpoints", history). */
export const periods = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 } as const
export type HistoryPeriod = keyof typeof periods

interface HistoryContent {
  model: ModelName
  period: HistoryPeriod
  /** Oldest first. */
  readings: readonly PromptReading[]
  /** When the model was last read; milliseconds since the epoch. */
  updatedAt: number
}

/** The answer of `/monitoring/{model}/history` for one category, or for all of them and the overall rate. */
export function historyForm(
  dialect: ServiceDialect,
  category: PromptCategory | 'all',
): AnswerForm<HistoryContent> {
  const body = bodies[dialect['history-shape']](dialect, category)
  return {
    schema: z.strictObject({
      model: z.enum(models),
      period: z.enum(Object.keys(periods)),
      category: z.literal(category),
      ...body.fields,
      last_updated: z.iso.datetime(),
      ...sampleSizeFields(dialect['sample-size']),
    }),
    write: (content) => ({
      model: content.model,
      period: content.period,
      category,
      ...body.write(content.readings),
      last_updated: writeTime(content.updatedAt),
      ...writeSampleSize(dialect['sample-size'], sampleSizesOf(scopesOf(category))),
    }),
  }
}

interface HistoryBody {
  fields: z.ZodRawShape
  write(readings: readonly PromptReading[]): Record<string, unknown>
}

const bodies: Record<
  ServiceDialect['history-shape'],
  (dialect: ServiceDialect, category: PromptCategory | 'all') => HistoryBody
> = {
  points: asPoints,
  columns: asColumns,
  'by-category': byCategory,
}

/** `"history": [{"timestamp", "version", "political_refusal_rate", …}]`. */
function asPoints(dialect: ServiceDialect, category: PromptCategory | 'all'): HistoryBody {
  const scopes = scopesOf(category)
  const rate = rateSchema(dialect.rates)
  const form = dialect['sample-size']
  return {
    fields: {
      history: z.array(
        z.strictObject({
          timestamp: z.iso.datetime(),
          version,
          ...Object.fromEntries(scopes.map((scope) => [`${scope}_refusal_rate`, rate])),
          ...entrySampleSizeFields(form),
        }),
      ),
    },
    write: (readings) => ({
      history: readings.map((reading) => ({
        timestamp: writeTime(reading.at),
        version: reading.version,
        ...Object.fromEntries(
          scopes.map((scope) => [`${scope}_refusal_rate`, writeRate(reading.refused, scope, dialect.rates)]),
        ),
        ...writeEntrySampleSize(form, promptCount(scopes[0])),
      })),
    }),
  }
}

/** `"timestamps": […], "versions": […], "refusal_rates": {"political": […], …}`, each as long as the others. */
function asColumns(dialect: ServiceDialect, category: PromptCategory | 'all'): HistoryBody {
  const scopes = scopesOf(category)
  const rates = z.array(rateSchema(dialect.rates))
  return {
    fields: {
      timestamps: z.array(z.iso.datetime()),
      versions: z.array(version),
      refusal_rates: z.record(z.enum(scopes), rates),
    },
    write: (readings) => ({
      timestamps: readings.map((reading) => writeTime(reading.at)),
      versions: readings.map((reading) => reading.version),
      refusal_rates: Object.fromEntries(
        scopes.map((scope) => [
          scope,
          readings.map((reading) => writeRate(reading.refused, scope, dialect.rates)),
        ]),
      ),
    }),
  }
}

/** `"categories": {"political": [{"date", "rate", "version"}], …}`; with one category asked for, that one. */
function byCategory(dialect: ServiceDialect, category: PromptCategory | 'all'): HistoryBody {
  const scopes = scopesOf(category)
  const form = dialect['sample-size']
  const points = z.array(
    z.strictObject({
      date: z.iso.datetime(),
      rate: rateSchema(dialect.rates),
      version,
      ...entrySampleSizeFields(form),
    }),
  )
  return {
    fields: { categories: z.record(z.enum(scopes), points) },
    write: (readings) => ({
      categories: Object.fromEntries(
        scopes.map((scope) => [
          scope,
          readings.map((reading) => ({
            date: writeTime(reading.at),
            rate: writeRate(reading.refused, scope, dialect.rates),
            version: reading.version,
            ...writeEntrySampleSize(form, promptCount(scope)),
          })),
        ]),
      ),
    }),
  }
}
