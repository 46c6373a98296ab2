import type { NextFunction, Request, Response } from 'express'

/**
 * An answer that is not a success. The statuses are the specification's ("Errors"); of the codes it names only
 * RATE_LIMIT_EXCEEDED, the others follow its form.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly status: number
  readonly code: string
  /** Whole seconds; only where the limit was exceeded. */
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, message: string, retryAfter?: number) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

export function badRequest(message: string): ServiceError {
  return new ServiceError(400, 'BAD_REQUEST', message)
}

export function notFound(message: string): ServiceError {
  return new ServiceError(404, 'NOT_FOUND', message)
}

/** The last route: a path or method that nobody answers. */
export function answerUnknownPath(request: Request): never {
  throw notFound(`There is no ${request.method} ${request.baseUrl}${request.path} here.`)
}

/** Express knows an error handler by its four parameters. */
export function answerError(
  error: unknown,
  _request: Request,
  response: Response,
  _next: NextFunction,
): void {
  const answer = toServiceError(error)
  const { code, message, retryAfter } = answer
  if (answer.status === 401) response.set('WWW-Authenticate', 'Bearer')
  response.status(answer.status)
  response.json({ error: { code, message, ...(retryAfter !== undefined && { retry_after: retryAfter }) } })
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
