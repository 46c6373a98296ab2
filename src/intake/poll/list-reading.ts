import type { AlertEvent } from '../../event/event.ts'
import { hourMs } from '../../platform/durations.ts'
import { findAlerts, isSearchDue, readAlerts } from './alerts.ts'
import { isAbsent, type PollClient, type ReadMoment } from './fetch.ts'
import type { createNotices, ListFailure } from './notices.ts'
import { createBackoff } from './plan.ts'
import { asMissed } from './round.ts'
import type { PolledAlerts } from './state.ts'

interface ListReadingParts {
  client: PollClient
  /** `polling.alertsPath`. */
  alertsPath?: string | undefined
  /** When polling began; milliseconds since the epoch. */
  begunAt: number
  stopping: AbortSignal
  /** What is known of the list, in the state of polling. */
  current(): PolledAlerts | null
  set(alerts: PolledAlerts): void
  /** The pause between two readings by the plan, which no failure makes longer; milliseconds. */
  longestMs(): number
  /** Rejects if the store accepts nothing. */
  acceptAll(events: readonly AlertEvent[], now: number): Promise<void>
  notices: ReturnType<typeof createNotices>
  onRound(round: { outcome: 'done' | 'failed'; found: number; error?: unknown }): void
}

/** The service's list of alerts: neither it nor the search for it holds up the figures, nor they these. */
export function createListReading(parts: ListReadingParts) {
  const { client, alertsPath, begunAt, stopping, current, set, longestMs, acceptAll, notices, onRound } =
    parts
  const backoff = createBackoff(begunAt)
  const searchBackoff = createBackoff(begunAt)
  /** One that fails is not remembered as read. */
  let askedAt = 0
  /** Since when the list fails while the figures are read. */
  let failure: ListFailure | undefined
  /** The list is not at its path, or the one that is configured may be another than the one that was not there. */
  let isGone = false

  /** Without a path, only a guess failed. */
  function recordFailure(error: unknown, path: string | null, now: number): void {
    if (stopping.aborted) return
    if (path !== null) failure = { since: failure?.since ?? now, path, error }
    onRound({ outcome: 'failed', found: 0, error })
  }

  return {
    /** With what was stored. */
    begin(): void {
      isGone = alertsPath !== undefined && current()?.path === null
    },
    /** When the list is read next, if it is read this often; milliseconds since the epoch. */
    dueAt(everyMs: number, now: number): number {
      // The clock may have been set back.
      askedAt = Math.min(askedAt, now)
      return Math.max(Math.max(current()?.readAt ?? 0, askedAt) + everyMs, backoff.until(now))
    },
    /** Rejects only if the store accepts nothing. */
    async read(moment: ReadMoment): Promise<void> {
      const before = current()
      if (before === null || before.path === null) return
      const { now } = moment
      const { path, readAt } = before
      const read = await readAlerts(client, { ...before, path }, moment).catch((error: unknown) => {
        askedAt = now
        backoff.failed(error, now, longestMs())
        recordFailure(error, path, now)
        isGone ||= isAbsent(error)
      })
      if (read === undefined) return
      try {
        await acceptAll(asMissed(read.events, readAt, now), now)
      } catch (error) {
        backoff.failed(error, now, longestMs())
        throw error
      }
      set(read.alerts)
      askedAt = now
      failure = undefined
      isGone = false
      backoff.succeeded()
      notices.listRead(path, read.rest)
      onRound({ outcome: 'done', found: read.events.length })
    },
    /** Rejects only if the store accepts nothing: a search that fails is repeated. */
    async search(moment: ReadMoment): Promise<void> {
      const { now } = moment
      const before = current()
      if (searchBackoff.until(now) > now || !isSearchDue(before, alertsPath, { now, isListGone: isGone }))
        return
      const path = alertsPath ?? before?.path ?? null
      const after = await findAlerts(client, alertsPath, before, moment).catch((error: unknown) => {
        searchBackoff.failed(error, now, hourMs)
        recordFailure(error, path, now)
      })
      if (after === undefined) return
      searchBackoff.succeeded()
      if (after.path === null && before !== null && before.path !== null) {
        await notices.listGone(path ?? before.path, before.readAt ?? before.since)
      }
      set(after)
      isGone = false
      if (after.path !== before?.path) failure = undefined
    },
    figuresRead(now: number): void {
      if (failure !== undefined) notices.listFailure(failure, now)
    },
    /** The service as a whole is away: that is one trouble. */
    figuresFailed(): void {
      failure = undefined
    },
  }
}
