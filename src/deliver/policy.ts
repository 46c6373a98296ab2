import type { SendResult } from '../channels/channel.ts'
import { beforeOf, type Outcome, type Waiting } from '../event/outcome.ts'
import { dayMs, hourMs, minuteMs } from '../platform/durations.ts'

export interface RetryPolicy {
  /** First wait; doubles with every try. Milliseconds, as all below. */
  firstMs: number
  /** No wait between two tries of one message is longer, unless the provider asks for it. */
  longestMs: number
  /** What a provider may ask for at the most; an absurd Retry-After is cut to this. */
  longestAskedMs: number
  /** Between two tries on a channel that takes nothing until a person acts. */
  blockedMs: number
  /** Tries of one message before those behind it are let past. */
  patience: number
  /** A channel that fails is tried at least this often while something is due. */
  probeMs: number
  /**
   * Where tries end without an answer and nobody can be asked whether they arrived: the waits between one copy and
   * the next. There are no more copies than these and one, and all of them within a day.
   */
  repeatAfterMs: readonly number[]
  /** A message is tried for at least this long. */
  giveUpAfterMs: number
  /** A channel that let nothing through for so long is told first what it missed, */
  summaryAfterMs: number
  /** where it is at least so many messages. */
  summaryFrom: number
  /** The same for what polling missed, however many changes that were. */
  missedFrom: number
  /** An edit is tried so often, with these waits, the first and the longest. */
  editTries: number
  editFirstMs: number
  editLongestMs: number
}

export const retryPolicy: RetryPolicy = {
  firstMs: 1_000,
  longestMs: 5 * minuteMs,
  longestAskedMs: hourMs,
  blockedMs: 5 * minuteMs,
  patience: 5,
  probeMs: minuteMs,
  repeatAfterMs: [5 * minuteMs, hourMs, 8 * hourMs],
  giveUpAfterMs: dayMs,
  summaryAfterMs: 30 * minuteMs,
  summaryFrom: 5,
  missedFrom: 3,
  editTries: 8,
  editFirstMs: minuteMs,
  editLongestMs: 30 * minuteMs,
}

export interface JudgedTry {
  result: SendResult
  before: Waiting
  /** Nobody can be asked whether it arrived: see `Channel`. */
  cannotVerifyDelivery: boolean
  /** When the event was accepted, milliseconds since the epoch. */
  acceptedAt: number
  now: number
  /** Since when nothing got through on this channel, milliseconds since the epoch. */
  failingSince: number
  /** For how long, by its rests: see `elapsed`. Milliseconds. */
  failingMs: number
  /** From 0 up to, not including, 1: spreads the tries of many channels. */
  random: number
}

export interface TryVerdict {
  outcome: Outcome
  /** How long the whole channel rests; the order of messages is kept that way. */
  pauseMs: number
}

/** What follows from one try. Pure: the whole retry policy is here. */
export function judge(one: JudgedTry, policy: RetryPolicy): TryVerdict {
  const { outcome, pauseMs } = judged(one, policy)
  return { outcome: { ...outcome, ...beforeOf(one.before) }, pauseMs }
}

function judged(one: JudgedTry, policy: RetryPolicy): TryVerdict {
  const { result, now } = one
  const attempts = one.before.attempts + 1
  const at = new Date(now).toISOString()
  switch (result.result) {
    case 'sent': {
      const { before, cannotVerifyDelivery } = one
      const isOpen = cannotVerifyDelivery && before.uncertain === true && before.unanswered === undefined
      const remarks = [result.remark, isOpen ? 'an earlier try may have arrived too' : undefined]
      const text = [result.receipt.text, ...remarks.filter((remark) => remark !== undefined)].join('; ')
      const receipt = { ...result.receipt, text }
      return {
        outcome: {
          state: 'sent',
          at,
          attempts,
          receipt,
          ...(cannotVerifyDelivery && allCopies(one)),
          ...againOf(before),
        },
        pauseMs: 0,
      }
    }
    case 'more':
      return { outcome: goesOn(one, at, result), pauseMs: 0 }
    case 'unwanted':
      return { outcome: { state: 'not_sent', rule: 'unsubscribed', why: result.why }, pauseMs: 0 }
    case 'permanent':
      return { outcome: failed(one, at, attempts, result.why), pauseMs: 0 }
    case 'blocked':
      return again(one, attempts, policy.blockedMs, policy.blockedMs, policy)
    case 'retry': {
      if (one.cannotVerifyDelivery && result.unanswered === true) return repeat(one, attempts, result, policy)
      const own = backoff(attempts, one.random, policy)
      const asked = askedFor(result.afterMs, policy)
      // Never sooner than of our own accord: some ask for 0 seconds, and mean it.
      const wait = Math.max(own, asked ?? 0)
      const letPast = attempts >= policy.patience && asked === undefined
      const pause = letPast ? Math.min(wait / 2, policy.probeMs) : wait
      const verdict = again(one, attempts, wait, pause, policy)
      const { outcome } = verdict
      const isAsked = asked !== undefined && asked > own && outcome.state === 'waiting'
      return isAsked ? { ...verdict, outcome: { ...outcome, asked: true } } : verdict
    }
  }
}

