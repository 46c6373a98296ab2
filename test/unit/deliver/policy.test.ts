import { describe, expect, test } from 'vitest'
import type { SendResult } from '../../../src/channels/channel.ts'
import { type JudgedTry, judge, retryPolicy } from '../../../src/deliver/policy.ts'

const now = Date.parse('2026-11-21T13:00:00Z')
const hour = 3_600_000

function tryOf(result: SendResult, changes: Partial<JudgedTry> = {}): JudgedTry {
  const before = {
    state: 'waiting' as const,
    dueAt: new Date(now).toISOString(),
    why: 'not tried yet',
    attempts: 0,
  }
  return {
    result,
    before,
    cannotVerifyDelivery: false,
    acceptedAt: now,
    now,
    failingSince: now,
    failingMs: 0,
    random: 1,
    ...changes,
  }
}
const retry = (afterMs?: number): SendResult => ({
  result: 'retry',
  why: 'it answered 503',
  uncertain: false,
  ...(afterMs === undefined ? {} : { afterMs }),
})
const waits = (attempts: number, random: number) => {
  const before = { ...tryOf(retry()).before, attempts }
  return judge(tryOf(retry(), { before, random }), retryPolicy).outcome
}

describe('the retry policy', () => {
  test('waits twice as long each time, up to five minutes, the upper half spread at random', () => {
    const dueAfter = (attempts: number, random: number) => {
      const outcome = waits(attempts, random)
      return outcome.state === 'waiting' ? Date.parse(outcome.dueAt) - now : Number.NaN
    }
    expect([0, 1, 2, 3, 8, 9, 60].map((attempts) => dueAfter(attempts, 1))).toEqual([
      1_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000,
    ])
    expect([0, 1, 2].map((attempts) => dueAfter(attempts, 0))).toEqual([500, 1_000, 2_000])
  })

  test.each([
    [2_000, 2_000],
    [1_337.5, 1_338],
    [0, 1_000],
    [undefined, 1_000],
    [-5_000, 1_000],
    [Number.NaN, 1_000],
    [Number.POSITIVE_INFINITY, 1_000],
    [30 * 24 * hour, hour],
  ])('a Retry-After of %s ms means a wait of %s ms', (asked, wait) => {
    const { outcome, pauseMs } = judge(tryOf(retry(asked)), retryPolicy)
    expect(outcome).toMatchObject({
      state: 'waiting',
      dueAt: new Date(now + wait).toISOString(),
      attempts: 1,
    })
    expect(pauseMs).toBe(wait)
  })

  test('a message that keeps failing lets those behind it past after five tries', () => {
    const before = { ...tryOf(retry()).before, attempts: 9 }
    const { outcome, pauseMs } = judge(tryOf(retry(), { before }), retryPolicy)
    expect(pauseMs).toBe(60_000)
    expect(outcome).toMatchObject({ dueAt: new Date(now + 300_000).toISOString() })
  })

  test('is not over before 24 hours of tries, however old the event is', () => {
    const tried = (triedMs: number) => ({
      before: { ...tryOf(retry()).before, attempts: 290, triedMs },
      acceptedAt: now - 90 * hour,
    })
    expect(judge(tryOf(retry(), tried(24 * hour - 1)), retryPolicy).outcome.state).toBe('waiting')
    expect(judge(tryOf(retry(), tried(24 * hour)), retryPolicy).outcome).toMatchObject({
      state: 'failed',
      attempts: 291,
      why: 'gave up after 24 hours, at attempt 291: it answered 503',
    })
  })

  test('counts what a try was late, up to five minutes', () => {
    const tried = (lateMs: number) => {
      const dueAt = new Date(now - lateMs).toISOString()
      const before = { ...tryOf(retry()).before, dueAt, attempts: 1, triedMs: 1_000 }
      return judge(tryOf(retry(), { before }), retryPolicy).outcome
    }
    expect(tried(0)).toMatchObject({ triedMs: 3_000 })
    expect(tried(150_000)).toMatchObject({ triedMs: 153_000 })
    expect(tried(24 * hour)).toMatchObject({ triedMs: 303_000 })
    expect(tried(-24 * hour)).toMatchObject({ triedMs: 3_000 })
  })

  test('a channel that was dead for a day does not hold each of its messages for another', () => {
    const dead = { failingSince: now - 24 * hour, acceptedAt: now - 24 * hour, failingMs: 24 * hour }
    expect(judge(tryOf(retry(), dead), retryPolicy).outcome).toMatchObject({
      state: 'failed',
      why: 'gave up after 24 hours, at attempt 1: it answered 503',
    })
    expect(judge(tryOf(retry(), { ...dead, acceptedAt: now - hour }), retryPolicy).outcome.state).toBe(
      'waiting',
    )
  })

  test('a clock that was set forward is no reason to give up, however often it was tried', () => {
    const longAgo = now - 240 * hour
    const before = {
      ...tryOf(retry()).before,
      attempts: 280,
      firstAttemptAt: new Date(longAgo).toISOString(),
      triedMs: 23 * hour,
    }
    const tried = { before, acceptedAt: longAgo, failingSince: longAgo, failingMs: 23 * hour }
    expect(judge(tryOf(retry(), tried), retryPolicy).outcome.state).toBe('waiting')
  })

  test('a message that is never taken is dead at once, and holds nobody up', () => {
    expect(judge(tryOf({ result: 'permanent', why: 'too long' }), retryPolicy)).toEqual({
      outcome: { state: 'failed', at: new Date(now).toISOString(), attempts: 1, why: 'too long' },
      pauseMs: 0,
    })
  })

  test('a channel that takes nothing is tried again every five minutes, not given up', () => {
    const { outcome, pauseMs } = judge(
      tryOf({ result: 'blocked', why: 'the token was revoked' }),
      retryPolicy,
    )
    expect(outcome).toMatchObject({ state: 'waiting', why: 'the token was revoked' })
    expect(pauseMs).toBe(300_000)
  })

  test('what may have been sent stays uncertain, and what is done stays done', () => {
    const before = { ...tryOf(retry()).before, uncertain: true, progress: ['a@desk.example'] }
    expect(judge(tryOf(retry(), { before }), retryPolicy).outcome).toMatchObject({
      uncertain: true,
      progress: ['a@desk.example'],
    })
  })
})
