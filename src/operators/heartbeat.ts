import type { Clock } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'
import { exchange } from '../platform/outbound/exchange.ts'

export interface HeartbeatSettings {
  url: string
  /** Milliseconds. */
  every: number
}

interface HeartbeatParts {
  clock: Clock
  /** By the configuration in force; undefined if none is wanted. */
  settings(): HeartbeatSettings | undefined
  /** Whether nothing is wrong, so that silence means that something is. */
  isWell(): Promise<boolean>
  /** The switch could not be asked. It will alert by itself. */
  onError(error: unknown): void
}

/** An answer of a switch is short, and nobody reads it. */
const longestAnswer = { mostBytes: 64 * 1024, mostValues: 10_000, timeoutMs: 10_000 }

/**
 * Calls a dead man's switch with GET while all is well. If the calls stop, the switch alerts its owner, even if this whole
 * machine is gone. Begins at once; answers a function that ends it.
 */
export function startHeartbeat({ clock, settings, isWell, onError }: HeartbeatParts): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  let last = Number.NEGATIVE_INFINITY

  async function beat({ url }: HeartbeatSettings): Promise<void> {
    const { status } = await exchange(url, { method: 'GET' }, { ...longestAnswer, signal })
    if (status >= 400) throw new Error(`the heartbeat was answered ${status}`)
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const now = settings()
      // A clock that is set back makes no pause longer.
      const isDue = now !== undefined && Math.abs(clock.now() - last) >= now.every
      if (isDue && (await isWell())) {
        last = clock.now()
        await beat(now).catch((error: unknown) => {
          if (!signal.aborted) onError(error)
        })
      }
      // A configuration that changes is noticed within a minute.
      await clock.sleep(Math.min(now?.every ?? minuteMs, minuteMs), signal)
    }
  }

  const running = run()
  return async () => {
    stopping.abort()
    await running
  }
}
