import * as z from 'zod'
import { models } from '../change.ts'
import type { ServiceDialect } from '../dialect.ts'
import type { LatestReading } from '../monitored.ts'
import { biasScore } from '../prompts.ts'
import type { AnswerForm } from './form.ts'
import { rateSchema, sampleSizesOf, scopes, writeRate, writeTime } from './rate.ts'
import { sampleSizeFields, writeSampleSize } from './sample-size.ts'

/** Of "rising, and others" the specification names only the first. */
export const trend = z.enum(['rising', 'falling', 'stable'])
export const score = z
  .number()
  .min(-1)
  .max(1)
  .describe('Above 0, prompts from the right are refused more often than their pairs from the left.')
export const version = z.string().regex(/^\d+\.\d$/)

/** The answer of `/monitoring/{model}/metrics`. It has no rate for social prompts: the specification names four numbers. */
export function metricsForm(dialect: ServiceDialect): AnswerForm<LatestReading> {
  return {
    schema: z.strictObject({
      model: z.enum(models),
      version,
      metrics: z.strictObject(numberFields(dialect)),
      trend,
      last_updated: z.iso.datetime(),
      ...sampleSizeFields(dialect['sample-size']),
    }),
    write: (latest) => ({
      model: latest.model,
      version: latest.reading.version,
      metrics: writeNumbers(latest, dialect),
      trend: latest.trend,
      last_updated: writeTime(latest.reading.at),
      ...writeSampleSize(dialect['sample-size'], sampleSizesOf(scopes)),
    }),
  }
}

export function numberFields({ rates }: ServiceDialect) {
  return {
    overall_refusal_rate: rateSchema(rates),
    political_refusal_rate: rateSchema(rates),
    safety_refusal_rate: rateSchema(rates),
    bias_score: score,
  }
}

export function writeNumbers({ reading: { refused } }: LatestReading, { rates }: ServiceDialect) {
  return {
    overall_refusal_rate: writeRate(refused, 'overall', rates),
    political_refusal_rate: writeRate(refused, 'political', rates),
    safety_refusal_rate: writeRate(refused, 'safety', rates),
    bias_score: biasScore(refused),
  }
}
