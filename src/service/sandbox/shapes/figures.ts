import * as z from 'zod'
import { models } from '../change.ts'
import type { ServiceDialect } from '../dialect.ts'
import {
  categories,
  type PerGroup,
  type PromptCategory,
  promptCount,
  type RateScope,
  rateOf,
} from '../prompts.ts'

/** Rates in the order of every answer. */
export const rateScopes = ['overall', ...categories] as const satisfies readonly RateScope[]

/** The rates that a question for one category, or for all, is about. */
export function scopesOf(category: PromptCategory | 'all'): readonly [RateScope, ...RateScope[]] {
  return category === 'all' ? rateScopes : [category]
}

export const modelName = z.enum(models)
export const version = z.string().regex(/^\d+\.\d$/)
export const time = z.iso.datetime()

/** `2026-03-01T09:10:00.000Z`; `at` is milliseconds since the epoch. */
export function writeTime(at: number): string {
  return new Date(at).toISOString()
}

export function rateSchema({ rates: unit }: ServiceDialect): z.ZodNumber {
  return z
    .number()
    .min(0)
    .max(unit === 'percent' ? 100 : 1)
    .describe(unit === 'percent' ? 'In percent: 20 is one in five.' : 'As a fraction: 0.2 is one in five.')
}

/** Three places as a fraction, one as a percentage. Both are exact, thanks to the sizes of the categories. */
export function writeRate(refused: PerGroup, scope: RateScope, { rates: unit }: ServiceDialect): number {
  const thousandths = Math.round(1000 * rateOf(refused, scope))
  return thousandths / (unit === 'percent' ? 10 : 1000)
}

/** `{"overall_refusal_rate", "political_refusal_rate", …}` */
export function rateFields(
  scopes: readonly RateScope[],
  dialect: ServiceDialect,
): Record<string, z.ZodNumber> {
  return Object.fromEntries(scopes.map((scope) => [`${scope}_refusal_rate`, rateSchema(dialect)]))
}

export function writeRates(
  refused: PerGroup,
  scopes: readonly RateScope[],
  dialect: ServiceDialect,
): Record<string, number> {
  return Object.fromEntries(
    scopes.map((scope) => [`${scope}_refusal_rate`, writeRate(refused, scope, dialect)]),
  )
}

/** An object with a value for each name. */
export function toRecord<Name extends string, T>(
  names: readonly Name[],
  value: (name: Name) => T,
): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, value(name)]))
}

/** Prompts behind an answer: all of them, and those behind each of its numbers. */
interface PromptCounts {
  whole: number
  each: Readonly<Record<string, number>>
}

/** Of an answer with these rates. The first of them includes the others. */
export function promptCountsOf(scopes: readonly [RateScope, ...RateScope[]]): PromptCounts {
  return {
    whole: promptCount(scopes[0]),
    each: toRecord(scopes, promptCount),
  }
}

/** How answers give their sample size ("What the service does", 4). Some forms say nothing in entries of a list. */
interface SampleSizeForm {
  fields: z.ZodRawShape
  write(counts: PromptCounts): Record<string, unknown>
  entryFields: z.ZodRawShape
  writeEntry(prompts: number): Record<string, unknown>
}

const count = z.int().min(1).describe('Prompts that the figures rest on.')

export function sampleSizeForm({ 'sample-size': form }: ServiceDialect): SampleSizeForm {
  const noEntry = { entryFields: {}, writeEntry: () => ({}) }
  switch (form) {
    case 'sample_size':
    case 'sampleSize':
    case 'n': {
      const fields = { [form]: count }
      const writeEntry = (prompts: number) => ({ [form]: prompts })
      return { fields, write: ({ whole }) => writeEntry(whole), entryFields: fields, writeEntry }
    }
    case 'meta.sample_size':
      return {
        ...noEntry,
        fields: { meta: z.strictObject({ sample_size: count }) },
        write: ({ whole }) => ({ meta: { sample_size: whole } }),
      }
    case 'per-category':
      return {
        ...noEntry,
        fields: { sample_size: z.record(z.string(), count) },
        write: ({ each }) => ({ sample_size: each }),
      }
  }
}
