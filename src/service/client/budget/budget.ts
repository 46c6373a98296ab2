import * as z from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import { hourMs, minuteMs } from '../../../platform/durations.ts'
import { BudgetSpent, RateLimited } from '../errors.ts'
import {
  type Bucket,
  block,
  left,
  type RefillRate,
  rateOf,
  type Share,
  take,
  type WallAndUptime,
} from './bucket.ts'

/** A 429 without a time, and the longest that is believed: no limit is by more than the hour ("Limits"). Milliseconds. */
const unsaidMs = minuteMs
const longestBlockMs = hourMs

const endless: RefillRate = { burst: Number.MAX_SAFE_INTEGER, perHour: 0 }

/** What may leave for the service. Tries that repeat a request and requests for tokens count like any other. */
export interface Budget {
  /** Resolves where one request may leave. Rejects with `BudgetSpent`, or `RateLimited` where the service said so. */
  take(): Promise<void>
  /** The service answered 429: no request leaves before it wants one. */
  told(retryAfterMs: number | undefined): Promise<void>
  /** Requests that may leave at once, as it stands now. */
  left(): Promise<number>
}

/** Where a bucket is kept. A change sees what the last one left, whoever made it. */
export interface BudgetStore {
  /** Without a bucket in its answer, what is there stays. */
  update<T>(change: ChangeBucket<T>): Promise<T>
  /** Waits for no write. */
  read(): Promise<Bucket | undefined>
}

export type ChangeBucket<T> = (bucket: Bucket | undefined) => { bucket?: Bucket; result: T }

export interface BudgetOptions {
  /** Requests per hour; undefined where they are not counted, and the service is obeyed all the same. */
  tier: number | undefined
  share: Share
  budgetStore: BudgetStore
  clock: Clock
}

export function createBudget({ tier, share, budgetStore, clock }: BudgetOptions): Budget {
  const rate = tier === undefined ? endless : rateOf(tier, share)
  return {
    async left() {
      return left(await budgetStore.read(), rate, moment(clock))
    },
    async take() {
      const { verdict, waitMs } = await budgetStore.update((bucket) => {
        const taken = take(bucket, rate, moment(clock))
        return { bucket: taken.bucket, result: taken }
      })
      if (verdict === 'spent') throw new BudgetSpent(spent(tier, share, waitMs), waitMs)
      if (verdict === 'blocked') throw limited(waitMs)
    },
    async told(retryAfterMs) {
      const waitMs = Math.min(retryAfterMs ?? unsaidMs, longestBlockMs)
      await budgetStore.update((bucket) => ({
        bucket: block(bucket, rate, moment(clock), waitMs),
        result: undefined,
      }))
    },
  }
}

export function memoryBudgetStore(): BudgetStore {
  let kept: Bucket | undefined
  return {
    async update(change) {
      const { bucket, result } = change(kept)
      kept = bucket ?? kept
      return result
    },
    read: async () => kept,
  }
}

const StoredBucket = z.object({
  tokens: z.number(),
  blockedMs: z.number().nonnegative(),
  wallMs: z.number(),
  uptimeMs: z.number().nonnegative(),
})

/** A bucket that was stored. Of what cannot be read, an empty bucket is made: it may only err on the careful side. */
export function bucketFrom(stored: unknown, clock: Clock): Bucket | undefined {
  if (stored === undefined || stored === null) return undefined
  const parsed = StoredBucket.safeParse(stored)
  return parsed.success ? parsed.data : { ...moment(clock), tokens: 0, blockedMs: 0 }
}

function moment(clock: Clock): WallAndUptime {
  const wallMs = clock.now()
  return { wallMs, uptimeMs: clock.uptime?.() ?? wallMs }
}

function limited(waitMs: number): RateLimited {
  const message = `No request was made: the service has answered 429, and accepts none for ${wait(waitMs)}.`
  return new RateLimited(message, { retryAfterMs: waitMs })
}

function spent(tier: number | undefined, share: Share, waitMs: number): string {
  const whose = {
    service: `of the ${tier} requests an hour of monitor.tier, those that are not kept for people are spent.`,
    people: `of the ${tier} requests an hour of monitor.tier, the quarter that is kept for people’s questions is spent.`,
    all: `the ${tier} requests an hour of the tier are spent.`,
  }[share]
  return `No request was made: ${whose} Try again in ${wait(waitMs)}, or name your plan’s tier in monitor.tier.`
}

function wait(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1_000)} s`
}
