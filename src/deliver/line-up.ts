import type { Waiting } from '../event/outcome.ts'
import type { Store } from '../store/store.ts'
import { dueNow, type RetryPolicy } from './policy.ts'

/**
 * What waits for another try is due at once, or what came later would go first. Where a wait that the provider asked for
 * is kept, answers until when, milliseconds since the epoch: the whole channel is to rest until then.
 */
export async function lineUp(
  store: Store,
  { channel, now, keepsAsked }: { channel: string; now: number; keepsAsked: boolean },
  { longestAskedMs }: RetryPolicy,
): Promise<number> {
  function isBetweenTries({ attempts, dueAt, unanswered, holdMs }: Waiting): boolean {
    // A copy has its own time.
    if (unanswered !== undefined || holdMs !== undefined) return false
    const early = Date.parse(dueAt) - now
    // Nothing is ever due later than that: the clock was set back, and it counts as due anyway.
    return attempts > 0 && early > 0 && early <= longestAskedMs
  }

  const behind = (await store.pending(channel)).filter(({ waiting }) => isBetweenTries(waiting))
  const asked = behind.filter(({ waiting }) => keepsAsked && waiting.asked === true)
  for (const { eventId } of behind.filter((one) => !asked.includes(one))) {
    await store.alter(eventId, channel, (outcome) =>
      outcome?.state === 'waiting' && outcome.begun === undefined && isBetweenTries(outcome)
        ? dueNow(outcome, now)
        : undefined,
    )
  }
  return Math.max(0, ...asked.map(({ waiting }) => Date.parse(waiting.dueAt)))
}
