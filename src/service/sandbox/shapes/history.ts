import * as z from 'zod'
import type { AnswerForm } from '../answer.ts'
import type { ModelName } from '../change.ts'
import type { ServiceDialect } from '../dialect.ts'
import { type PromptCategory, promptCount } from '../prompts.ts'
import type { PromptReading } from '../readings.ts'
import {
  modelName,
  promptCountsOf,
  rateFields,
  rateSchema,
  sampleSizeForm,
  scopesOf,
  time,
  toRecord,
  version,
  writeRate,
  writeRates,
  writeTime,
} from './figures.ts'

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
  const scopes = scopesOf(category)
  const shapes = { points: asPoints, columns: asColumns, 'by-category': byCategory }
  const body = shapes[dialect['history-shape']](dialect, scopes)
  const sampleSize = sampleSizeForm(dialect)
  return {
    schema: z.strictObject({
      model: modelName,
      period: z.enum(Object.keys(periods)),
      category: z.literal(category),
      ...body.fields,
      last_updated: time,
      ...sampleSize.fields,
    }),
    write: ({ model, period, readings, updatedAt }) => ({
      model,
      period,
      category,
      ...body.write(readings),
      last_updated: writeTime(updatedAt),
      ...sampleSize.write(promptCountsOf(scopes)),
    }),
  }
}

type Scopes = ReturnType<typeof scopesOf>

interface HistoryBody {
  fields: z.ZodRawShape
  write(readings: readonly PromptReading[]): Record<string, unknown>
}

/** `"history": [{"timestamp", "version", "political_refusal_rate", …}]`. */
function asPoints(dialect: ServiceDialect, scopes: Scopes): HistoryBody {
  const { entryFields, writeEntry } = sampleSizeForm(dialect)
  const point = z.strictObject({ timestamp: time, version, ...rateFields(scopes, dialect), ...entryFields })
  return {
    fields: { history: z.array(point) },
    write: (readings) => ({
      history: readings.map((reading) => ({
        timestamp: writeTime(reading.at),
        version: reading.version,
        ...writeRates(reading.refused, scopes, dialect),
        ...writeEntry(promptCount(scopes[0])),
      })),
    }),
  }
}

/** `"timestamps": […], "versions": […], "refusal_rates": {"political": […], …}`, each as long as the others. */
function asColumns(dialect: ServiceDialect, scopes: Scopes): HistoryBody {
  return {
    fields: {
      timestamps: z.array(time),
      versions: z.array(version),
      refusal_rates: z.record(z.enum(scopes), z.array(rateSchema(dialect))),
    },
    write: (readings) => ({
      timestamps: readings.map((reading) => writeTime(reading.at)),
      versions: readings.map((reading) => reading.version),
      refusal_rates: toRecord(scopes, (scope) =>
        readings.map((reading) => writeRate(reading.refused, scope, dialect)),
      ),
    }),
  }
}

/** `"categories": {"political": [{"date", "rate", "version"}], …}`; with one category asked for, that one. */
function byCategory(dialect: ServiceDialect, scopes: Scopes): HistoryBody {
  const { entryFields, writeEntry } = sampleSizeForm(dialect)
  const point = z.strictObject({ date: time, rate: rateSchema(dialect), version, ...entryFields })
  return {
    fields: { categories: z.record(z.enum(scopes), z.array(point)) },
    write: (readings) => ({
      categories: toRecord(scopes, (scope) =>
        readings.map((reading) => ({
          date: writeTime(reading.at),
          rate: writeRate(reading.refused, scope, dialect),
          version: reading.version,
          ...writeEntry(promptCount(scope)),
        })),
      ),
    }),
  }
}
