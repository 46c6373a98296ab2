import { vi } from 'vitest'
import type { Clock } from '../../../src/platform/clock.ts'
import { hourMs } from '../../../src/platform/durations.ts'

/** A clock on which what is done each hour waits until a test says so. */
export function hourlySweeps(clock: Clock) {
  const sleeping = new Set<() => void>()
  const sleep = (ms: number, signal?: AbortSignal) =>
    ms === hourMs
      ? new Promise<void>((resolve) => {
          sleeping.add(resolve)
          signal?.addEventListener('abort', () => resolve())
        })
      : clock.sleep(ms, signal)
  return {
    clock: { ...clock, sleep },
    /** Resolves when it is done, and what was woken sleeps again. */
    async sweep(): Promise<void> {
      await vi.waitUntil(() => sleeping.size > 0)
      const waking = [...sleeping]
      sleeping.clear()
      for (const wake of waking) wake()
      await vi.waitUntil(() => sleeping.size >= waking.length)
    },
  }
}
