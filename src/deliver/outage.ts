import type { Waiting } from '../event/outcome.ts'
import type { DueNotification, Store } from '../store/store.ts'
import { elapsed, madeDueNow, type RetryPolicy } from './policy.ts'

/** Since when a channel lets nothing through, and for how long, even if the clock was set meanwhile. */
export type Outage = ReturnType<typeof createOutage>

export function createOutage(policy: RetryPolicy) {
  let since: number | undefined
  /** Until the next try. */
  let plannedMs = 0
  let nextTry = 0
  /** By this process. */
  let wasReached = false

  /** As far back as this process remembers, or else the message. */
  function sinceOf({ waiting }: DueNotification): number | undefined {
    if (since !== undefined) return since
    if (wasReached || waiting.firstAttemptAt === undefined) return undefined
    return Date.parse(waiting.firstAttemptAt)
  }

  return {
    /** Milliseconds since the epoch; undefined while something gets through. */
    since: () => since,
    sinceOf,
    /** Milliseconds until now. */
    lasted(pending: DueNotification, now: number): number {
      if (since !== undefined) return elapsed(plannedMs, nextTry, now, policy)
      return sinceOf(pending) === undefined ? 0 : (pending.waiting.triedMs ?? 0)
    },
    /** A try at `now` failed, after so much silence; the next is so many milliseconds later. */
    goesOn(pending: DueNotification, now: number, lastedMs: number, pauseMs: number): void {
      since = sinceOf(pending) ?? now
      plannedMs = lastedMs + pauseMs
      nextTry = now + pauseMs
    },
    /** Something got through. */
    ends(): void {
      wasReached = true
      since = undefined
    },
    /** The next try is made now: what is left of the pause was not silence. */
    cutShort(now: number): void {
      plannedMs -= Math.max(0, nextTry - now)
      nextTry = Math.min(nextTry, now)
    },
    /** The clock may have been set back. */
    noLater(now: number): void {
      if (since !== undefined) since = Math.min(since, now)
    },
  }
}

/**
 * Makes everything that waits for another try due at once: otherwise what came later would be sent first. If the provider asked
 * for a wait and that is kept (`keepsAsked`), answers until when the whole channel has to rest, milliseconds since the epoch.
 */
export async function restoreOrder(
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
  const isAsked = ({ waiting }: { waiting: Waiting }) => keepsAsked && waiting.asked === true
  for (const { eventId } of behind.filter((row) => !isAsked(row))) {
    await store.alter(eventId, channel, (outcome) =>
      outcome?.state === 'waiting' && outcome.begun === undefined && isBetweenTries(outcome)
        ? madeDueNow(outcome, now)
        : undefined,
    )
  }
  return Math.max(0, ...behind.filter(isAsked).map(({ waiting }) => Date.parse(waiting.dueAt)))
}
