import type { Channel } from '../channels/channel.ts'
import type { Outcome } from '../event/outcome.ts'
import { minuteMs } from '../platform/durations.ts'
import type { DueNotification } from '../store/store.ts'
import { createBackground } from './background.ts'
import { withShownMessage } from './edit.ts'
import { type FinishedTry, longestTryMs } from './one-try.ts'
import { createOutage, restoreOrder } from './outage.ts'
import { type Pace, throttledReport } from './pace.ts'
import type { ChannelBackoff, QueueParts } from './parts.ts'
import { judge, waitInPieces } from './policy.ts'
import { createSending } from './sending.ts'

/** By how much a lease outlasts the longest tries under it: one that is still running, a summary's, and its own. */
const leaseSpareMs = minuteMs
/** Between two tries to write down an outcome that the store did not accept. */
const settleAgainMs = 1_000

interface QueueState {
  isStopping: boolean
  /** Aborted when something may be due: ends the sleep between two turns. */
  nudge: AbortController
  backoff: ChannelBackoff | undefined
  /** Set if the order of messages must be restored before anything is sent, and why. */
  outOfOrder: 'start' | 'outage' | undefined
  /** The events that failed since the last success. More than one: the channel was out, not the message. */
  failing: Set<string>
  /** A person asked for a try while another was under way. */
  isAskedFor: boolean
  busy: { eventId: string; done: Promise<void> } | undefined
}

export type Queue = ReturnType<typeof startQueue>