/** The next part is due at once, and none of its tries has failed yet. */
function goesOn(
  { before }: JudgedTry,
  at: string,
  { why, progress }: { why: string; progress: string[] },
): Waiting {
  const { unanswered, unansweredOfDone, attempts } = before
  const done = (unanswered ?? 0) + (unansweredOfDone ?? 0)
  // Where it was counted, what may be there is the part that is done now.
  const isOpen = before.uncertain === true && unanswered === undefined
  return {
    state: 'waiting',
    dueAt: at,
    why,
    attempts,
    progress,
    ...(isOpen && { uncertain: true }),
    ...(done > 0 && { unansweredOfDone: done }),
    ...againOf(before),
  }
}

/** The try may have arrived, and so may the next: the waits grow to hours, and those behind it do not wait so long. */
function repeat(
  one: JudgedTry,
  attempts: number,
  { why, without = one.before.without }: { why: string; without?: string[] },
  policy: RetryPolicy,
): TryVerdict {
  const unanswered = (one.before.unanswered ?? 0) + 1
  const counted = { ...one, before: { ...one.before, unanswered } }
  const wait = policy.repeatAfterMs[unanswered - 1]
  const at = new Date(one.now).toISOString()
  if (wait === undefined && without !== undefined) {
    const said = `a part was given up: ${unanswered} tries of it ended without an answer; the others follow`
    const next = goesOn(counted, at, { why: said, progress: without })
    return { outcome: { ...next, attempts }, pauseMs: policy.probeMs }
  }
  if (wait === undefined) {
    const given = `given up: ${unanswered} tries ended without an answer, and nobody can be asked whether they arrived: ${why}`
    return {
      outcome: failed(counted, at, attempts, given),
      pauseMs: policy.probeMs,
    }
  }
  const next = new Date(one.now + wait).toISOString()
  const said = `${why.replace(/\.$/, '')}; it may have arrived, and nobody can be asked: it is sent again, marked as a possible repeat, at ${next}`
  const pause = Math.min(wait, policy.probeMs)
  const { outcome, pauseMs } = again(counted, attempts, wait, pause, policy)
  if (outcome.state !== 'waiting') return { outcome, pauseMs }
  const kept = without === undefined ? outcome : { ...outcome, without }
  return { outcome: hold({ ...kept, why: said }, one.now, wait, policy), pauseMs }
}

/**
 * Waits in pieces of an hour. What is due later than that is taken for a clock that was set back, and a clock that is
 * set forward skips no more than one piece.
 */
export function hold(waiting: Waiting, now: number, waitMs: number, policy: RetryPolicy): Waiting {
  const { holdMs: _, ...rest } = waiting
  const piece = Math.min(waitMs, policy.longestAskedMs)
  const holdMs = waitMs - piece
  return { ...rest, dueAt: new Date(now + piece).toISOString(), ...(holdMs > 0 && { holdMs }) }
}

