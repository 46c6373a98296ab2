import { createChainer } from '../evidence/chaining.ts'
import type { SharedServices } from './shared-services.ts'

/**
 * Chains what was accepted. No delivery waits for it: after each batch it rests for so many times as long as it took, and where more
 * comes than that allows, the chain follows later.
 */
const restTimes = 20

/** Answers what adds all that is not chained yet, until the signal aborts. */
export function createChaining({
  store,
  clock,
}: Pick<SharedServices, 'store' | 'clock'>): (ended: AbortSignal) => Promise<void> {
  const chainer = createChainer({ store, now: clock.now })
  return async (ended) => {
    let mayBeMore = true
    while (mayBeMore && !ended.aborted) {
      const began = clock.now()
      mayBeMore = await chainer.addBatch()
      const tookMs = clock.now() - began
      if (mayBeMore && tookMs > 0) await clock.sleep(restTimes * tookMs, ended)
    }
  }
}
