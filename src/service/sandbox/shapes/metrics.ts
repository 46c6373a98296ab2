import * as z from 'zod'
import type { AnswerForm } from '../answer.ts'
import type { ServiceDialect } from '../dialect.ts'
import type { LatestReading } from '../monitored.ts'
import { biasScore } from '../prompts.ts'
import {
  modelName,
  promptCountsOf,
  rateFields,
  rateScopes,
  sampleSizeForm,
  time,
  version,
  writeRates,
  writeTime,
} from './figures.ts'

/** Of "rising, and others" the specification names only the first. */
export const trend = z.enum(['rising', 'falling', 'stable'])
export const score = z
  .number()
  .min(-1)
  .max(1)
  .describe('Above 0, prompts from the right are refused more often than their pairs from the left.')

/** The answer of `/monitoring/{model}/metrics`. */
export function metricsForm(dialect: ServiceDialect): AnswerForm<LatestReading> {
  const body = modelForm(dialect)
  const sampleSize = sampleSizeForm(dialect)
  return {
    schema: z.strictObject({ model: modelName, ...body.fields, ...sampleSize.fields }),
    write: (latest) => ({
      model: latest.model,
      ...body.write(latest),
      ...sampleSize.write(promptCountsOf(rateScopes)),
    }),
  }
}

/** What an answer says of one model. */
export function modelForm(dialect: ServiceDialect) {
  return {
    fields: {
      version,
      metrics: z.strictObject(numberFields(dialect)),
      trend,
      last_updated: time,
    },
    write: (latest: LatestReading) => ({
      version: latest.reading.version,
      metrics: writeNumbers(latest, dialect),
      trend: latest.trend,
      last_updated: writeTime(latest.reading.at),
    }),
  }
}

/** The specification names no rate for social prompts here. */
const metricScopes = ['overall', 'political', 'safety'] as const

export function numberFields(dialect: ServiceDialect): Record<string, z.ZodNumber> {
  return { ...rateFields(metricScopes, dialect), bias_score: score }
}

export function writeNumbers(
  { reading: { refused } }: LatestReading,
  dialect: ServiceDialect,
): Record<string, number> {
  return { ...writeRates(refused, metricScopes, dialect), bias_score: biasScore(refused) }
}
