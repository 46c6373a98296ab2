import type { Clock } from '../../platform/clock.ts'

interface CacheBounds {
  most: number
  forMs: number
  /** What failed is not tried again before; 0 if it may be at once. Milliseconds. */
  failedForMs: number
}

/** Remembers what was made lately, by a key. Holds no more than so many, for so long. */
export function createRecent<T extends Promise<unknown>>(
  { most, forMs, failedForMs }: CacheBounds,
  clock: Pick<Clock, 'now'>,
): (key: string, make: () => T) => T {
  const kept = new Map<string, { value: T; at: number; forMs: number }>()

  function prune(now: number): void {
    for (const [key, one] of kept) {
      if (kept.size > most || Math.abs(now - one.at) >= one.forMs) kept.delete(key)
    }
  }

  return (key, make) => {
    const now = clock.now()
    prune(now)
    const cached = kept.get(key)
    if (cached !== undefined) return cached.value
    const value = make()
    const entry = { value, at: now, forMs }
    kept.set(key, entry)
    value.catch(() => {
      entry.forMs = failedForMs
    })
    return value
  }
}
