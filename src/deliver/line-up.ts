import type { Waiting } from '../event/outcome.ts'
import type { Store } from '../store/store.ts'
import { dueNow } from './policy.ts'

/** What an earlier process or configuration was to try again is due at once, or what came later would go first. */
export async function lineUp(store: Store, channel: string, now: number): Promise<void> {
  const behind = (await store.pending(channel)).filter(({ waiting }) => isBetweenTries(waiting, now))
  for (const { eventId } of behind) {
    await store.alter(eventId, channel, (outcome) =>
      outcome?.state === 'waiting' && outcome.begun === undefined && isBetweenTries(outcome, now)
        ? dueNow(outcome, now)
        : undefined,
    )
  }
}

/** Neither a copy that has its own time, nor a message that is to be completed later. */
function isBetweenTries({ attempts, dueAt, unanswered, holdMs, completes }: Waiting, now: number): boolean {
  const isPlanned = unanswered !== undefined || holdMs !== undefined || completes !== undefined
  return attempts > 0 && !isPlanned && Date.parse(dueAt) > now
}
