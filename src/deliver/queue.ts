import type { Attempt, Channel, SendResult } from '../channels/channel.ts'
import type { Message } from '../channels/message.ts'
import { after, type Clock } from '../clock.ts'
import { minuteMs } from '../durations.ts'
import type { Outcome, Sent } from '../event/outcome.ts'
import type { DueNotification, Store } from '../store/store.ts'
import { createComplaint } from './complaint.ts'
import { judgeCompletion, toComplete } from './completion.ts'
import { lineUp } from './line-up.ts'
import { longestTryMs, oneTry, type Tried, unanswered } from './one-try.ts'
import { createOutage } from './outage.ts'
import type { Pace } from './pace.ts'
import { catchUpPace, hold, judge, type RetryPolicy } from './policy.ts'
import { asRepeat } from './repeat.ts'
import { createSummaries, type Missed } from './summary.ts'

/** By how much a lease outlasts the two longest tries that there can be under it, a summary's and a message's. */
const leaseSpareMs = minuteMs
/** A try of which nothing has been heard for so long is reported, though it may end well. */
const slowMs = 5 * minuteMs
/** Between two tries to write down an outcome that the store did not take. */
const settleAgainMs = 1_000

export interface Settled {
  channel: string
  owed: DueNotification
  result: SendResult
  outcome: Outcome
  /** For how long nothing has got through on this channel, milliseconds; undefined where something does. */
  outageMs: number | undefined
  /** For how long the channel now rests, milliseconds. */
  backoffMs: number
}

/** One try to complete a message that was sent has ended. */
export type Completion = Pick<Settled, 'channel' | 'owed' | 'outcome'>

/** A try has been under way for so many milliseconds, without an answer yet. */
export interface Slow {
  channel: string
  owed: DueNotification
  forMs: number
}

/** Something unexpected; the event that it happened to, where there is one. */
export interface QueueFailure {
  channel: string
  eventId?: string
  error: unknown
  /** How often it has happened by now, where it is tried again until it succeeds. */
  times?: number
}

export interface QueueParts {
  store: Store
  clock: Clock
  random: () => number
  policy: RetryPolicy
  render: (owed: DueNotification) => Message
  /** Says how many alerts a channel missed since when, before they follow. */
  renderSummary: (about: Missed) => Message
  onSettled: (settled: Settled) => void
  onCompletion: (completion: Completion) => void
  onSlow?: (slow: Slow) => void
  onError: (failure: QueueFailure) => void
}

/** Why a channel rests, for how long, and until when; milliseconds, since the epoch. */
export interface Backoff {
  until: number
  pauseMs: number
  why: string
}

/** The notifications of one channel, oldest first, one at a time: a slow channel holds up itself alone. */
export interface Queue {
  readonly channel: string
  /** Something may be due. `atOnce` ends a rest: a person asked for it. */
  wake(atOnce?: boolean): void
  /** Resolves when it is not in the middle of sending this event. */
  idle(eventId: string): Promise<void>
  backoff(): Backoff | undefined
  /** Takes nothing more; what is in flight has until the signal aborts. */
  stop(cutOff: AbortSignal): Promise<void>
}

