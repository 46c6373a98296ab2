import type { History } from '../client/endpoints/history.ts'
import { MonitorError, NotFound, RateLimited, ServiceFailed, Unreachable } from '../client/errors.ts'

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

/** A model's published figures, and when they were read; milliseconds since the epoch. */
export interface ReadHistory {
  history: History
  readAt: number
}

/** As they were read, or, while they cannot be, as they were read last; `outdated` says why. */
type KnownHistory = ReadHistory & { outdated?: string }

export type KnownHistories = (key: string, read: () => Promise<ReadHistory>) => Promise<KnownHistory>

/** Five models in four categories, and some that the service has beside. */
const mostKept = 40

/** Keeps what was read last of each key. Rejects with `None` alone. */
export function createKnownHistories(): KnownHistories {
  const kept = new Map<string, ReadHistory>()
  return async (key, read) => {
    try {
      const known = await read()
      kept.delete(key)
      kept.set(key, known)
      for (const oldest of kept.keys()) {
        if (kept.size <= mostKept) break
        kept.delete(oldest)
      }
      return known
    } catch (error) {
      const none = noneFor(error)
      const known = kept.get(key)
      if (known === undefined || !none.isPassing) throw none
      return { ...known, outdated: none.message }
    }
  }
}

/** What a reader can do nothing with, such as an address or a code of the network, is for the log. */
function noneFor(error: unknown): None {
  if (error instanceof None) return error
  const isAway = [RateLimited, ServiceFailed, Unreachable].some((kind) => error instanceof kind)
  if (isAway) return new None('the service cannot be reached', { isPassing: true, cause: error })
  if (error instanceof NotFound) return new None('the service has no such figures', { cause: error })
  if (!(error instanceof MonitorError)) return new None('they could not be read', { cause: error })
  return new None('what the service answers cannot be used; bluepencil check says more', { cause: error })
}
