import type { Sample } from './orders.ts'

export interface Verdict {
  what: string
  /** Of the first third of the samples, and of the last. */
  before: number
  after: number
  /** How much more it may be. */
  limit: number
  isFlat: boolean
}

/**
 * Memory goes up and down with the segment that fills, and with what the collector leaves: its floor shows if
 * something stays. For all else the ceiling shows it.
 */
const rules: Record<keyof Sample, { what: string; of: (...values: number[]) => number; limit: Limit }> = {
  heap: { what: 'heap after a collection, MB', of: Math.min, limit: (before) => before * 0.03 },
  outside: { what: 'memory outside the heap, MB', of: Math.min, limit: (before) => before * 0.05 },
  handles: { what: 'open files and sockets', of: Math.max, limit: () => 6 },
  sleepers: { what: 'sleepers on the clock', of: Math.max, limit: () => 4 },
  resources: { what: 'timers and handles', of: Math.max, limit: () => 6 },
  files: { what: 'files in the store', of: Math.max, limit: () => 6 },
  series: { what: 'time series in /metrics', of: Math.max, limit: () => 4 },
}
type Limit = (before: number) => number

/** Whether the last third of the samples is no more than the first. */
export function judgeFlat(samples: readonly Sample[]): Verdict[] {
  const third = Math.floor(samples.length / 3)
  return (Object.keys(rules) as (keyof Sample)[]).map((key) => {
    const { what, of, limit } = rules[key]
    const before = of(...samples.slice(0, third).map((sample) => sample[key]))
    const after = of(...samples.slice(-third).map((sample) => sample[key]))
    const allowed = limit(before)
    return { what, before, after, limit: allowed, isFlat: after <= before + allowed }
  })
}
