import type { Clock } from '../clock.ts'

export interface Bounds {
  most: number
  forMs: number
}

/** Remembers what was made lately, by a key; what failed is made again. Holds no more than so many, for so long. */
export function createRecent<T extends Promise<unknown>>(
  { most, forMs }: Bounds,
  clock: Pick<Clock, 'now'>,
): (key: string, make: () => T) => T {
  const kept = new Map<string, { value: T; at: number }>()

  function prune(now: number): void {
    for (const [key, { at }] of kept) {
      if (kept.size > most || Math.abs(now - at) >= forMs) kept.delete(key)
    }
  }

  return (key, make) => {
    const now = clock.now()
    prune(now)
    const known = kept.get(key)
    if (known !== undefined) return known.value
    const value = make()
    kept.set(key, { value, at: now })
    value.catch(() => {
      if (kept.get(key)?.value === value) kept.delete(key)
    })
    return value
  }
}
