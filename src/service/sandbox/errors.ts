import type { NextFunction, Request, Response } from 'express'
import * as z from 'zod'
import { answer } from './answer.ts'

/** "Errors": of the codes it names RATE_LIMIT_EXCEEDED only, the others follow its form. */
export const errorCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'RATE_LIMIT_EXCEEDED',
  500: 'INTERNAL_ERROR',
  /** The specification gives no status for an outage. */
  503: 'UNAVAILABLE',
} as const

export const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.values(errorCodes)),
    message: z.string().describe('For people.'),
    retry_after: z.number().min(0).describe('Seconds until the next request is free.').optional(),
  }),
})

/** An answer that is not a success ("Errors"). */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly status: keyof typeof errorCodes
  /** Seconds; only if the limit was exceeded. */
  readonly retryAfter: number | undefined
  readonly headers: Record<string, string>

  constructor(
    status: keyof typeof errorCodes,
    message: string,
    more: { retryAfter?: number; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.retryAfter = more.retryAfter
    this.headers = more.headers ?? {}
  }
}

export function badRequest(message: string): ServiceError {
  return new ServiceError(400, message)
}

export function notFound(message: string): ServiceError {
  return new ServiceError(404, message)
}

/** The last route: a path or method that nobody answers. */
export function answerUnknownPath(request: Request): never {
  throw notFound(`There is no ${request.method} ${request.baseUrl}${request.path} here.`)
}

/** Express knows an error handler by its four parameters. */
export function answerError(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  // An answer that has begun cannot become another: the connection is cut.
  if (response.headersSent) {
    next(error)
    return
  }
  const { status, headers, message, retryAfter } = toServiceError(error)
  const retry = retryAfter !== undefined && { retry_after: retryAfter }
  response.status(status).set(headers)
  answer(response, ErrorBody, { error: { code: errorCodes[status], message, ...retry } })
}

/** Express and its body parser mark what the caller did wrong with a 4xx `status`; all of it is a bad request. */
function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof SyntaxError) return badRequest('The body is not valid JSON.')
  if (error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500) {
    return badRequest(`The request cannot be read: ${error.message}.`)
  }
  process.emitWarning(error instanceof Error ? error : String(error))
  return new ServiceError(500, 'The sandbox failed to answer; this is a fault in it.')
}
