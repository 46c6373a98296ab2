import type { SendResult } from '../channels/channel.ts'
import type { Outcome, Waiting } from '../event/outcome.ts'

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
  /** A message is tried for at least this long, */
  giveUpAfterMs: number
  /** and this often: a clock that was set forward is no reason to give up. */
  leastTries: number
  /** A channel that let nothing through for so long is told first what it missed, */
  summaryAfterMs: number
  /** where it is at least so many messages. */
  summaryFrom: number
}

export const retryPolicy: RetryPolicy = {
  firstMs: 1_000,
  longestMs: 5 * 60_000,
  longestAskedMs: 60 * 60_000,
  blockedMs: 5 * 60_000,
  patience: 5,
  probeMs: 60_000,
  giveUpAfterMs: 24 * 60 * 60_000,
  leastTries: 20,
  summaryAfterMs: 30 * 60_000,
  summaryFrom: 5,
}

export interface Try {
  result: SendResult
  before: Waiting
  /** When the event was accepted, milliseconds since the epoch. */
  acceptedAt: number
  now: number
  /** Since when nothing got through on this channel, milliseconds since the epoch. */
  failingSince: number
  /** How often in a row. */
  failures: number
  /** From 0 up to, not including, 1: spreads the tries of many channels. */
  random: number
}

export interface Verdict {
  outcome: Outcome
  /** How long the whole channel rests; the order of messages is kept that way. */
  pauseMs: number
}

/** What follows from one try. Pure: the whole retry policy is here. */
export function judge(one: Try, policy: RetryPolicy): Verdict {
  const { result, now } = one
  const attempts = one.before.attempts + 1
  const at = new Date(now).toISOString()
  switch (result.result) {
    case 'sent': {
      const receipt = result.remark === undefined ? result.receipt : `${result.receipt}; ${result.remark}`
      return { outcome: { state: 'sent', at, attempts, receipt }, pauseMs: 0 }
    }
    case 'permanent':
      return { outcome: failed(one, at, attempts, result.why), pauseMs: 0 }
    case 'blocked':
      return again(one, attempts, policy.blockedMs, policy.blockedMs, policy)
    case 'retry': {
      const own = backoff(attempts, one.random, policy)
      const asked = askedFor(result.afterMs, policy)
      // Never sooner than of our own accord: some ask for 0 seconds, and mean it.
      const wait = Math.max(own, asked ?? 0)
      const letPast = attempts >= policy.patience && asked === undefined
      const pause = letPast ? Math.min(wait / 2, policy.probeMs) : wait
      return again(one, attempts, wait, pause, policy)
    }
  }
}

function again(one: Try, attempts: number, waitMs: number, pauseMs: number, policy: RetryPolicy): Verdict {
  const { result, before, now } = one
  if (result.result !== 'retry' && result.result !== 'blocked')
    throw new Error(`${result.result} is not tried again`)
  const at = new Date(now).toISOString()
  const firstAttemptAt = before.firstAttemptAt ?? at
  if (isOver(one, attempts, Date.parse(firstAttemptAt), policy)) {
    const hours = Math.round((now - Math.min(one.failingSince, Date.parse(firstAttemptAt))) / 3_600_000)
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
    uncertain: (result.result === 'retry' && result.uncertain) || before.uncertain === true,
    ...(progress === undefined ? {} : { progress }),
    ...(before.againAt === undefined ? {} : { againAt: before.againAt }),
  }
  return { outcome: waiting, pauseMs }
}

function failed({ result, before }: Try, at: string, attempts: number, why: string): Outcome {
  const progress = result.result === 'retry' ? (result.progress ?? before.progress) : before.progress
  return { state: 'failed', at, attempts, why, ...(progress === undefined ? {} : { progress }) }
}

/**
 * Over when this message was tried for so long; or when the channel let nothing through for so long and the
 * message is that old, so that a dead channel does not hold each of its messages for another day in turn.
 */
function isOver(one: Try, attempts: number, firstAttemptAt: number, policy: RetryPolicy): boolean {
  const { now, failingSince, failures, acceptedAt } = one
  if (attempts >= policy.leastTries && now - firstAttemptAt >= policy.giveUpAfterMs) return true
  const silentMs = Math.min(now - failingSince, now - acceptedAt)
  return failures >= policy.leastTries && silentMs >= policy.giveUpAfterMs
}

/** Exponential, the upper half of it spread at random. */
function backoff(attempts: number, random: number, policy: RetryPolicy): number {
  const full = Math.min(policy.firstMs * 2 ** Math.min(attempts - 1, 30), policy.longestMs)
  return Math.round(full * (0.5 + random / 2))
}

/** A usable Retry-After; a negative, absent or unreadable one is none. */
function askedFor(afterMs: number | undefined, policy: RetryPolicy): number | undefined {
  if (afterMs === undefined || !Number.isFinite(afterMs) || afterMs < 0) return undefined
  return Math.min(Math.ceil(afterMs), policy.longestAskedMs)
}
