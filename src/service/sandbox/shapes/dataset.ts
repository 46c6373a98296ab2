import * as z from 'zod'
import type { SandboxDataset } from '../datasets.ts'
import type { ServiceDialect } from '../dialect.ts'
import { promptCount } from '../prompts.ts'
import type { AnswerForm } from './form.ts'
import { writeTime } from './rate.ts'
import { sampleSizeFields, writeSampleSize } from './sample-size.ts'

const format = z.enum(['csv', 'json'])
const count = z.int().min(0)

/** A record of the list of data sets: its fields are not shown, but for the id that a download names. */
export function datasetForm(dialect: ServiceDialect): AnswerForm<SandboxDataset> {
  const size = sampleSizeFields(dialect['sample-size'])
  const whole = promptCount('overall')
  const writeSize = () => writeSampleSize(dialect['sample-size'], { whole, each: { overall: whole } })
  switch (dialect['datasets-shape']) {
    case 'flat':
      return {
        schema: z.strictObject({ id: z.string(), ...flatFields, ...size }),
        write: (dataset) => ({ id: dataset.id, ...writeFlat(dataset), ...writeSize() }),
      }
    case 'nested':
      return {
        schema: z.strictObject({
          id: z.string(),
          type: z.literal('dataset'),
          metadata: z.strictObject({ ...flatFields, ...size }),
        }),
        write: (dataset) => ({
          id: dataset.id,
          type: 'dataset',
          metadata: { ...writeFlat(dataset), ...writeSize() },
        }),
      }
    case 'camel':
      return {
        schema: z.strictObject({
          datasetId: z.string(),
          name: z.string(),
          description: z.string(),
          format,
          sizeBytes: count,
          recordCount: count,
          lastUpdated: z.iso.datetime(),
          ...size,
        }),
        write: ({ id, title, description, format: written, content, records, updatedAt }) => ({
          datasetId: id,
          name: title,
          description,
          format: written,
          sizeBytes: content.length,
          recordCount: records,
          lastUpdated: writeTime(updatedAt),
          ...writeSize(),
        }),
      }
  }
}

const flatFields = {
  title: z.string(),
  description: z.string(),
  format,
  size_bytes: count,
  records: count,
  last_updated: z.iso.datetime(),
}

function writeFlat({ title, description, format: written, content, records, updatedAt }: SandboxDataset) {
  return {
    title,
    description,
    format: written,
    size_bytes: content.length,
    records,
    last_updated: writeTime(updatedAt),
  }
}

/** Where a data set can be had without a key for a while (dialect `download=json-link`). */
export function downloadLinkForm(
  dialect: ServiceDialect,
): AnswerForm<{ url: string; expiresAt: number; dataset: SandboxDataset }> {
  const whole = promptCount('overall')
  return {
    schema: z.strictObject({
      url: z.url(),
      expires_at: z.iso.datetime(),
      size_bytes: count,
      last_updated: z.iso.datetime(),
      ...sampleSizeFields(dialect['sample-size']),
    }),
    write: ({ url, expiresAt, dataset }) => ({
      url,
      expires_at: writeTime(expiresAt),
      size_bytes: dataset.content.length,
      last_updated: writeTime(dataset.updatedAt),
      ...writeSampleSize(dialect['sample-size'], { whole, each: { overall: whole } }),
    }),
  }
}

/** What is in a data set of the format JSON. */
export function datasetFileSchema(dialect: ServiceDialect): z.ZodType {
  return z.strictObject({
    last_updated: z.iso.datetime(),
    ...sampleSizeFields(dialect['sample-size']),
    records: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
  })
}
