import { dayMs, minuteMs } from '../platform/durations.ts'
import { checkChain, createChainer, endOf, rememberHead } from '../record/evidence/chain.ts'
import type { SharedServices } from './shared-services.ts'

/**
 * Chains what was accepted. No delivery waits for it: after each batch it rests for so many times as long as it took, and where more
 * comes than that allows, the chain follows later. It never rests for longer than a minute: by then a loss is to be noticed.
 */
const restTimes = 20
const longestRestMs = minuteMs
/** How often all of the chain is read and checked. */
const checkEveryMs = dayMs

/** Answers what adds all that is not chained yet, until the signal aborts; what was lost of the chain is reported before. */
export function createChaining({
  store,
  clock,
  incidents,
}: Pick<SharedServices, 'store' | 'clock'> & {
  incidents: Pick<SharedServices['incidents'], 'once'>
}): (ended: AbortSignal) => Promise<void> {
  const chainer = createChainer({ store, now: clock.now })
  let checkedAt = Number.NEGATIVE_INFINITY

  /** Once, whichever process finds it. */
  function report(what: string, isRestored = false): Promise<void> {
    return incidents.once('chain', what, {
      title: isRestored
        ? 'The hash chain of evidence goes on from a backup'
        : 'A part of the hash chain of evidence is not as it was',
      text: `${what}. Alerts and deliveries are not touched by it, and the service goes on; what comes now is chained behind it. Files of evidence that were made stay as good as they are; new ones of alerts in what is gone have a later place in the chain, or cannot be made. See: bluepencil chain, and docs/evidence.md`,
    })
  }

  /** Answers what was reported of the end of the chain. */
  async function check(): Promise<string | undefined> {
    if (Math.abs(clock.now() - checkedAt) >= checkEveryMs) {
      // What a stretch says was reported before it began.
      const { faults } = await checkChain(store)
      for (const fault of faults) await report(fault)
      checkedAt = clock.now()
    }
    const { begins, isLost, newest } = await endOf(store)
    if (begins !== undefined) await report(begins, !isLost)
    // A process that ended right behind a batch, or an earlier version, has not put it down.
    else if (newest !== undefined) await rememberHead(store, newest)
    return begins
  }

  return async (ended) => {
    for (let mayBeMore = true; mayBeMore && !ended.aborted; ) {
      const reported = await check()
      const began = clock.now()
      mayBeMore = await chainer.addBatch(reported)
      const tookMs = clock.now() - began
      if (mayBeMore && tookMs > 0) await clock.sleep(Math.min(restTimes * tookMs, longestRestMs), ended)
    }
  }
}
