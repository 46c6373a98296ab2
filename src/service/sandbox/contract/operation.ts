import type { ServiceDialect } from '../dialect.ts'
import type { KeyScope } from '../keys.ts'
import type { DocumentedResponse, Header, Operation, Parameter } from './document.ts'
import { type ErrorStatus, errorReferences } from './errors.ts'
import { limitHeaders, pageHeaders } from './headers.ts'
import { json, schemaReference } from './json-schema.ts'
import { pageParameters } from './parameters.ts'
import { needing, needs } from './security.ts'

interface DocumentedOperation {
  operationId: string
  summary: string
  tag: 'monitoring' | 'research' | 'webhooks'
  scope: KeyScope
  parameters?: readonly Parameter[]
  /** Beside 401, 403, 429 and 503. */
  errors?: readonly ErrorStatus[]
  answers: Record<string, DocumentedResponse>
}

/** An operation under /v1: who asks is looked at first, then how often, then what for. */
export function operation(dialect: ServiceDialect, documented: DocumentedOperation): Operation {
  const { operationId, summary, tag, scope, parameters = [], errors = [], answers } = documented
  const refusals: ErrorStatus[] = [401, ...(needs(scope, dialect) ? [403 as const] : []), 429, 503]
  return {
    operationId,
    summary,
    tags: [tag],
    security: needing(scope, dialect),
    ...(parameters.length > 0 && { parameters }),
    responses: { ...answers, ...errorReferences([...errors, ...refusals]) },
  }
}

type ReadOperation = Omit<DocumentedOperation, 'answers'> & { schema: string }

/** An operation that answers 200 with one thing. */
export function reading(dialect: ServiceDialect, { schema, ...documented }: ReadOperation): Operation {
  return operation(dialect, { ...documented, answers: { 200: found(dialect, schema) } })
}

/** An operation that answers 200 with a list, or a page of it. */
export function listing(
  dialect: ServiceDialect,
  { schema, parameters = [], errors = [], ...documented }: ReadOperation,
) {
  const own = [...parameters, ...pageParameters(dialect)]
  return operation(dialect, {
    ...documented,
    parameters: own,
    errors: own.length > 0 ? [400, ...errors] : errors,
    answers: { 200: found(dialect, schema, pageHeaders(dialect)) },
  })
}

/** A success with a body of that schema. */
export function found(
  dialect: ServiceDialect,
  schema: string,
  headers: Record<string, Header> = {},
): DocumentedResponse {
  return success('As asked for.', dialect, headers, schema)
}

export function success(
  description: string,
  dialect: ServiceDialect,
  headers: Record<string, Header> = {},
  schema?: string,
): DocumentedResponse {
  const all = { ...headers, ...limitHeaders(dialect) }
  return {
    description,
    ...(Object.keys(all).length > 0 && { headers: all }),
    ...(schema !== undefined && { content: json(schemaReference(schema)) }),
  }
}
