import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../clock.ts'
import type { Bucket } from './bucket.ts'
import { type BudgetStore, bucketFrom, memoryBudgetStore } from './budget.ts'

export interface Remember {
  read(): Promise<unknown>
  write(value: unknown): Promise<void>
}

/**
 * For one process that holds the store: the bucket is in memory, and on disk before more than `slack` tokens went
 * since. What is read after a restart has lost the slack, so that a crash never wins a request. Where it cannot be
 * written, the process goes on: a full disk is no reason to be blind.
 */
export function rememberedBudgetStore(remember: Remember, clock: Clock): BudgetStore {
  let kept: Bucket | undefined
  let unwritten = 0
  let reading: Promise<void> | undefined
  /** Nobody leaves while what others took is still on its way to the disk. */
  let writing: Promise<void> = Promise.resolve()

  async function read(): Promise<void> {
    kept = bucketFrom(await remember.read().catch(() => ({})), clock)
  }

  return {
    async update(change, slack) {
      reading ??= read()
      await reading
      const before = kept
      const { bucket, result } = change(kept)
      kept = bucket
      unwritten += 1
      const blocked = bucket.blockedMs > (before?.blockedMs ?? 0)
      if (unwritten > slack || blocked) {
        unwritten = 0
        writing = remember.write({ ...bucket, slack }).catch(() => {
          unwritten = slack
        })
      }
      await writing
      return result
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
    async update(change, slack) {
      if (memory === undefined) {
        const done = inFile(path, clock, change)
        if (done !== undefined) return done.result
        memory = memoryBudgetStore()
      }
      return await memory.update(change, slack)
    },
  }
}

function inFile<T>(
  path: string,
  clock: Clock,
  change: (bucket: Bucket | undefined) => { bucket: Bucket; result: T },
): { result: T } | undefined {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 2_000 })
    chmodSync(path, 0o600)
    database.exec(
      'BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS budget (id INTEGER PRIMARY KEY, bucket TEXT NOT NULL)',
    )
    const row = database.prepare('SELECT bucket FROM budget WHERE id = 1').get()
    const { bucket, result } = change(row === undefined ? undefined : bucketFrom(parse(row.bucket), clock))
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
