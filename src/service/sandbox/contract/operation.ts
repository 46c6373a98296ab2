import type { Dialect } from '../dialect.ts'
import type { Scope } from '../keys.ts'
import type { Answer, Header, Operation, Parameter } from './document.ts'
import { type ErrorStatus, errorReferences } from './errors.ts'
import { limitHeaders, pageHeaders } from './headers.ts'
import { json, schemaReference } from './json-schema.ts'
import { pageParameters } from './parameters.ts'
import { needing, needs } from './security.ts'

interface Documented {
  operationId: string
  summary: string
  tag: 'monitoring' | 'research' | 'webhooks'
  scope: Scope
  parameters?: readonly Parameter[]
  /** Beside 401, 403, 429 and 503. */
  errors?: readonly ErrorStatus[]
  answers: Record<string, Answer>
}

/** An operation under /v1: who asks is looked at first, then how often, then what for. */
export function operation(dialect: Dialect, documented: Documented): Operation {
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

type Reading = Omit<Documented, 'answers'> & { schema: string }

/** An operation that answers 200 with one thing. */
export function reading(dialect: Dialect, { schema, ...documented }: Reading): Operation {
  return operation(dialect, { ...documented, answers: { 200: found(dialect, schema) } })
}

/** An operation that answers 200 with a list, or a page of it. */
export function listing(dialect: Dialect, { schema, parameters = [], errors = [], ...documented }: Reading) {
  const own = [...parameters, ...pageParameters(dialect)]
  return operation(dialect, {
    ...documented,
    parameters: own,
    errors: own.length > 0 ? [400, ...errors] : errors,
    answers: { 200: found(dialect, schema, pageHeaders(dialect)) },
  })
}

/** A success with a body of that schema. */
export function found(dialect: Dialect, schema: string, headers: Record<string, Header> = {}): Answer {
  return success('As asked for.', dialect, headers, schema)
}

export function success(
  description: string,
  dialect: Dialect,
  headers: Record<string, Header> = {},
  schema?: string,
): Answer {
  const all = { ...headers, ...limitHeaders(dialect) }
  return {
    description,
    ...(Object.keys(all).length > 0 && { headers: all }),
    ...(schema !== undefined && { content: json(schemaReference(schema)) }),
  }
}
