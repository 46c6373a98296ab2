import {
  BadRequest,
  MissingScope,
  MonitorError,
  NotFound,
  RateLimited,
  Unauthenticated,
  Unintelligible,
  Unreachable,
} from '../../service/client/errors.ts'

/** How the subscription stands, with a sentence for the operator. Times are ISO 8601, UTC. No secrets. */
export type SubscriptionStatus =
  /** Not asked yet, or what we remember could not be read. */
  | { state: 'unknown'; why: string }
  /** The service has it and we hold its secret. `remark`: what an operator should know all the same. */
  | { state: 'active'; id: string; since: string; remark?: string }
  /** There is none for our URL, and none could be made. */
  | { state: 'missing'; why: string }
  /** There is one, but it will not do, and no better one could be made. */
  | { state: 'inactive'; why: string }
  /** The service did not answer, or not as the interface says. The subscription may well be in order. */
  | { state: 'unreachable'; why: string; since: string }
  /** The service does not let us: a person must act. */
  | { state: 'refused'; why: string }

/** What a failed call says about the subscription. `since`: when calls began to fail, ISO 8601. */
export function statusOf(error: MonitorError, since: string): SubscriptionStatus {
  return isRefusal(error)
    ? { state: 'refused', why: error.message }
    : { state: 'unreachable', why: error.message, since }
}

/** Whether a creation that did not end well has left a subscription behind. */
export function leftBehind(error: unknown): 'no' | 'perhaps' | 'likely' {
  if (!(error instanceof MonitorError) || isRefusal(error) || error instanceof RateLimited) return 'no'
  if (error instanceof Unreachable) return error.timedOut ? 'likely' : 'perhaps'
  return error instanceof Unintelligible && (error.status ?? 0) < 300 ? 'likely' : 'perhaps'
}

function isRefusal(error: MonitorError): boolean {
  return (
    error instanceof Unauthenticated ||
    error instanceof MissingScope ||
    error instanceof BadRequest ||
    error instanceof NotFound
  )
}
