import * as z from 'zod'
import { models } from '../change.ts'
import type { ServiceDialect } from '../dialect.ts'
import type { LatestReading } from '../monitored.ts'
import type { AnswerForm } from './form.ts'
import { metricsForm, numberFields, trend, version, writeNumbers } from './metrics.ts'
import { sampleSizesOf, scopes, writeTime } from './rate.ts'
import { sampleSizeFields, writeSampleSize } from './sample-size.ts'

/** The answer of `/monitoring/compare`, in the order in which the models were asked for. */
export function compareForm(dialect: ServiceDialect): AnswerForm<readonly LatestReading[]> {
  const body = bodies[dialect['compare-shape']](dialect)
  return {
    schema: z.strictObject({
      ...body.fields,
      last_updated: z.iso.datetime().nullable(),
      ...sampleSizeFields(dialect['sample-size']),
    }),
    write: (compared) => ({
      ...body.write(compared),
      last_updated: lastOf(compared),
      ...writeSampleSize(dialect['sample-size'], sampleSizesOf(scopes)),
    }),
  }
}

/** Null where there is none, since every model is hidden. */
function lastOf(compared: readonly LatestReading[]): string | null {
  if (compared.length === 0) return null
  return writeTime(Math.max(...compared.map((latest) => latest.reading.at)))
}

interface ComparisonBody {
  fields: z.ZodRawShape
  write(compared: readonly LatestReading[]): Record<string, unknown>
}

const bodies: Record<ServiceDialect['compare-shape'], (dialect: ServiceDialect) => ComparisonBody> = {
  list: asList,
  'by-model': byModel,
  'by-metric': byMetric,
}

/** `"models": [METRICS, …]`. */
function asList(dialect: ServiceDialect): ComparisonBody {
  const one = metricsForm(dialect)
  return {
    fields: { models: z.array(one.schema) },
    write: (compared) => ({ models: compared.map((latest) => one.write(latest)) }),
  }
}

/** `"comparison": {"claude": {"version", "metrics", "trend", "last_updated"}, …}`. */
function byModel(dialect: ServiceDialect): ComparisonBody {
  const one = z.strictObject({
    version,
    metrics: z.strictObject(numberFields(dialect)),
    trend,
    last_updated: z.iso.datetime(),
  })
  return {
    fields: { comparison: z.partialRecord(z.enum(models), one) },
    write: (compared) => ({
      comparison: toRecord(compared, (latest) => ({
        version: latest.reading.version,
        metrics: writeNumbers(latest, dialect),
        trend: latest.trend,
        last_updated: writeTime(latest.reading.at),
      })),
    }),
  }
}

const metricNames = [
  'overall_refusal_rate',
  'political_refusal_rate',
  'safety_refusal_rate',
  'bias_score',
] as const

/** `"models": ["claude", …], "metrics": {"bias_score": {"claude": 0.02, …}, …}, "versions": {…}, "trends": {…}`. */
function byMetric(dialect: ServiceDialect): ComparisonBody {
  const each = <T extends z.ZodType>(value: T) => z.partialRecord(z.enum(models), value)
  const numbers = numberFields(dialect)
  return {
    fields: {
      models: z.array(z.enum(models)),
      metrics: z.strictObject(Object.fromEntries(metricNames.map((name) => [name, each(numbers[name])]))),
      versions: each(version),
      trends: each(trend),
    },
    write: (compared) => ({
      models: compared.map(({ model }) => model),
      metrics: Object.fromEntries(
        metricNames.map((name) => [
          name,
          toRecord(compared, (latest) => writeNumbers(latest, dialect)[name]),
        ]),
      ),
      versions: toRecord(compared, ({ reading }) => reading.version),
      trends: toRecord(compared, (latest) => latest.trend),
    }),
  }
}

function toRecord<T>(
  compared: readonly LatestReading[],
  value: (latest: LatestReading) => T,
): Record<string, T> {
  return Object.fromEntries(compared.map((latest) => [latest.model, value(latest)]))
}
