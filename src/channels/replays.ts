import { minuteMs } from '../durations.ts'

/** By how much a provider's time may differ from ours: older is late, and newer is no time of the provider's. */
const toleranceMs = 5 * minuteMs

/** Refuses what a provider signed long ago, or for later, or sent before. */
export interface Replays {
  /**
   * Whether it is the first of this signature, and in time; `signedAt` in seconds since the epoch, as text, and `now` in
   * milliseconds. Asked of what is verified alone.
   */
  isFirst(signature: string, signedAt: string, now: number): boolean
}

export function createReplays(): Replays {
  /** Until when each has to be known; the first that may be forgotten comes first. */
  const seen = new Map<string, number>()
  return {
    isFirst(signature, signedAt, now) {
      const at = /^\d{1,12}$/.test(signedAt) ? Number(signedAt) * 1_000 : Number.NaN
      if (!(Math.abs(at - now) <= toleranceMs)) return false
      for (const [known, until] of seen) {
        if (until > now) break
        seen.delete(known)
      }
      if (seen.has(signature)) return false
      seen.set(signature, now + 2 * toleranceMs)
      return true
    },
  }
}
