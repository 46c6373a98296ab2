import { randomUUID } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import { minuteMs } from '../../platform/durations.ts'
import type { ChangeFeed } from '../sql/change-feed.ts'
import type { StoreChange } from '../store.ts'
import type { PostgresDatabase } from './database.ts'

/** Of processes that share a database. */
export interface SharedFeed extends ChangeFeed {
  /** Calls back when a lane or a role was let go. */
  onFree(callback: () => void): () => void
}

/**
 * A notification makes it quick, where a connection hears any; looking makes it sure: a pooler passes none on, and a
 * connection that broke has missed some.
 */
const lookEveryMs = 3_000
/** After a look: where others accept much, one look finds what several commits changed. */
const restMs = 20
/**
 * Numbers are drawn in the order of commits, so none is missed by reading what is higher. A standby that took over may have
 * lost some, and has given them again: after a connection broke, so many are read once more. To hear of a change twice does no harm.
 */
const overlap = 1_000
const channel = 'bluepencil'

/** The notification names the process, which knows already what it did. */
const write = `
with new as (insert into bluepencil.news (changes) values ($1))
select pg_notify('${channel}', $2)`
const read = 'select n, changes from bluepencil.news where n > $1 order by n'
const newest = 'select coalesce(max(n), 0) as n from bluepencil.news'

interface ChangeMessage {
  /** Who changed it, in which of its transactions. */
  by: string
  changes: readonly StoreChange[]
}

export async function openFeed(database: PostgresDatabase, clock: Clock): Promise<SharedFeed> {
  const own = randomUUID()
  let transactions = 0
  /** Of this process: those that have not ended yet, with what was read of them, and those that are known to be committed. */
  const underWay = new Map<string, readonly StoreChange[]>()
  const committed = new Set<string>()
  const listeners = new Set<(change: StoreChange) => void>()
  const waiting = new Set<() => void>()
  const ending = new AbortController()
  const [first] = await database.ask<{ n: number }>(newest)
  let highest = first?.n ?? 0
  let mayHaveMissed = false
  let loops: Promise<unknown> | undefined
  let looking: Promise<void> | undefined
  let isWanted = false

  async function look(): Promise<void> {
    const since = mayHaveMissed ? highest - overlap : highest
    mayHaveMissed = false
    const rows = await database.ask<{ n: number; changes: string }>(read, [since]).catch((error: unknown) => {
      mayHaveMissed = true
      throw error
    })
    for (const { n, changes: text } of rows) {
      highest = n
      const { by, changes } = JSON.parse(text) as ChangeMessage
      if (underWay.has(by)) underWay.set(by, changes)
      else if (!committed.delete(by)) tell(changes)
    }
  }

  function tell(changes: readonly StoreChange[]): void {
    for (const change of changes) for (const listener of listeners) listener(change)
  }

  /** Whoever wants a look while one is under way wants another. */
  function lookNow(): void {
    isWanted = true
    looking ??= (async () => {
      while (isWanted && !ending.signal.aborted) {
        isWanted = false
        // The next look finds what this one did not.
        await look().catch(() => undefined)
        await clock.sleep(restMs, ending.signal)
      }
      looking = undefined
    })()
  }

  function heard(what?: string): void {
    if (what === 'free') for (const callback of waiting) callback()
    else if (what !== own) lookNow()
  }

  async function keepLooking(): Promise<void> {
    while (!ending.signal.aborted) {
      await clock.sleep(lookEveryMs, ending.signal)
      lookNow()
    }
  }

  async function keepListening(): Promise<void> {
    while (!ending.signal.aborted) {
      // What is missed meanwhile is found by looking.
      await database.listen(channel, heard, ending.signal).catch(() => undefined)
      mayHaveMissed = true
      await clock.sleep(lookEveryMs, ending.signal)
    }
  }

  function start(): void {
    loops ??= Promise.all([keepLooking(), keepListening()])
  }

  return {
    begin() {
      transactions += 1
      const by = `${own} ${transactions}`
      return {
        write(transaction, changes) {
          underWay.set(by, [])
          transaction.lock({ on: 'order' })
          transaction.write(write, [JSON.stringify({ by, changes } satisfies ChangeMessage), own])
        },
        ended(failure) {
          const read = underWay.get(by)
          underWay.delete(by)
          if (read === undefined) return
          if (failure !== undefined) tell(read)
          else if (read.length === 0 && loops !== undefined) committed.add(by)
        },
      }
    },
    hear(onChange) {
      start()
      listeners.add(onChange)
      return () => void listeners.delete(onChange)
    },
    onFree(callback) {
      start()
      waiting.add(callback)
      return () => void waiting.delete(callback)
    },
    async close() {
      ending.abort()
      await loops
      await looking
    },
  }
}

/** Nobody misses what is older: who was away for so long has lost what it held, and reads all anew. */
export const forgetNews = `delete from bluepencil.news where at < clock_timestamp() - interval '${10 * minuteMs} ms'`
