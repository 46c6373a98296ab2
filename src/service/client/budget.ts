import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { hourMs, minuteMs } from '../../platform/durations.ts'
import { oneAtATime } from '../../platform/one-at-a-time.ts'
import {
  type Bucket,
  block,
  grantRequest,
  left,
  type RefillRate,
  rateOf,
  type Share,
  type WallAndUptime,
} from './bucket.ts'
import { BudgetSpent, RateLimited } from './errors.ts'

/** A 429 without a time, and the longest that is believed: no limit is by more than the hour ("Limits"). Milliseconds. */
const unsaidMs = minuteMs
const longestBlockMs = hourMs

const endless: RefillRate = { burst: Number.MAX_SAFE_INTEGER, perHour: 0 }

/** What may leave for the service. Tries that repeat a request and requests for tokens count like any other. */
export interface Budget {
  /** Resolves when one request may leave. Rejects with `BudgetSpent`, or `RateLimited` if the service said so. */
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

type ChangeBucket<T> = (bucket: Bucket | undefined) => { bucket?: Bucket; result: T }

export interface BudgetOptions {
  /** Requests per hour; undefined if they are not counted, and the service is obeyed all the same. */
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
        const taken = grantRequest(bucket, rate, moment(clock))
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
function bucketFrom(stored: unknown, clock: Clock): Bucket | undefined {
  if (stored === undefined || stored === null) return undefined
  const parsed = StoredBucket.safeParse(stored)
  return parsed.success ? parsed.data : { ...moment(clock), tokens: 0, blockedMs: 0 }
}

function moment(clock: Clock): WallAndUptime {
  const wallMs = clock.now()
  return { wallMs, uptimeMs: clock.uptime?.() ?? wallMs }
}

function limited(waitMs: number): RateLimited {
  const message = `No request was made: the service answered 429 and accepts no requests for ${wait(waitMs)}.`
  return new RateLimited(message, { retryAfterMs: waitMs })
}

function spent(tier: number | undefined, share: Share, waitMs: number): string {
  const whose = {
    service: `the share for polling of your plan’s ${tier} requests an hour is used up.`,
    people: `the quarter of your plan’s ${tier} requests an hour that is reserved for people’s questions is used up.`,
    all: `your plan’s ${tier} requests an hour are used up.`,
  }[share]
  return `No request was made: ${whose} Try again in ${wait(waitMs)}. If your plan allows more, set monitor.tier.`
}

function wait(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1_000)} s`
}

interface StoredBudget {
  read(): Promise<unknown>
  /** Changes what is stored by what is there, in one step. */
  change(change: (before: unknown) => unknown): Promise<void>
}

/**
 * For the service: several processes may share its store, so each request is recorded before it leaves. That costs one small
 * write; the largest tier has three requests a second. If the write fails, the process counts in memory: polling goes on
 * with a full disk.
 */
export function rememberedBudgetStore(remembered: StoredBudget, clock: Clock): BudgetStore {
  /** What could not be written. */
  let unwritten: Bucket | undefined
  const inTurn = oneAtATime()

  async function update<T>(change: ChangeBucket<T>): Promise<T> {
    let done: ReturnType<ChangeBucket<T>> | undefined
    try {
      await remembered.change((stored) => {
        done = change(unwritten ?? bucketFrom(stored, clock))
        return done.bucket
      })
      if (done?.bucket !== undefined) unwritten = undefined
    } catch {
      done ??= change(unwritten ?? bucketFrom({}, clock))
      unwritten = done.bucket ?? unwritten
    }
    if (done === undefined) throw new Error('the store changed nothing')
    return done.result
  }

  return {
    update: (change) => inTurn(() => update(change)),
    read: async () => unwritten ?? bucketFrom(await remembered.read().catch(() => ({})), clock),
  }
}

/**
 * For people's questions, in commands and in `serve`, several processes at once: one row in a small database beside the store,
 * changed in a transaction. If the file is not usable (no folder yet, another user's), the bucket is in memory.
 */
export function fileBudgetStore(folder: string, clock: Clock): BudgetStore {
  const path = join(folder, 'people-budget.sqlite')
  let memory: BudgetStore | undefined
  const store: BudgetStore = {
    async update(change) {
      for (let waitedMs = 0; memory === undefined; waitedMs += retryMs) {
        const done = inFile(path, clock, change)
        if (typeof done === 'object') return done.result
        if (done === 'unusable' || waitedMs >= lockWaitMs) memory = memoryBudgetStore()
        else await clock.sleep(retryMs)
      }
      return await memory.update(change)
    },
    read: () => store.update((bucket) => ({ result: bucket })),
  }
  return store
}

/** A disk may take seconds over what another process is writing; to go on without it would be to spend the same budget twice. */
const lockWaitMs = 30_000
/** If SQLite waited for the lock, the whole process would wait with it, and `serve` accepts deliveries in this one. */
const retryMs = 50

function inFile<T>(
  path: string,
  clock: Clock,
  change: ChangeBucket<T>,
): { result: T } | 'locked' | 'unusable' {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 0 })
    chmodSync(path, 0o600)
    // Nor does it wait for the disk: a power cut may forget the last requests.
    database.exec(
      'PRAGMA synchronous = OFF; BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS budget (id INTEGER PRIMARY KEY, bucket TEXT NOT NULL)',
    )
    const row = database.prepare('SELECT bucket FROM budget WHERE id = 1').get()
    const { bucket, result } = change(row === undefined ? undefined : bucketFrom(parse(row.bucket), clock))
    if (bucket !== undefined)
      database.prepare('REPLACE INTO budget (id, bucket) VALUES (1, ?)').run(JSON.stringify(bucket))
    database.exec('COMMIT')
    return { result }
  } catch (error) {
    return isLocked(error) ? 'locked' : 'unusable'
  } finally {
    database?.close()
  }
}

/** SQLITE_BUSY. */
function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return text
  }
}
