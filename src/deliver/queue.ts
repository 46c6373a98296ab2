import type { Channel } from '../channels/channel.ts'
import type { Outcome } from '../event/outcome.ts'
import type { Message } from '../message/message.ts'
import { minuteMs } from '../platform/durations.ts'
import type { DueNotification } from '../store/store.ts'
import { createComplaint } from './complaint.ts'
import { asShown } from './edit.ts'
import { createEditing } from './editing.ts'
import { lineUp } from './line-up.ts'
import { longestTryMs } from './one-try.ts'
import { createOutage } from './outage.ts'
import type { Pace } from './pace.ts'
import type { ChannelBackoff, QueueParts } from './parts.ts'
import { createPicturing } from './picturing.ts'
import { hold, judge } from './policy.ts'
import { createSending } from './sending.ts'
import { createFollowing } from './thread-updates.ts'

/** By how much a lease outlasts the longest tries under it: one past the queue that it waits for, a summary's and its own. */
const leaseSpareMs = minuteMs
/** Between two tries to write down an outcome that the store did not take. */
const settleAgainMs = 1_000

/** The notifications of one channel, oldest first, one at a time: a slow channel holds up itself alone. */
export interface Queue {
  readonly channel: string
  /** Something may be due. `atOnce` ends a rest: a person asked for it. */
  wake(atOnce?: boolean): void
  /** The message about this event may have to read otherwise. It is edited when nothing is due. */
  edit(eventId: string): void
  /** Resolves when it is not in the middle of sending this event. */
  idle(eventId: string): Promise<void>
  backoff(): ChannelBackoff | undefined
  /** Takes nothing more; what is in flight has until the signal aborts. */
  stop(cutOff: AbortSignal): Promise<void>
}