function again(
  one: JudgedTry,
  attempts: number,
  waitMs: number,
  pauseMs: number,
  policy: RetryPolicy,
): TryVerdict {
  const { result, before, now } = one
  if (result.result !== 'retry' && result.result !== 'blocked')
    throw new Error(`${result.result} is not tried again`)
  const at = new Date(now).toISOString()
  const firstAttemptAt = before.firstAttemptAt ?? at
  const triedMs = attempts === 1 ? 0 : elapsed(before.triedMs ?? 0, Date.parse(before.dueAt), now, policy)
  const seenMs = Math.max(triedMs, silenceSeen(one))
  if (seenMs >= policy.giveUpAfterMs) {
    const hours = Math.round(seenMs / hourMs)
    const why = `given up after ${hours} hours; this message was tried ${attempts} times: ${result.why}`
    return { outcome: failed(one, at, attempts, why), pauseMs }
  }
  const progress = result.result === 'retry' ? (result.progress ?? before.progress) : before.progress
  const waiting: Waiting = {
    state: 'waiting',
    dueAt: new Date(now + waitMs).toISOString(),
    why: result.why,
    attempts,
    firstAttemptAt,
    triedMs: triedMs + waitMs,
    uncertain: (result.result === 'retry' && result.uncertain) || before.uncertain === true,
    ...copiesOf(one),
    ...(progress === undefined ? {} : { progress }),
    ...againOf(before),
  }
  return { outcome: waiting, pauseMs }
}

function failed(one: JudgedTry, at: string, attempts: number, why: string): Outcome {
  const { result, before } = one
  const progress = result.result === 'retry' ? (result.progress ?? before.progress) : before.progress
  return {
    state: 'failed',
    at,
    attempts,
    why,
    ...allCopies(one),
    ...(progress === undefined ? {} : { progress }),
  }
}

function copiesOf({ before: { unanswered, unansweredOfDone } }: JudgedTry) {
  return {
    ...(unanswered !== undefined && { unanswered }),
    ...(unansweredOfDone !== undefined && { unansweredOfDone }),
  }
}

/** Of all its parts. */
function allCopies({ before: { unanswered = 0, unansweredOfDone = 0 } }: JudgedTry): { unanswered?: number } {
  const all = unanswered + unansweredOfDone
  return all === 0 ? {} : { unanswered: all }
}

function againOf({ againAt }: Waiting): { againAt?: string } {
  return againAt === undefined ? {} : { againAt }
}

/**
 * Time that went by, without the leaps of a clock that is set: the waits that were decided, and by how much the try
 * after each was late, which is a few minutes at most. `plannedMs` holds what came before and the last wait.
 */
export function elapsed(
  plannedMs: number,
  dueAt: number,
  now: number,
  { longestMs }: Pick<RetryPolicy, 'longestMs'>,
): number {
  return plannedMs + Math.min(Math.max(now - dueAt, 0), longestMs)
}

/**
 * For how long the channel has let nothing through since this message came, so that a dead channel does not hold
 * each of its messages for another day in turn.
 */
function silenceSeen({ failingMs, failingSince, acceptedAt }: JudgedTry): number {
  return failingMs - Math.max(0, acceptedAt - failingSince)
}

/** Exponential, the upper half of it spread at random. */
function backoff(attempts: number, random: number, policy: RetryPolicy): number {
  const full = Math.min(policy.firstMs * 2 ** Math.min(attempts - 1, 30), policy.longestMs)
  return Math.round(full * (0.5 + random / 2))
}

/** A usable Retry-After; a negative, absent or unreadable one is none. */
export function askedFor(afterMs: number | undefined, policy: RetryPolicy): number | undefined {
  if (afterMs === undefined || !Number.isFinite(afterMs) || afterMs < 0) return undefined
  return Math.min(Math.ceil(afterMs), policy.longestAskedMs)
}

/** Due before its time: what it would have waited does not count as tried. */
export function dueNow(waiting: Waiting, now: number): Waiting {
  const { asked: _, ...rest } = waiting
  const early = Math.max(0, Date.parse(waiting.dueAt) - now)
  return { ...rest, dueAt: new Date(now).toISOString(), triedMs: (waiting.triedMs ?? early) - early }
}

/** Slow enough to be read, and over within ten minutes however much there is. */
export function catchUpPace(waiting: number, paceMs: number): number {
  return Math.max(paceMs, Math.min(3_000, 600_000 / waiting))
}
