import * as z from 'zod'
import type { ServiceDialect } from '../dialect.ts'
import { ErrorBody, errorCodes } from '../shapes/error.ts'
import type { DocumentedResponse, Header, Reference } from './document.ts'
import { challengeHeaders, limitHeaders, retryHeaders } from './headers.ts'
import { json, jsonSchema } from './json-schema.ts'

/** The specification's statuses ("Errors"), and 503 while the service is down. */
const names = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
  503: 'Unavailable',
} as const
export type ErrorStatus = keyof typeof names

/** References to the answers, by status. */
export function errorReferences(statuses: readonly ErrorStatus[]): Record<string, Reference> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${names[status]}` }]),
  )
}

/** Those that every operation under /v1 may refer to. */
export function errorAnswers(
  dialect: ServiceDialect,
): Record<(typeof names)[ErrorStatus], DocumentedResponse> {
  const limits = limitHeaders(dialect)
  const make = (status: ErrorStatus, description: string, headers: Record<string, Header>) =>
    errorAnswer(status, description, dialect, headers)
  return {
    BadRequest: make(400, 'The request cannot be read, or a value in it cannot be.', limits),
    Unauthorized: make(401, 'The key or the token is missing, unknown or expired.', challengeHeaders),
    Forbidden: make(403, 'The key lacks the scope.', { ...challengeHeaders, ...limits }),
    NotFound: make(404, 'There is no such model or resource.', limits),
    TooManyRequests: make(429, 'The hourly limit of the tier is reached.', {
      ...retryHeaders(dialect),
      ...limits,
    }),
    Unavailable: make(503, 'The service is down for a while.', {}),
  }
}

export function errorAnswer(
  status: ErrorStatus,
  description: string,
  dialect: ServiceDialect,
  headers: Record<string, Header> = {},
): DocumentedResponse {
  return {
    description,
    ...(Object.keys(headers).length > 0 && { headers }),
    content: json(jsonSchema(bodyOf(status, dialect), dialect)),
  }
}

/** Every error has the same form, and each status its code. */
function bodyOf(status: ErrorStatus, dialect: ServiceDialect): z.ZodType {
  const { message, retry_after } = ErrorBody.shape.error.shape
  const saysWhen = status === 429 && dialect['retry-after'] !== 'header'
  return z.strictObject({
    error: z.strictObject({
      code: z.literal(errorCodes[status]),
      message,
      ...(saysWhen && { retry_after: retry_after.unwrap() }),
    }),
  })
}
