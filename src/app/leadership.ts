import type { Clock } from '../platform/clock.ts'
import type { Store } from '../store/store.ts'

interface LeadershipParts {
  /** Of what one process does for all. */
  role: string
  store: Pick<Store, 'hold'>
  clock: Clock
  /** Begins, and answers what ends it. `takenOver`: another process did it until now. */
  begin(takenOver: boolean): Promise<() => Promise<unknown>>
  onError(error: unknown): void
}

/** What one process does for all, done by this one whenever no other does. */
export interface Leadership {
  stop(): Promise<void>
}

/** Until it is tried again where it failed. */
const againMs = 60_000

export function startDuty({ role, store, clock, begin, onError }: LeadershipParts): Leadership {
  const stopping = new AbortController()

  async function keep(): Promise<void> {
    for (let isThere = true; isThere && !stopping.signal.aborted; ) {
      try {
        isThere = await once()
      } catch (error) {
        onError(error)
        await clock.sleep(againMs, stopping.signal)
      }
    }
  }

  /** False where there is nothing more to wait for. */
  async function once(): Promise<boolean> {
    const hold = await store.hold(role, stopping.signal)
    // The store is closed, or this was stopped: to ask again would have the same answer at once, for ever.
    if (hold === undefined) return false
    try {
      const ended = AbortSignal.any([hold.signal, stopping.signal])
      if (ended.aborted) return true
      const end = await begin(hold.takenOver)
      if (!ended.aborted) {
        await new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }))
      }
      await end()
      return true
    } finally {
      hold.release()
    }
  }

  const kept = keep()
  return {
    async stop() {
      stopping.abort()
      await kept
    },
  }
}
