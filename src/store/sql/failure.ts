import { StoreRefused, StoreUnavailable } from '../store.ts'

/** The database did not do what it was asked. */
export class DatabaseFailure extends Error {
  override readonly name = 'DatabaseFailure'
  /** Why, in words; never what the database itself says, which may quote what is stored. */
  readonly reason: string
  /**
   * `conflict`: undone, since another process was in the way; it may succeed the next time. `refusal`: undone, because of what it
   * was given. `undone`: nothing of it is stored. `unknown`: it may be stored.
   */
  readonly kind: 'conflict' | 'refusal' | 'undone' | 'unknown'

  /** Where nothing was stored, as a sentence goes on: " in the database". */
  readonly place: string

  constructor(
    reason: string,
    kind: DatabaseFailure['kind'],
    { cause, place = '' }: { cause?: unknown; place?: string } = {},
  ) {
    super(reason, { cause })
    this.reason = reason
    this.kind = kind
    this.place = place
  }
}

/** What is no failure of the database stays what it is. */
export function unavailable(what: string, cause: unknown): unknown {
  if (!(cause instanceof DatabaseFailure)) return cause
  const mayBeStored = cause.kind === 'unknown'
  return new StoreUnavailable(`${what}${cause.place}: ${cause.reason}`, { cause, mayBeStored })
}

export function refused(sentence: string, cause: unknown): unknown {
  if (!(cause instanceof DatabaseFailure)) return cause
  return new StoreRefused(`${sentence}: ${cause.reason}`, { cause })
}

export function isConflict(error: unknown): boolean {
  return error instanceof DatabaseFailure && error.kind === 'conflict'
}

/** Nothing of it is stored, because of what was given. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseFailure && (error.kind === 'refusal' || error.kind === 'conflict')
}
