import type { SendResult } from '../channels/channel.ts'
import { beforeOf, type Outcome, type Waiting } from '../event/outcome.ts'
import { dayMs, hourMs, minuteMs } from '../platform/durations.ts'

/** Milliseconds, if not said otherwise. */
export const retryPolicy = {
  /** First wait; doubles with every try. */
  firstMs: 1_000,
  /** No wait between two tries of one message is longer, unless the provider asks for it. */
  longestMs: 5 * minuteMs,
  /** What a provider may ask for at the most; an absurd Retry-After is cut to this. */
  longestAskedMs: hourMs,
  /** Between two tries on a channel that accepts nothing until a person acts. */
  blockedMs: 5 * minuteMs,
  /** Tries of one message before those behind it skip ahead. */
  patience: 5,
  /** A channel that fails is tried at least this often while something is due. */
  probeMs: minuteMs,
  /**
   * The waits between one copy and the next, if tries end without an answer and nobody can be asked whether they arrived.
   * There are no more copies than these and one, and all of them within a day.
   */
  repeatAfterMs: [5 * minuteMs, hourMs, 8 * hourMs] as readonly number[],
  /** A message is tried for at least this long. */
  giveUpAfterMs: dayMs,
  /** After so long an outage, a summary goes before the messages that the channel missed, if they are at least so many. */
  summaryAfterMs: 30 * minuteMs,
  summaryFrom: 5,
  /** The same for what polling missed, however many changes that were. */
  missedFrom: 3,
  /** An edit is tried so often, with these waits, the first and the longest. */
  editTries: 8,
  editFirstMs: minuteMs,
  editLongestMs: 30 * minuteMs,
}
export type RetryPolicy = typeof retryPolicy

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

interface TryVerdict {
  outcome: Outcome
  /** How long the whole channel rests; the order of messages is kept that way. */
  pauseMs: number
}

/** What follows from one try. Pure: the whole retry policy is here. */
export function judge(tried: JudgedTry, policy: RetryPolicy): TryVerdict {
  const { outcome, pauseMs } = judged(tried, policy)
  return { outcome: { ...outcome, ...beforeOf(tried.before) }, pauseMs }
}

interface CountedTry extends JudgedTry {
  /** This one included. */
  attempts: number
  /** When it ended, ISO 8601. */
  at: string
}

function judged(input: JudgedTry, policy: RetryPolicy): TryVerdict {
  const { result, before, cannotVerifyDelivery } = input
  const at = new Date(input.now).toISOString()
  const attempts = before.attempts + 1
  const tried: CountedTry = { ...input, attempts, at }
  switch (result.result) {
    case 'sent': {
      const isOpen = cannotVerifyDelivery && before.uncertain === true && before.unanswered === undefined
      const remarks = [result.remark, isOpen ? 'an earlier attempt may also have arrived' : undefined]
      const text = [result.receipt.text, ...remarks.filter((remark) => remark !== undefined)].join('; ')
      const receipt = { ...result.receipt, text }
      const copies = cannotVerifyDelivery && allCopies(before)
      return {
        outcome: { state: 'sent', at, attempts, receipt, ...copies, ...againOf(before) },
        pauseMs: 0,
      }
    }
    case 'more':
      return { outcome: goesOn(tried, result), pauseMs: 0 }
    case 'unwanted':
      return { outcome: { state: 'not_sent', rule: 'unsubscribed', why: result.why }, pauseMs: 0 }
    case 'permanent':
      return { outcome: failed(tried, result.why), pauseMs: 0 }
    case 'blocked':
      return again(tried, result, { waitMs: policy.blockedMs, pauseMs: policy.blockedMs }, policy)
    case 'retry': {
      if (cannotVerifyDelivery && result.unanswered === true) return repeat(tried, result, policy)
      const ownMs = backoff(attempts, tried.random, policy)
      const askedMs = askedFor(result.afterMs, policy)
      // Never sooner than of our own accord: some ask for 0 seconds, and mean it.
      const waitMs = Math.max(ownMs, askedMs ?? 0)
      const skipAhead = attempts >= policy.patience && askedMs === undefined
      const pauseMs = skipAhead ? Math.min(waitMs / 2, policy.probeMs) : waitMs
      const verdict = again(tried, result, { waitMs, pauseMs }, policy)
      const { outcome } = verdict
      const isAsked = askedMs !== undefined && askedMs > ownMs && outcome.state === 'waiting'
      return isAsked ? { ...verdict, outcome: { ...outcome, asked: true } } : verdict
    }
  }
}

