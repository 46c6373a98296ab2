import { randomUUID } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import { minuteMs } from '../../platform/durations.ts'
import type { ChangeFeed } from '../sql/processes.ts'
import type { StoreChange } from '../store.ts'
import type { PostgresDatabase } from './database.ts'

/** Of processes that share a database. */
export interface SharedFeed extends ChangeFeed {
  /** Calls back when a lane or a role was let go. */
  onFree(callback: () => void): () => void
}

/**
 * A notification makes it quick, if a connection gets any; reading makes it sure: a pooler passes none on, and a
 * connection that broke has missed some.
 */
const readEveryMs = 3_000
/** After a read: while others accept much, one read finds what several commits changed. */
const restMs = 20
/**
 * Numbers are drawn in the order of commits, so none is missed by reading what is higher. A standby that took over may have lost some,
 * and has given them again. So many are read once more after a connection broke or a commit got no answer: a repeated change does no harm.
 */
const overlap = 1_000
const channel = 'bluepencil'

/** The notification names the process, which has its own changes already. */
const write = `
with new as (insert into bluepencil.news (changes) values ($1))
select pg_notify('${channel}', $2)`
const readAfter = 'select n, changes from bluepencil.news where n > $1 order by n'
const newest = 'select coalesce(max(n), 0) as n from bluepencil.news'

interface ChangeMessage {
  /** Which process changed it. */
  by: string
  changes: readonly StoreChange[]
}

export async function openFeed(database: PostgresDatabase, clock: Clock): Promise<SharedFeed> {
  /** This process's name. It takes another when a commit got no answer, so that it reads its own changes as those of others. */
  let name: string = randomUUID()
  const listeners = new Set<(change: StoreChange) => void>()
  const waiting = new Set<() => void>()
  const ending = new AbortController()
  const [first] = await database.ask<{ n: number }>(newest)
  let highest = first?.n ?? 0
  let mayHaveMissed = false
  let loops: Promise<unknown> | undefined
  let reading: Promise<void> | undefined
  let isRequested = false

  async function read(): Promise<void> {
    const since = mayHaveMissed ? highest - overlap : highest
    mayHaveMissed = false
    const rows = await database
      .ask<{ n: number; changes: string }>(readAfter, [since])
      .catch((error: unknown) => {
        mayHaveMissed = true
        throw error
      })
    for (const { n, changes: text } of rows) {
      highest = n
      const { by, changes } = JSON.parse(text) as ChangeMessage
      if (by === name) continue
      for (const change of changes) for (const listener of listeners) listener(change)
    }
  }

  /** A request that comes while a read is under way asks for another. */
  function readSoon(): void {
    isRequested = true
    reading ??= (async () => {
      while (isRequested && !ending.signal.aborted) {
        isRequested = false
        // The next read finds what this one did not.
        await read().catch(() => undefined)
        await clock.sleep(restMs, ending.signal)
      }
      reading = undefined
    })()
  }

  function onNotification(payload?: string): void {
    if (payload === 'free') for (const callback of waiting) callback()
    else if (payload !== name) readSoon()
  }

  async function keepReading(): Promise<void> {
    while (!ending.signal.aborted) {
      await clock.sleep(readEveryMs, ending.signal)
      readSoon()
    }
  }

  async function keepListening(): Promise<void> {
    while (!ending.signal.aborted) {
      // What is missed meanwhile is found by reading.
      await database.listen(channel, onNotification, ending.signal).catch(() => undefined)
      mayHaveMissed = true
      await clock.sleep(readEveryMs, ending.signal)
    }
  }

  function subscribe<Callback>(callbacks: Set<Callback>, callback: Callback): () => void {
    loops ??= Promise.all([keepReading(), keepListening()])
    callbacks.add(callback)
    return () => void callbacks.delete(callback)
  }

  return {
    write(transaction, changes) {
      transaction.lock({ on: 'order' })
      const message: ChangeMessage = { by: name, changes }
      transaction.write(write, [JSON.stringify(message), name])
    },
    ended(_, how) {
      if (how === 'committed') return
      name = randomUUID()
      mayHaveMissed = true
      if (loops !== undefined) readSoon()
    },
    listen: (onChange) => subscribe(listeners, onChange),
    onFree: (callback) => subscribe(waiting, callback),
    async close() {
      ending.abort()
      await loops
      await reading
    },
  }
}

/** Nobody misses what is older: a process that was away for so long has lost what it held, and reads everything again. */
export const forgetNews = `delete from bluepencil.news where at < clock_timestamp() - interval '${10 * minuteMs} ms'`
