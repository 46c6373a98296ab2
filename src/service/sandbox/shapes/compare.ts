import * as z from 'zod'
import type { AnswerForm } from '../answer.ts'
import type { ServiceDialect } from '../dialect.ts'
import type { LatestReading } from '../monitored.ts'
import {
  modelName,
  promptCountsOf,
  rateScopes,
  sampleSizeForm,
  time,
  toRecord,
  version,
  writeTime,
} from './figures.ts'
import { metricsForm, modelForm, numberFields, trend, writeNumbers } from './metrics.ts'

/** The answer of `/monitoring/compare`, in the order of the request. */
export function compareForm(dialect: ServiceDialect): AnswerForm<readonly LatestReading[]> {
  const body = { list: asList, 'by-model': byModel, 'by-metric': byMetric }[dialect['compare-shape']](dialect)
  const sampleSize = sampleSizeForm(dialect)
  return {
    schema: z.strictObject({ ...body.fields, last_updated: time.nullable(), ...sampleSize.fields }),
    write: (compared) => ({
      ...body.write(compared),
      last_updated: lastOf(compared),
      ...sampleSize.write(promptCountsOf(rateScopes)),
    }),
  }
}

/** Null if every model is hidden. */
function lastOf(compared: readonly LatestReading[]): string | null {
  if (compared.length === 0) return null
  return writeTime(Math.max(...compared.map((latest) => latest.reading.at)))
}

interface ComparisonBody {
  fields: z.ZodRawShape
  write(compared: readonly LatestReading[]): Record<string, unknown>
}

/** `"models": [METRICS, …]`. */
function asList(dialect: ServiceDialect): ComparisonBody {
  const { schema, write } = metricsForm(dialect)
  return {
    fields: { models: z.array(schema) },
    write: (compared) => ({ models: compared.map(write) }),
  }
}

/** `"comparison": {"claude": {"version", "metrics", "trend", "last_updated"}, …}`. */
function byModel(dialect: ServiceDialect): ComparisonBody {
  const { fields, write } = modelForm(dialect)
  return {
    fields: { comparison: z.partialRecord(modelName, z.strictObject(fields)) },
    write: (compared) => ({ comparison: byName(compared, write) }),
  }
}

/** `"models": ["claude", …], "metrics": {"bias_score": {"claude": 0.02, …}, …}, "versions": {…}, "trends": {…}`. */
function byMetric(dialect: ServiceDialect): ComparisonBody {
  const each = <T extends z.ZodType>(value: T) => z.partialRecord(modelName, value)
  const numbers = numberFields(dialect)
  return {
    fields: {
      models: z.array(modelName),
      metrics: z.strictObject(
        Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, each(number)])),
      ),
      versions: each(version),
      trends: each(trend),
    },
    write: (compared) => ({
      models: compared.map(({ model }) => model),
      metrics: toRecord(Object.keys(numbers), (name) =>
        byName(compared, (latest) => writeNumbers(latest, dialect)[name]),
      ),
      versions: byName(compared, ({ reading }) => reading.version),
      trends: byName(compared, (latest) => latest.trend),
    }),
  }
}

function byName<T>(
  compared: readonly LatestReading[],
  value: (latest: LatestReading) => T,
): Record<string, T> {
  return Object.fromEntries(compared.map((latest) => [latest.model, value(latest)]))
}