/** The next part is due at once, and none of its tries has failed yet. */
function goesOn({ before, at }: CountedTry, { why, progress }: { why: string; progress: string[] }): Waiting {
  const { unanswered, unansweredOfDone, attempts } = before
  const done = (unanswered ?? 0) + (unansweredOfDone ?? 0)
  // An unanswered try that was counted belongs to the part that is finished.
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

type RetryResult = Extract<SendResult, { result: 'retry' | 'blocked' }>

/** The try may have arrived, and so may the next: the waits grow to hours, and those behind it do not wait so long. */
function repeat(
  tried: CountedTry,
  result: RetryResult & { result: 'retry' },
  policy: RetryPolicy,
): TryVerdict {
  const { before, now, attempts } = tried
  const { why, without = before.without } = result
  const unanswered = (before.unanswered ?? 0) + 1
  const counted = { ...tried, before: { ...before, unanswered } }
  const waitMs = policy.repeatAfterMs[unanswered - 1]
  if (waitMs === undefined && without !== undefined) {
    const partGivenUp = `Bluepencil gave up one part after ${unanswered} attempts without an answer; the other parts follow`
    const next = goesOn(counted, { why: partGivenUp, progress: without })
    return { outcome: { ...next, attempts }, pauseMs: policy.probeMs }
  }
  if (waitMs === undefined) {
    const givenUp = `gave up after ${unanswered} attempts without an answer; each may have arrived: ${why}`
    return { outcome: failed(counted, givenUp), pauseMs: policy.probeMs }
  }
  const next = new Date(now + waitMs).toISOString()
  const mayRepeat = `${why.replace(/\.$/, '')}; it may have arrived. The next attempt is at ${next}, marked as a possible duplicate`
  const waits = { waitMs, pauseMs: Math.min(waitMs, policy.probeMs) }
  const { outcome, pauseMs } = again(counted, result, waits, policy)
  if (outcome.state !== 'waiting') return { outcome, pauseMs }
  const kept = without === undefined ? outcome : { ...outcome, without }
  return { outcome: waitInPieces({ ...kept, why: mayRepeat }, now, waitMs, policy), pauseMs }
}

/**
 * Waits in pieces of an hour. What is due later than that is taken for a clock that was set back, and a clock that is
 * set forward skips no more than one piece.
 */
export function waitInPieces(waiting: Waiting, now: number, waitMs: number, policy: RetryPolicy): Waiting {
  const { holdMs: _, ...rest } = waiting
  const piece = Math.min(waitMs, policy.longestAskedMs)
  const holdMs = waitMs - piece
  return { ...rest, dueAt: new Date(now + piece).toISOString(), ...(holdMs > 0 && { holdMs }) }
}

/** The message waits so long, and the whole channel rests for the pause. */
function again(
  tried: CountedTry,
  result: RetryResult,
  { waitMs, pauseMs }: { waitMs: number; pauseMs: number },
  policy: RetryPolicy,
): TryVerdict {
  const { before, now, at, attempts } = tried
  const { unanswered, unansweredOfDone } = before
  const triedMs = attempts === 1 ? 0 : elapsed(before.triedMs ?? 0, Date.parse(before.dueAt), now, policy)
  const seenMs = Math.max(triedMs, silenceSeen(tried))
  if (seenMs >= policy.giveUpAfterMs) {
    const hours = Math.round(seenMs / hourMs)
    const why = `gave up after ${hours} hours, at attempt ${attempts}: ${result.why}`
    return { outcome: failed(tried, why), pauseMs }
  }
  const waiting: Waiting = {
    state: 'waiting',
    dueAt: new Date(now + waitMs).toISOString(),
    why: result.why,
    attempts,
    firstAttemptAt: before.firstAttemptAt ?? at,
    triedMs: triedMs + waitMs,
    uncertain: (result.result === 'retry' && result.uncertain) || before.uncertain === true,
    ...(unanswered !== undefined && { unanswered }),
    ...(unansweredOfDone !== undefined && { unansweredOfDone }),
    ...progressAfter(tried),
    ...againOf(before),
  }
  return { outcome: waiting, pauseMs }
}

function failed(tried: CountedTry, why: string): Outcome {
  const { before, at, attempts } = tried
  return { state: 'failed', at, attempts, why, ...allCopies(before), ...progressAfter(tried) }
}

function progressAfter({ result, before }: JudgedTry): Pick<Waiting, 'progress'> {
  const progress = (result.result === 'retry' ? result.progress : undefined) ?? before.progress
  return progress === undefined ? {} : { progress }
}

/** Of all its parts. */
function allCopies({ unanswered = 0, unansweredOfDone = 0 }: Waiting): { unanswered?: number } {
  const all = unanswered + unansweredOfDone
  return all === 0 ? {} : { unanswered: all }
}

function againOf({ againAt }: Waiting): { againAt?: string } {
  return againAt === undefined ? {} : { againAt }
}

/**
 * Time that passed, without the leaps of a clock that is set. It is the sum of the decided waits and of the delays of the
 * tries after them, each a few minutes at most. `plannedMs` has the time before and the last wait.
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
export function madeDueNow(waiting: Waiting, now: number): Waiting {
  const { asked: _, ...rest } = waiting
  const early = Math.max(0, Date.parse(waiting.dueAt) - now)
  return { ...rest, dueAt: new Date(now).toISOString(), triedMs: (waiting.triedMs ?? early) - early }
}

/** Slow enough to be read, and over within ten minutes however much there is. */
export function catchUpPace(waiting: number, paceMs: number): number {
  return Math.max(paceMs, Math.min(3_000, 600_000 / waiting))
}
