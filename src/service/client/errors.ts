/** What is known of a call that failed. Texts hold no key and no webhook secret. */
export interface CallFailure {
  /** HTTP status, if an answer came. */
  status?: number | undefined
  /** The service's `error.code`, such as `RATE_LIMIT_EXCEEDED`; other codes are not specified ("Errors"). */
  code?: string | undefined
  cause?: unknown
}

/** Any call to the monitoring service that did not end well; each meaning has its class below. */
export abstract class MonitorError extends Error {
  readonly status: number | undefined
  readonly code: string | undefined

  constructor(message: string, failure: CallFailure = {}) {
    super(message, failure.cause === undefined ? undefined : { cause: failure.cause })
    this.status = failure.status
    this.code = failure.code
  }
}

/** 400 and the other 4xx without a class of their own: asking the same again will not help. */
export class BadRequest extends MonitorError {
  override readonly name = 'BadRequest'
}

/** 401, or the token endpoint's refusal: the key, or the OAuth client, is not valid. */
export class Unauthenticated extends MonitorError {
  override readonly name = 'Unauthenticated'
}

/** 403: the key has no scope for this. */
export class MissingScope extends MonitorError {
  override readonly name = 'MissingScope'
}

/** 404 or 410: no such model or resource. */
export class NotFound extends MonitorError {
  override readonly name = 'NotFound'
}

/** A failure after which the service may ask us to wait. */
abstract class WaitingError extends MonitorError {
  /** Milliseconds to wait, as the service said: an hour at most. Undefined if it said nothing that can be read. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, failure: CallFailure & { retryAfterMs: number | undefined }) {
    super(message, failure)
    this.retryAfterMs = failure.retryAfterMs
  }
}

/** 429: the requests of the hour are spent. */
export class RateLimited extends WaitingError {
  override readonly name: 'RateLimited' | 'BudgetSpent' = 'RateLimited'
}

/** Our own budget for the tier is spent: no request was made. `retryAfterMs` is when there will be one again. */
export class BudgetSpent extends RateLimited {
  override readonly name = 'BudgetSpent'
  override readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number) {
    super(message, { retryAfterMs })
    this.retryAfterMs = retryAfterMs
  }
}

/** 5xx, and 408: the service failed; the same request may work later. */
export class ServiceFailed extends WaitingError {
  override readonly name = 'ServiceFailed'
}

/** Milliseconds that the service asked us to wait; 0 if it did not ask. */
export function askedToWait(error: unknown): number {
  return error instanceof WaitingError ? (error.retryAfterMs ?? 0) : 0
}

/** No answer, or only a part of one: network, name, certificate, time-out. The request may have been carried out. */
export class Unreachable extends MonitorError {
  override readonly name = 'Unreachable'
  readonly timedOut: boolean

  constructor(message: string, failure: CallFailure & { timedOut: boolean }) {
    super(message, failure)
    this.timedOut = failure.timedOut
  }
}

/** An answer that is not the interface's: HTML, broken JSON, another shape, too long, a redirect, pages without end. */
export class Unintelligible extends MonitorError {
  override readonly name = 'Unintelligible'
}

/** Figures that say they are of another model than the requested one. */
export class OtherModel extends Unintelligible {}

/** What was downloaded could not be written where it should go: a full disk, a closed pipe. The service did its part. */
export class NotWritten extends MonitorError {
  override readonly name = 'NotWritten'
}
