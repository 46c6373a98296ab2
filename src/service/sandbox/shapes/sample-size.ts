import * as z from 'zod'
import type { ServiceDialect } from '../dialect.ts'

type SampleSizeForm = ServiceDialect['sample-size']

const count = z.int().min(1).describe('Prompts that the figures rest on.')

/** Prompts that an answer rests on: all of them, and those behind each of its numbers. */
export interface PromptCounts {
  whole: number
  each: Readonly<Record<string, number>>
}

/** The field or fields of an answer that give its sample size ("What the service does", 4). */
export function sampleSizeFields(form: SampleSizeForm): z.ZodRawShape {
  switch (form) {
    case 'sample_size':
    case 'sampleSize':
    case 'n':
      return { [form]: count }
    case 'meta.sample_size':
      return { meta: z.strictObject({ sample_size: count }) }
    case 'per-category':
      return { sample_size: z.record(z.string(), count) }
  }
}

export function writeSampleSize(
  form: SampleSizeForm,
  { whole, each }: PromptCounts,
): Record<string, unknown> {
  switch (form) {
    case 'sample_size':
    case 'sampleSize':
    case 'n':
      return { [form]: whole }
    case 'meta.sample_size':
      return { meta: { sample_size: whole } }
    case 'per-category':
      return { sample_size: each }
  }
}

/** As above for one entry of a list; forms that speak of the answer as a whole say nothing there. */
export function entrySampleSizeFields(form: SampleSizeForm): z.ZodRawShape {
  return saysInEntries(form) ? { [form]: count } : {}
}

export function writeEntrySampleSize(form: SampleSizeForm, whole: number): Record<string, unknown> {
  return saysInEntries(form) ? { [form]: whole } : {}
}

function saysInEntries(form: SampleSizeForm): boolean {
  return form !== 'meta.sample_size' && form !== 'per-category'
}