export function startQueue(channel: Channel, parts: QueueParts, pace: () => Pace): Queue {
  const { store, clock } = parts
  let stopping = false
  let nudge = new AbortController()
  /** Aborted when nothing may take any longer: the process must end. */
  const cutting = new AbortController()
  let backoff: ChannelBackoff | undefined
  const outage = createOutage(parts.policy)
  const sending = createSending({ channel, parts, outage, pace, cutting: cutting.signal })
  const following = createFollowing({ channel, parts, tryNow: sending.tryNow })
  const editing = createEditing({ channel, parts, tryNow: sending.tryNow, grew: following.edited })
  const picturing = createPicturing({ channel, parts, tryNow: sending.tryNow, onReady: rouse })
  const leaseMs = 3 * longestTryMs(channel) + leaseSpareMs
  /** After which of these the messages between two tries must be put in their order, before anything is sent. */
  let outOfOrder: 'start' | 'outage' | undefined = 'start'
  /** Those that failed since the last success. More than one: the channel was out, not the message. */
  const failing = new Set<string>()
  /** A person asked for a try while another was under way. */
  let isAskedFor = false
  let busy: { eventId: string; done: Promise<void> } | undefined

  async function run(): Promise<void> {
    let complain = complaint()
    while (!stopping) {
      const woken = nudge.signal
      try {
        if (outOfOrder !== undefined) await putInOrder(outOfOrder)
        await turn(woken)
        complain = complaint()
      } catch (error) {
        complain(error)
        await clock.sleep(settleAgainMs, woken)
      }
    }
  }

  function rouse(): void {
    const before = nudge
    nudge = new AbortController()
    before.abort()
  }

  async function putInOrder(after: 'start' | 'outage'): Promise<void> {
    const now = clock.now()
    // A provider that takes messages again asks for no wait any more.
    const which = { channel: channel.name, now, keepsAsked: after === 'start' }
    const until = await lineUp(store, which, parts.policy)
    if (until > now) backoff = { until, pauseMs: until - now, why: 'the provider asked for a wait' }
    outOfOrder = undefined
  }

  function complaint(eventId?: string): (error: unknown) => void {
    return createComplaint(clock, (error, times) =>
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
    const wait = Math.max(backoff?.until ?? 0, pace().last + sending.paceMs()) - now
    if (wait > 0) return clock.sleep(wait, woken)
    const due = (await store.nextDue(channel.name)) ?? Number.POSITIVE_INFINITY
    if (due > now) sending.caughtUp()
    const next = Math.min(due, editing.nextDue(), picturing.nextDue(), following.nextDue())
    // The store took its time to answer.
    if (next > now && !isTooLate(due, now)) return clock.sleep(next - clock.now(), woken)
    // Another channel may have gone to the same place while the store was asked, or something new may be due.
    if (pace().last + sending.paceMs() > now || woken.aborted) return
    if (due > now && !isTooLate(due, now)) {
      const one = [editing, picturing, following].find((work) => work.nextDue() <= now)
      return one?.turn(now)
    }
    pace().last = now
    const [owed] = await store.lease(channel.name, { now: Math.max(now, due), limit: 1, leaseMs })
    if (owed !== undefined) return busyWith(owed)
    // Another process has it, or its record is damaged.
    await clock.sleep(settleAgainMs, woken)
  }

  /** Nothing is ever due so late: the clock was set back. */
  function isTooLate(due: number, now: number): boolean {
    return Number.isFinite(due) && due - now > parts.policy.longestAskedMs
  }

  /** A clock that was set back makes no wait longer than it was to be. */
  function noLater(now: number): void {
    pace().last = Math.min(pace().last, now)
    outage.noLater(now)
    editing.noLater(now)
    picturing.noLater(now)
    following.noLater(now)
    if (backoff !== undefined) backoff = { ...backoff, until: Math.min(backoff.until, now + backoff.pauseMs) }
  }

  async function busyWith(owed: DueNotification): Promise<void> {
    const done = attempt(owed)
    busy = { eventId: owed.eventId, done: done.catch(() => undefined) }
    try {
      await done
    } finally {
      busy = undefined
    }
  }

  async function attempt(owed: DueNotification): Promise<void> {
    const { holdMs } = owed.waiting
    if (holdMs !== undefined) {
      return void (await settle(owed, hold(owed.waiting, clock.now(), holdMs, parts.policy)))
    }
    isAskedFor = false
    const { result, message, picture } = await sending.send(owed)
    const now = clock.now()
    const outageMs = outage.lasted(owed, now)
    const verdict = judge(
      {
        result,
        before: { ...owed.waiting, uncertain: owed.uncertain },
        cannotVerifyDelivery: channel.cannotVerifyDelivery === true,
        acceptedAt: owedSince(owed),
        now,
        failingSince: outage.sinceOf(owed) ?? now,
        failingMs: outageMs,
        random: parts.random(),
      },
      parts.policy,
    )
    const { pauseMs } = verdict
    const outcome =
      message === undefined ? verdict.outcome : withShown(verdict.outcome, { message, picture }, owed)
    // Somebody changed it meanwhile: a person wants it sent again. What this try came to is no longer its outcome.
    const isOurs = await settle(owed, outcome)
    if (result.result === 'more') return succeeded(owed)
    if (result.result === 'retry' || result.result === 'blocked') {
      outage.goesOn(owed, now, outageMs, pauseMs)
    }
    const settled = {
      type: 'settled' as const,
      channel: channel.name,
      owed,
      result,
      outcome,
      backoffMs: pauseMs,
    }
    if (result.result === 'sent') {
      parts.onEvent({ ...settled, outageMs: undefined })
      succeeded(owed)
      if (outcome.state !== 'sent') return
      picturing.sent(owed.entry, outcome)
      return editing.sent(owed.entry, outcome)
    }
    if (!isOurs) return
    if (outcome.state === 'failed') parts.onEvent({ type: 'closed', eventId: owed.eventId })
    parts.onEvent({ ...settled, outageMs: outage.since() === undefined ? undefined : outageMs })
    // A copy that waits for its time is not sent sooner because others get through.
    const isRepeat =
      channel.cannotVerifyDelivery === true && result.result === 'retry' && result.unanswered === true
    if (outcome.state === 'waiting' && !isRepeat) failing.add(owed.eventId)
    else failing.delete(owed.eventId)
    backoff = pauseMs > 0 && !isAskedFor ? { until: now + pauseMs, pauseMs, why: result.why } : undefined
  }

  function withShown(
    outcome: Outcome,
    { message, picture }: { message: Message; picture: string | undefined },
    { uncertain }: DueNotification,
  ): Outcome {
    const [canEdit, cannotVerifyDelivery] = [
      channel.edit !== undefined,
      channel.cannotVerifyDelivery === true,
    ]
    return outcome.state === 'sent'
      ? asShown(outcome, message, { uncertain, canEdit, cannotVerifyDelivery, picture })
      : outcome
  }

  /**
   * What was sent must be written down before anything else is, or it would be sent again. False where the outcome was
   * changed since the try began.
   */
  async function settle(owed: DueNotification, outcome: Outcome): Promise<boolean> {
    const complain = complaint(owed.eventId)
    for (;;) {
      try {
        return await store.settle(owed.eventId, channel.name, outcome, owed.lease)
      } catch (error) {
        if (cutting.signal.aborted) throw error
        complain(error)
        await clock.sleep(settleAgainMs, cutting.signal)
      }
    }
  }

  /** After an outage the messages that were let past one another go in order again. */
  function succeeded(owed: DueNotification): void {
    backoff = undefined
    outage.ends()
    failing.delete(owed.eventId)
    if (failing.size > 1) outOfOrder = 'outage'
    failing.clear()
  }

  const running = run()
  return {
    channel: channel.name,
    wake(atOnce = false) {
      if (atOnce) {
        isAskedFor = true
        outage.cutShort(clock.now())
        backoff = undefined
      }
      editing.giveWay()
      picturing.giveWay()
      following.giveWay()
      rouse()
    },
    edit(eventId) {
      editing.add(eventId)
      rouse()
    },
    idle: async (eventId) => (busy?.eventId === eventId ? busy.done : undefined),
    backoff: () => (backoff !== undefined && backoff.until > clock.now() ? backoff : undefined),
    async stop(cutOff) {
      stopping = true
      editing.giveWay()
      picturing.giveWay()
      following.giveWay()
      nudge.abort()
      const cut = () => cutting.abort()
      if (cutOff.aborted) cut()
      else cutOff.addEventListener('abort', cut, { once: true })
      await running
      cutOff.removeEventListener('abort', cut)
    },
  }
}

/** Since when it is owed: since it came in, or since a person asked for it again. Milliseconds since the epoch. */
function owedSince({ entry, waiting }: DueNotification): number {
  return Date.parse(waiting.againAt ?? entry.receivedAt)
}
