import { uptime } from 'node:os'

/** Time as the program sees it; a test moves its own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds since the machine started, which nobody can set; a clock that has none is taken at its word. */
  uptime?(): number
  /** Resolves after so many milliseconds, or at once when the signal aborts; never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** Node's timers hold 2³¹−1 ms; a longer sleep wakes early, and its caller looks at the clock again. */
const longestTimer = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  uptime: () => uptime() * 1_000,
  sleep(milliseconds, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, Math.min(Math.max(milliseconds, 0), longestTimer))
      signal?.addEventListener('abort', done, { once: true })
    })
  },
}

let latest = { at: Number.NaN, text: '' }

/** ISO 8601, UTC. The text of the last time is kept: under load, many things happen within one millisecond. */
export function isoTime(at: number): string {
  if (at !== latest.at) latest = { at, text: new Date(at).toISOString() }
  return latest.text
}

/** As `isoTime`; null for no time, and for what is no date. */
export function isoOrNull(at: number | null): string | null {
  const date = new Date(at ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Acts after so many milliseconds, unless the function that it answers is called before. */
export function after(clock: Clock, milliseconds: number, act: () => void): () => void {
  const calledOff = new AbortController()
  void clock.sleep(milliseconds, calledOff.signal).then(() => {
    if (!calledOff.signal.aborted) act()
  })
  return () => calledOff.abort()
}

/** Resolves when the promise does, or after so many milliseconds. Rejects if the promise does so in time. */
export async function within(clock: Clock, milliseconds: number, promise: Promise<unknown>): Promise<void> {
  const ended = new AbortController()
  try {
    await Promise.race([promise, clock.sleep(milliseconds, ended.signal)])
  } finally {
    ended.abort()
  }
}
