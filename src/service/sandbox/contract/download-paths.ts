import type { ServiceDialect } from '../dialect.ts'
import type { DocumentedResponse, PathItem } from './document.ts'
import { errorAnswer } from './errors.ts'
import { fileHeaders, limitHeaders, outsideHeaders, partHeaders, redirectHeaders } from './headers.ts'
import { schemaReference } from './json-schema.ts'
import { found, operation, success } from './operation.ts'
import { datasetId, ifRange, linkToken, range } from './parameters.ts'

/** A data set as such, or the address that it is at (dialect `download`). */
export function downloadPaths(dialect: ServiceDialect, origin: string): Record<string, PathItem> {
  const parameters = dialect.ranges === 'yes' ? [range, ifRange] : []
  const download = operation(dialect, {
    operationId: 'downloadDataset',
    summary: 'A data set',
    tag: 'research',
    scope: 'research.read',
    parameters: [datasetId, ...(dialect.download === 'stream' ? parameters : [])],
    errors: [400, 404],
    answers: downloadAnswers(dialect),
  })
  const path = { '/research/datasets/{dataset_id}/download': { get: download } }
  if (dialect.download === 'stream') return path
  return {
    ...path,
    '/files/{token}': {
      servers: [{ url: origin }],
      get: {
        operationId: 'getFile',
        summary: 'The data set that a download leads to; it asks for no key',
        tags: ['research'],
        security: [],
        parameters: [linkToken, ...parameters],
        responses: {
          ...fileAnswers(dialect),
          404: errorAnswer(404, 'This link has ended, or never was.', dialect),
        },
      },
    },
  }
}

function downloadAnswers(dialect: ServiceDialect): Record<string, DocumentedResponse> {
  switch (dialect.download) {
    case 'stream':
      return withLimits(fileAnswers(dialect), dialect)
    case 'redirect':
      return { 302: success('It is elsewhere.', dialect, redirectHeaders) }
    case 'json-link':
      return { 200: found(dialect, 'DownloadLink') }
  }
}

function withLimits(
  answers: Record<string, DocumentedResponse>,
  dialect: ServiceDialect,
): Record<string, DocumentedResponse> {
  const limits = limitHeaders(dialect)
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      { ...answer, headers: { ...answer.headers, ...limits } },
    ]),
  )
}

function fileAnswers(dialect: ServiceDialect): Record<string, DocumentedResponse> {
  const headers = fileHeaders(dialect.ranges)
  const whole: DocumentedResponse = {
    description: 'The data set.',
    headers,
    content: {
      'text/csv': { schema: { type: 'string' } },
      'application/json': { schema: { ...schemaReference('DatasetFile') } },
    },
  }
  if (dialect.ranges === 'no') return { 200: whole }
  return {
    200: whole,
    206: {
      description: 'The bytes that were asked for.',
      headers: { ...headers, ...partHeaders },
      content: { 'text/csv': {}, 'application/json': {} },
    },
    416: { description: 'It has no such bytes.', headers: { ...headers, ...outsideHeaders } },
  }
}
