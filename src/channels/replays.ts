import { createHash } from 'node:crypto'
import * as z from 'zod'
import { type Clock, within } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'

/** By how much a provider's time may differ from ours: older is late, and newer is no time of the provider's. */
const toleranceMs = 5 * minuteMs
/** Providers wait three seconds for an answer. What the store has not said by then, this process knows alone. */
const storeMs = 500

/** Refuses what a provider signed long ago, or for later, or sent before. */
export type Replays = ReturnType<typeof createReplays>

interface ReplaysParts {
  /** Known over a reload and a restart, and to all processes. */
  state: { change(change: (before: unknown) => unknown): Promise<void> }
  clock: Clock
  onError(error: unknown): void
}

/** Signatures by their hash, and until when each has to be known: after that it is too late in any case. */
const Seen = z.record(z.string(), z.number()).catch({})

export function createReplays({ state, clock, onError }: ReplaysParts) {
  /** By this process. */
  let seenHere: z.infer<typeof Seen> = {}

  async function isNew(signature: string, until: number, now: number): Promise<boolean> {
    let isRepeat = false
    const noted = state.change((stored) => {
      const seen = Seen.parse(stored)
      isRepeat = seen[signature] !== undefined
      return isRepeat ? undefined : { ...recent(seen, now), [signature]: until }
    })
    // If nothing can be stored, people may still ask what is wrong; what they do is refused by the store itself.
    await within(clock, storeMs, noted.catch(onError))
    return !isRepeat
  }

  return {
    /**
     * Whether it is the first of this signature, and in time; `signedAt` in seconds since the epoch, as text, and `now` in
     * milliseconds. Only for what is verified. Never rejects.
     */
    async isFirst(text: string, signedAt: string, now: number): Promise<boolean> {
      const at = /^\d{1,12}$/.test(signedAt) ? Number(signedAt) * 1_000 : Number.NaN
      if (!(Math.abs(at - now) <= toleranceMs)) return false
      const signature = createHash('sha256').update(text).digest('hex').slice(0, 32)
      seenHere = recent(seenHere, now)
      if (seenHere[signature] !== undefined) return false
      seenHere[signature] = at + toleranceMs
      return isNew(signature, at + toleranceMs, now)
    },
  }
}

function recent(seen: z.infer<typeof Seen>, now: number): z.infer<typeof Seen> {
  return Object.fromEntries(Object.entries(seen).filter(([, until]) => until >= now))
}