export function startQueue(channel: Channel, parts: QueueParts, pace: () => Pace): Queue {
  const { store, clock } = parts
  let stopping = false
  let nudge = new AbortController()
  /** Aborted when nothing may take any longer: the process must end. */
  const cutting = new AbortController()
  let backoff: Backoff | undefined
  const outage = createOutage(parts.policy)
  const summaries = createSummaries({ channel: channel.name, store, silence: outage, policy: parts.policy })
  /** The channel's own, or slower while it catches up. */
  let { paceMs } = channel
  const leaseMs = 2 * longestTryMs(channel) + leaseSpareMs
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
      parts.onError({
        channel: channel.name,
        error,
        ...(eventId !== undefined && { eventId }),
        ...(times !== undefined && { times }),
      }),
    )
  }

  async function turn(woken: AbortSignal): Promise<void> {
    const now = clock.now()
    noLater(now)
    const wait = Math.max(backoff?.until ?? 0, pace().last + paceMs) - now
    if (wait > 0) return clock.sleep(wait, woken)
    const due = await store.nextDue(channel.name)
    if (due === undefined || due > now) paceMs = channel.paceMs
    if (due === undefined) return clock.sleep(Number.POSITIVE_INFINITY, woken)
    // Nothing is ever due so late: the clock was set back.
    const isLate = due - now > parts.policy.longestAskedMs
    if (due > now && !isLate) return clock.sleep(due - now, woken)
    // Another channel may have gone to the same place while the store was asked.
    if (pace().last + paceMs > now) return
    pace().last = now
    const [owed] = await store.lease(channel.name, { now: Math.max(now, due), limit: 1, leaseMs })
    if (owed !== undefined) return busyWith(owed)
  }

  /** A clock that was set back makes no wait longer than it was to be. */
  function noLater(now: number): void {
    pace().last = Math.min(pace().last, now)
    outage.noLater(now)
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
    const { completes, holdMs } = owed.waiting
    if (completes !== undefined) return complete(owed, completes)
    if (holdMs !== undefined) {
      return void (await settle(owed, hold(owed.waiting, clock.now(), holdMs, parts.policy)))
    }
    isAskedFor = false
    const { result, alsoTells } = await send(owed)
    const now = clock.now()
    const outageMs = outage.lasted(owed, now)
    const verdict = judge(
      {
        result,
        before: { ...owed.waiting, uncertain: owed.uncertain },
        blind: channel.blind === true,
        acceptedAt: owedSince(owed),
        now,
        failingSince: outage.sinceOf(owed) ?? now,
        failingMs: outageMs,
        random: parts.random(),
      },
      parts.policy,
    )
    const { outcome } = verdict
    // Somebody changed it meanwhile: a person wants it sent again. What this try came to is no longer its outcome.
    const isOurs = await settle(owed, withOther(owed, outcome, alsoTells, now))
    const { pauseMs } = verdict
    if (result.result !== 'sent' && result.result !== 'permanent') {
      outage.goesOn(owed, now, outageMs, pauseMs)
    }
    const settled = { channel: channel.name, owed, result, outcome, backoffMs: pauseMs }
    if (result.result === 'sent') {
      parts.onSettled({ ...settled, outageMs: undefined })
      return succeeded(owed)
    }
    if (!isOurs) return
    parts.onSettled({ ...settled, outageMs: outage.since() === undefined ? undefined : outageMs })
    // A copy that waits for its time is not sent sooner because others get through.
    const isRepeat = channel.blind === true && result.result === 'retry' && result.unanswered === true
    if (outcome.state === 'waiting' && !isRepeat) failing.add(owed.eventId)
    else failing.delete(owed.eventId)
    backoff = pauseMs > 0 && !isAskedFor ? { until: now + pauseMs, pauseMs, why: result.why } : undefined
  }

  /** What stands there may be an earlier try's, which was made before the other event came: it is completed, to be sure. */
  function withOther(owed: DueNotification, outcome: Outcome, alsoTells: string[], now: number): Outcome {
    const [other] = alsoTells
    if (outcome.state !== 'sent' || other === undefined) return outcome
    return owed.uncertain && channel.complete !== undefined
      ? toComplete(outcome, other, now)
      : { ...outcome, alsoTells }
  }

  /** The channel neither rests nor counts as out for it: whether messages get through is another question. */
  async function complete(owed: DueNotification, sent: Sent): Promise<void> {
    const tried = await tryNow(
      owed,
      () => parts.render(owed),
      async (message, signal) =>
        channel.complete?.(message, sent.receipt, signal) ?? {
          result: 'permanent',
          why: 'messages on this channel cannot be changed',
        },
    )
    const outcome = judgeCompletion({ ...tried, before: owed.waiting, sent, now: clock.now() }, parts.policy)
    if (await settle(owed, outcome)) parts.onCompletion({ channel: channel.name, owed, outcome })
  }

  /** A channel that comes back after long is first told how much is to come; the rest follows at an easy pace. */
  async function send(owed: DueNotification): Promise<Tried> {
    // A process that ended in the middle of a try left one without an answer.
    if (owed.interrupted !== undefined && channel.blind === true) {
      return { result: unanswered('its process ended while it was being sent'), alsoTells: [] }
    }
    const about = await summaries.before(owed, clock.now())
    if (about !== undefined) {
      const attempt = { uncertain: true, repeat: true, progress: [] }
      const told = await sendNow(owed, () => parts.renderSummary(about), attempt)
      const { result } = told
      if (result.result === 'blocked') return told
      if (result.result === 'retry') {
        if (result.unanswered === true && channel.blind === true) summaries.unanswered(about)
        // The message itself was not sent.
        return { ...told, result: { ...result, uncertain: false, unanswered: false } }
      }
      summaries.told(about, owed)
      paceMs = catchUpPace(about.waiting, channel.paceMs)
    }
    const copies = owed.waiting.unanswered ?? 0
    const make = () => {
      const message = parts.render(owed)
      return copies > 0 ? asRepeat(message) : message
    }
    return sendNow(owed, make, {
      uncertain: owed.uncertain,
      repeat: copies > 0,
      progress: owed.waiting.progress ?? [],
    })
  }

  function sendNow(
    owed: DueNotification,
    make: () => Message,
    attempt: Omit<Attempt, 'signal'>,
  ): Promise<Tried> {
    return tryNow(owed, make, (message, signal) => channel.send(message, { ...attempt, signal }))
  }

  async function tryNow(
    owed: DueNotification,
    make: () => Message,
    send: (message: Message, signal: AbortSignal) => Promise<SendResult>,
  ): Promise<Tried> {
    pace().last = clock.now()
    const onError = (error: unknown) => parts.onError({ channel: channel.name, eventId: owed.eventId, error })
    const ended = after(clock, slowMs, () => parts.onSlow?.({ channel: channel.name, owed, forMs: slowMs }))
    const tried = await oneTry({ clock, channel, cutting: cutting.signal, make, send, onError })
    ended()
    return tried
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
      const before = nudge
      nudge = new AbortController()
      before.abort()
    },
    idle: async (eventId) => (busy?.eventId === eventId ? busy.done : undefined),
    backoff: () => (backoff !== undefined && backoff.until > clock.now() ? backoff : undefined),
    async stop(cutOff) {
      stopping = true
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