/** The notifications of one channel, oldest first, one at a time: a slow channel holds up itself alone. */
export function startQueue(channel: Channel, parts: QueueParts, pace: () => Pace) {
  const { store, clock, policy } = parts
  /** Aborted when nothing may take any longer: the process must end. */
  const cutting = new AbortController()
  const outage = createOutage(policy)
  const sending = createSending({ channel, parts, outage, pace, cutting: cutting.signal })
  const background = createBackground({ channel, parts, handOver: sending.handOver, onReady: rouse })
  const leaseMs = 3 * longestTryMs(channel) + leaseSpareMs
  const state: QueueState = {
    isStopping: false,
    nudge: new AbortController(),
    backoff: undefined,
    outOfOrder: 'start',
    failing: new Set(),
    isAskedFor: false,
    busy: undefined,
  }

  async function run(): Promise<void> {
    let report = failureReport()
    while (!state.isStopping) {
      const woken = state.nudge.signal
      try {
        if (state.outOfOrder !== undefined) await putInOrder(state.outOfOrder)
        await turn(woken)
        report = failureReport()
      } catch (error) {
        report(error)
        await clock.sleep(settleAgainMs, woken)
      }
    }
  }

  function rouse(): void {
    const before = state.nudge
    state.nudge = new AbortController()
    before.abort()
  }

  async function putInOrder(after: 'start' | 'outage'): Promise<void> {
    const now = clock.now()
    // A provider that accepts messages again asks for no wait any more.
    const which = { channel: channel.name, now, keepsAsked: after === 'start' }
    const until = await restoreOrder(store, which, policy)
    if (until > now) {
      state.backoff = { until, pauseMs: until - now, why: 'the provider asked us to wait' }
    }
    state.outOfOrder = undefined
  }

  function failureReport(eventId?: string): (error: unknown) => void {
    return throttledReport(clock, (error, times) =>
      parts.onEvent({
        type: 'failed',
        channel: channel.name,
        error,
        ...(eventId !== undefined && { eventId }),
        ...(times !== undefined && { times }),
      }),
    )
  }

  /** What is to be sent goes before what is to be edited. */
  async function turn(woken: AbortSignal): Promise<void> {
    const now = clock.now()
    noLater(now)
    const wait = Math.max(state.backoff?.until ?? 0, pace().last + sending.paceMs()) - now
    if (wait > 0) return clock.sleep(wait, woken)
    const due = (await store.nextDue(channel.name)) ?? Number.POSITIVE_INFINITY
    // Nothing is ever due so late: the clock was set back.
    const isTooLate = Number.isFinite(due) && due - now > policy.longestAskedMs
    const isDue = due <= now || isTooLate
    if (due > now) sending.caughtUp()
    const next = Math.min(due, background.nextDue())
    // The store took its time to answer.
    if (next > now && !isDue) return clock.sleep(next - clock.now(), woken)
    // Another channel may have gone to the same place while the store was asked, or something new may be due.
    if (pace().last + sending.paceMs() > now || woken.aborted) return
    if (!isDue) return background.turn(now)
    pace().last = now
    const [pending] = await store.leaseDue(channel.name, { now: Math.max(now, due), limit: 1, leaseMs })
    if (pending !== undefined) return busyWith(pending)
    // Another process has it, or its record is damaged.
    await clock.sleep(settleAgainMs, woken)
  }

  /** A clock that was set back makes no wait longer than it was to be. */
  function noLater(now: number): void {
    pace().last = Math.min(pace().last, now)
    outage.noLater(now)
    background.noLater(now)
    const { backoff } = state
    if (backoff === undefined) return
    state.backoff = { ...backoff, until: Math.min(backoff.until, now + backoff.pauseMs) }
  }

  async function busyWith(pending: DueNotification): Promise<void> {
    const done = attempt(pending)
    state.busy = { eventId: pending.eventId, done: done.catch(() => undefined) }
    try {
      await done
    } finally {
      state.busy = undefined
    }
  }

  async function attempt(pending: DueNotification): Promise<void> {
    const { eventId, entry, waiting } = pending
    if (waiting.holdMs !== undefined) {
      return void (await settle(pending, waitInPieces(waiting, clock.now(), waiting.holdMs, policy)))
    }
    state.isAskedFor = false
    const tried = await sending.send(pending)
    const { result } = tried
    const now = clock.now()
    const outageMs = outage.lasted(pending, now)
    const verdict = judge(
      {
        result,
        before: { ...waiting, uncertain: pending.uncertain },
        cannotVerifyDelivery: channel.cannotVerifyDelivery === true,
        // Since it came in, or since a person asked for it again.
        acceptedAt: Date.parse(waiting.againAt ?? entry.receivedAt),
        now,
        failingSince: outage.sinceOf(pending) ?? now,
        failingMs: outageMs,
        random: parts.random(),
      },
      policy,
    )
    const { pauseMs } = verdict
    const outcome = withShown(verdict.outcome, tried, pending)
    // Somebody changed it meanwhile: a person wants it sent again. What this try came to is no longer its outcome.
    const isOurs = await settle(pending, outcome)
    if (result.result === 'more') return succeeded(eventId)
    if (result.result === 'retry' || result.result === 'blocked') {
      outage.goesOn(pending, now, outageMs, pauseMs)
    }
    const settled = {
      type: 'settled' as const,
      channel: channel.name,
      notification: pending,
      result,
      outcome,
      backoffMs: pauseMs,
    }
    if (result.result === 'sent') {
      parts.onEvent({ ...settled, outageMs: undefined })
      succeeded(eventId)
      return outcome.state === 'sent' ? background.sent(entry, outcome) : undefined
    }
    if (!isOurs) return
    if (outcome.state === 'failed') parts.onEvent({ type: 'closed', eventId })
    parts.onEvent({ ...settled, outageMs: outage.since() === undefined ? undefined : outageMs })
    // A copy that waits for its time is not sent sooner because others get through.
    const isRepeat =
      channel.cannotVerifyDelivery === true && result.result === 'retry' && result.unanswered === true
    if (outcome.state === 'waiting' && !isRepeat) state.failing.add(eventId)
    else state.failing.delete(eventId)
    const rests = pauseMs > 0 && !state.isAskedFor
    state.backoff = rests ? { until: now + pauseMs, pauseMs, why: result.why } : undefined
  }

  function withShown(
    outcome: Outcome,
    { message, picture }: FinishedTry,
    { uncertain }: DueNotification,
  ): Outcome {
    if (message === undefined || outcome.state !== 'sent') return outcome
    const canEdit = channel.edit !== undefined
    const cannotVerifyDelivery = channel.cannotVerifyDelivery === true
    return withShownMessage(outcome, message, { uncertain, canEdit, cannotVerifyDelivery, picture })
  }

  /**
   * What was sent must be written down before anything else is, or it would be sent again. False if the outcome was
   * changed since the try began.
   */
  async function settle(pending: DueNotification, outcome: Outcome): Promise<boolean> {
    const report = failureReport(pending.eventId)
    for (;;) {
      try {
        return await store.settle(pending.eventId, channel.name, outcome, pending.lease)
      } catch (error) {
        if (cutting.signal.aborted) throw error
        report(error)
        await clock.sleep(settleAgainMs, cutting.signal)
      }
    }
  }

  /** After an outage the messages that overtook one another go in order again. */
  function succeeded(eventId: string): void {
    state.backoff = undefined
    outage.ends()
    state.failing.delete(eventId)
    if (state.failing.size > 1) state.outOfOrder = 'outage'
    state.failing.clear()
  }

  const running = run()
  return {
    /** Something may be due. `atOnce` ends a rest: a person asked for it. */
    wake(atOnce = false) {
      if (atOnce) {
        state.isAskedFor = true
        outage.cutShort(clock.now())
        state.backoff = undefined
      }
      background.giveWay()
      rouse()
    },
    /** The message about this event may have to be edited, which is done when nothing is due. */
    edit(eventId: string) {
      background.edit(eventId)
      rouse()
    },
    /** Resolves when it is not in the middle of sending this event. */
    idle: async (eventId: string) => (state.busy?.eventId === eventId ? state.busy.done : undefined),
    backoff: () =>
      state.backoff !== undefined && state.backoff.until > clock.now() ? state.backoff : undefined,
    /** Begins nothing more; what is in flight has until the signal aborts. */
    async stop(cutOff: AbortSignal) {
      state.isStopping = true
      background.giveWay()
      state.nudge.abort()
      const cut = () => cutting.abort()
      if (cutOff.aborted) cut()
      else cutOff.addEventListener('abort', cut, { once: true })
      await running
      cutOff.removeEventListener('abort', cut)
    },
  }
}
