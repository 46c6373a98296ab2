import {
  MonitorError,
  NotFound,
  RateLimited,
  ServiceFailed,
  Unreachable,
} from '../../service/client/errors.ts'

/** There are no figures, or no picture of them, and why: in words for readers. */
export class None extends Error {
  override readonly name = 'None'
  /** It passes by itself: what was read before is worth showing meanwhile. */
  readonly isPassing: boolean

  constructor(message: string, { isPassing = false, cause }: { isPassing?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isPassing = isPassing
  }
}

export function noneLeft(): None {
  const why = 'the requests that are left are kept for polling: some more come back every few minutes'
  return new None(why, { isPassing: true })
}

/** What a reader can do nothing with, such as an address or a code of the network, is for the log. */
export function noneFor(error: unknown): None {
  if (error instanceof None) return error
  const isAway = [RateLimited, ServiceFailed, Unreachable].some((kind) => error instanceof kind)
  if (isAway) return new None('the service cannot be reached', { isPassing: true, cause: error })
  if (error instanceof NotFound) return new None('the service has no such figures', { cause: error })
  if (!(error instanceof MonitorError)) return new None('they could not be read', { cause: error })
  return new None('what the service answers cannot be used; bluepencil check says more', { cause: error })
}

/** Why figures that were read before are shown; undefined if they are no longer right. */
export function outdatedBy(error: unknown): string | undefined {
  if (error instanceof NotFound) return 'the service no longer has these figures'
  const none = noneFor(error)
  return none.isPassing ? none.message : undefined
}
