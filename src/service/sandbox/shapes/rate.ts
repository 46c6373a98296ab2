import * as z from 'zod'
import type { ServiceDialect } from '../dialect.ts'
import {
  categories,
  type PerGroup,
  type PromptCategory,
  promptCount,
  type RateScope,
  rateOf,
} from '../prompts.ts'
import type { PromptCounts } from './sample-size.ts'

/** Rates in the order in which they are shown. */
export const scopes = ['overall', ...categories] as const satisfies readonly RateScope[]

export function rateSchema(unit: ServiceDialect['rates']): z.ZodNumber {
  return z
    .number()
    .min(0)
    .max(unit === 'percent' ? 100 : 1)
    .describe(unit === 'percent' ? 'In percent: 20 is one in five.' : 'As a fraction: 0.2 is one in five.')
}

/** To three places as a fraction and one as a percentage, which is exact: the sizes of the categories see to that. */
export function writeRate(refused: PerGroup, scope: RateScope, unit: ServiceDialect['rates']): number {
  const thousandths = Math.round(1000 * rateOf(refused, scope))
  return thousandths / (unit === 'percent' ? 10 : 1000)
}

/** Of an answer that shows these rates. The first of them includes the others. */
export function sampleSizesOf(shown: readonly [RateScope, ...RateScope[]]): PromptCounts {
  return {
    whole: promptCount(shown[0]),
    each: Object.fromEntries(shown.map((scope) => [scope, promptCount(scope)])),
  }
}

/** The rates that a question for one category or for all is about. */
export function scopesOf(category: PromptCategory | 'all'): readonly [RateScope, ...RateScope[]] {
  return category === 'all' ? scopes : [category]
}

/** `2026-03-01T09:10:00.000Z`; `at` is milliseconds since the epoch. */
export function writeTime(at: number): string {
  return new Date(at).toISOString()
}
