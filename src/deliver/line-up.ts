import type { Waiting } from '../event/outcome.ts'
import type { Store } from '../store/store.ts'
import { dueNow, type RetryPolicy } from './policy.ts'

/** What an earlier process or configuration was to try again is due at once, or what came later would go first. */
export async function lineUp(
  store: Store,
  channel: string,
  now: number,
  { longestAskedMs }: RetryPolicy,
): Promise<void> {
  function isBetweenTries({ attempts, dueAt, unanswered, holdMs, completes }: Waiting): boolean {
    // A copy has its own time, and so has what is to be completed later.
    if (unanswered !== undefined || holdMs !== undefined || completes !== undefined) return false
    const early = Date.parse(dueAt) - now
    // Nothing is ever due later than that: the clock was set back, and it counts as due anyway.
    return attempts > 0 && early > 0 && early <= longestAskedMs
  }

  const behind = (await store.pending(channel)).filter(({ waiting }) => isBetweenTries(waiting))
  for (const { eventId } of behind) {
    await store.alter(eventId, channel, (outcome) =>
      outcome?.state === 'waiting' && outcome.begun === undefined && isBetweenTries(outcome)
        ? dueNow(outcome, now)
        : undefined,
    )
  }
}
