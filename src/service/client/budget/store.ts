import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../platform/clock.ts'
import type { Bucket } from './bucket.ts'
import { type BudgetStore, bucketFrom, type ChangeBucket, memoryBudgetStore } from './budget.ts'

interface StoredBudget {
  read(): Promise<unknown>
  /** Changes what is stored by what is there, in one step. */
  change(change: (before: unknown) => unknown): Promise<void>
}

/**
 * For the service: in its store, which several processes may share, so each request is written down before it leaves.
 * That costs one small write; the largest tier has three requests a second. Where it cannot be written, the process goes
 * on with what it knows: a full disk is no reason to be blind.
 */
export function rememberedBudgetStore(remembered: StoredBudget, clock: Clock): BudgetStore {
  /** What could not be written. */
  let unwritten: Bucket | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function inTurn<T>(change: ChangeBucket<T>): Promise<T> {
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
    update(change) {
      const done = turn.then(() => inTurn(change))
      turn = done.catch(() => undefined)
      return done
    },
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
