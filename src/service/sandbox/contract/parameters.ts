import { models } from '../change.ts'
import type { ServiceDialect } from '../dialect.ts'
import { categories, topics } from '../prompts.ts'
import { periods } from '../shapes/history.ts'
import type { JsonSchema, Parameter } from './document.ts'

export const model = path('model', 'The AI model.', { type: 'string', enum: models })

export const period = query('period', 'How far back, from the last reading.', {
  type: 'string',
  enum: Object.keys(periods),
  default: '30d',
})

export const category = query('category', 'Whose refusal rate; all of them and the overall rate.', {
  type: 'string',
  enum: [...categories, 'all'],
  default: 'all',
})

export const comparedModels = commaList('models', 'Left out: all of them.', models)
export const biasTopics = commaList('topics', 'Left out: all of them.', topics)

export const year = query('year', 'Of publication. Left out: all years.', {
  type: 'string',
  pattern: '^\\d{4}$',
})

export const since = query('since', 'Only what was detected then or later.', {
  type: 'string',
  format: 'date-time',
})

export const datasetId = path('dataset_id', 'From the list of data sets.', { type: 'string' })
export const subscriptionId = path('id', 'The id of the subscription.', {
  type: 'string',
  pattern: '^wh_',
})
export const linkToken = path('token', 'From the address that the download gave.', { type: 'string' })

export const range: Parameter = {
  name: 'Range',
  in: 'header',
  required: false,
  description: 'One range of bytes, to resume a download.',
  schema: { type: 'string', pattern: '^bytes=' },
}

export const ifRange: Parameter = {
  name: 'If-Range',
  in: 'header',
  required: false,
  description: 'The ETag of what is there already; the whole comes where there is a newer version.',
  schema: { type: 'string' },
}

/** How a list's other pages are asked for. */
export function pageParameters({ pages }: ServiceDialect): Parameter[] {
  switch (pages) {
    case 'none':
      return []
    case 'cursor':
      return [query('cursor', 'From the page before. Left out: the first page.', { type: 'string' })]
    case 'number':
    case 'link':
      return [query('page', 'From 1.', { type: 'integer', minimum: 1, default: 1 })]
  }
}

function path(name: string, description: string, schema: JsonSchema): Parameter {
  return { name, in: 'path', required: true, description, schema }
}

function query(name: string, description: string, schema: JsonSchema): Parameter {
  return { name, in: 'query', required: false, description, schema }
}

function commaList(name: string, description: string, allowed: readonly string[]): Parameter {
  return {
    ...query(name, description, { type: 'array', items: { type: 'string', enum: allowed }, minItems: 1 }),
    style: 'form',
    explode: false,
  }
}
