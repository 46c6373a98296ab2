import type { NextFunction, Request, Response } from 'express'
import { answer } from './answer.ts'
import { ErrorBody } from './shapes/error.ts'

/**
 * An answer that is not a success. The statuses are the specification's ("Errors"); of the codes it names only
 * RATE_LIMIT_EXCEEDED, the others follow its form.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly status: number
  readonly code: string
  /** Seconds; only where the limit was exceeded. */
  readonly retryAfter: number | undefined
  readonly headers: Record<string, string>

  constructor(
    status: number,
    code: string,
    message: string,
    more: { retryAfter?: number; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter = more.retryAfter
    this.headers = more.headers ?? {}
  }
}

export function badRequest(message: string): ServiceError {
  return new ServiceError(400, 'BAD_REQUEST', message)
}

export function notFound(message: string): ServiceError {
  return new ServiceError(404, 'NOT_FOUND', message)
}

/** While an operator's outage lasts; the specification gives no status for it. */
export function unavailable(message: string): ServiceError {
  return new ServiceError(503, 'UNAVAILABLE', message)
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
  const { status, headers, code, message, retryAfter } = toServiceError(error)
  response.status(status).set(headers)
  answer(response, ErrorBody, {
    error: { code, message, ...(retryAfter !== undefined && { retry_after: retryAfter }) },
  })
}

/** Express and its body parser mark what the caller did wrong with a 4xx `status`; all of it is a bad request. */
function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof SyntaxError) return badRequest('The body is not valid JSON.')
  if (error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500) {
    return badRequest(`The request cannot be read: ${error.message}.`)
  }
  process.emitWarning(error instanceof Error ? error : String(error))
  return new ServiceError(500, 'INTERNAL_ERROR', 'The sandbox failed to answer; this is a fault in it.')
}
