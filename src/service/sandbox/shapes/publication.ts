import * as z from 'zod'
import type { ServiceDialect } from '../dialect.ts'
import { promptCount } from '../prompts.ts'
import type { SandboxPublication } from '../publications.ts'
import type { AnswerForm } from './form.ts'
import { writeTime } from './rate.ts'
import { sampleSizeFields, writeSampleSize } from './sample-size.ts'

const year = z.int().min(2000).max(9999)
const names = z.array(z.string())
const figures = z.array(
  z.strictObject({
    label: z.string(),
    value: z.number(),
    unit: z.enum(['percent', 'percentage points', 'count']),
  }),
)

/** A record of the list of publications: its fields are not shown. */
export function publicationForm(dialect: ServiceDialect): AnswerForm<SandboxPublication> {
  const size = sampleSizeFields(dialect['sample-size'])
  const whole = promptCount('overall')
  const writeSize = () => writeSampleSize(dialect['sample-size'], { whole, each: { overall: whole } })
  switch (dialect['publications-shape']) {
    case 'flat':
      return {
        schema: z.strictObject({ id: z.string(), ...flatFields, ...size }),
        write: (publication) => ({ id: publication.id, ...writeFlat(publication), ...writeSize() }),
      }
    case 'nested':
      return {
        schema: z.strictObject({
          id: z.string(),
          type: z.literal('publication'),
          attributes: z.strictObject({ ...flatFields, ...size }),
        }),
        write: (publication) => ({
          id: publication.id,
          type: 'publication',
          attributes: { ...writeFlat(publication), ...writeSize() },
        }),
      }
    case 'camel':
      return {
        schema: z.strictObject({
          id: z.string(),
          title: z.string(),
          authors: names,
          publishedAt: z.iso.datetime(),
          year,
          url: z.url(),
          abstract: z.string(),
          figures,
          lastUpdated: z.iso.datetime(),
          ...size,
        }),
        write: (publication) => {
          const { published_at, summary, last_updated, ...same } = writeFlat(publication)
          return {
            id: publication.id,
            ...same,
            publishedAt: published_at,
            abstract: summary,
            lastUpdated: last_updated,
            ...writeSize(),
          }
        },
      }
  }
}

const flatFields = {
  title: z.string(),
  authors: names,
  published_at: z.iso.datetime(),
  year,
  url: z.url(),
  summary: z.string(),
  figures,
  last_updated: z.iso.datetime(),
}

function writeFlat({ id, title, authors, publishedAt, summary, figures: cited }: SandboxPublication) {
  return {
    title,
    authors,
    published_at: writeTime(publishedAt),
    year: new Date(publishedAt).getUTCFullYear(),
    url: `https://monitor.example/publications/${id}`,
    summary,
    figures: cited,
    last_updated: writeTime(publishedAt),
  }
}
