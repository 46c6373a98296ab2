import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../clock.ts'
import type { Bucket } from './bucket.ts'
import { type BudgetStore, bucketFrom, type ChangeBucket, memoryBudgetStore } from './budget.ts'

interface Remembered {
  /** Changes what is stored by what is there, in one step. */
  change(change: (before: unknown) => unknown): Promise<void>
}

/**
 * For the service: in its store, which several processes may share, so each request is written down before it leaves.
 * That costs one small write; the largest tier has three requests a second. Where it cannot be written, the process goes
 * on with what it knows: a full disk is no reason to be blind.
 */
export function rememberedBudgetStore(remembered: Remembered, clock: Clock): BudgetStore {
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
  }
}

/**
 * For people's commands, each a process of its own and several at once: one row in a small database, changed in a
 * transaction. Where the file cannot be had (no folder yet, another user's), the bucket is in memory.
 */
export function fileBudgetStore(path: string, clock: Clock): BudgetStore {
  let memory: BudgetStore | undefined
  return {
    async update(change) {
      if (memory === undefined) {
        const done = inFile(path, clock, change)
        if (done !== undefined) return done.result
        memory = memoryBudgetStore()
      }
      return await memory.update(change)
    },
  }
}

/** A disk may take seconds over what another process is writing; to go on without it would be to spend the same budget twice. */
const lockWaitMs = 30_000

function inFile<T>(path: string, clock: Clock, change: ChangeBucket<T>): { result: T } | undefined {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: lockWaitMs })
    chmodSync(path, 0o600)
    database.exec(
      'BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS budget (id INTEGER PRIMARY KEY, bucket TEXT NOT NULL)',
    )
    const row = database.prepare('SELECT bucket FROM budget WHERE id = 1').get()
    const { bucket, result } = change(row === undefined ? undefined : bucketFrom(parse(row.bucket), clock))
    if (bucket !== undefined)
      database.prepare('REPLACE INTO budget (id, bucket) VALUES (1, ?)').run(JSON.stringify(bucket))
    database.exec('COMMIT')
    return { result }
  } catch {
    return undefined
  } finally {
    database?.close()
  }
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return text
  }
}
