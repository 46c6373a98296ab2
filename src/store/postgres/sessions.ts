import { hostname } from 'node:os'
import type { Clock } from '../../platform/clock.ts'
import type { RunQuery } from '../sql/database.ts'
import { cannotUse, notBesideOlder } from '../sql/migrate.ts'
import type { Sessions } from '../sql/sessions.ts'
import { type Hold, StoreUnavailable } from '../store.ts'
import { forgetNews, type SharedFeed } from './change-feed.ts'
import type { ClockOffset } from './clock-offset.ts'
import type { PostgresDatabase } from './database.ts'
import { alive, beat, begin, endOwn, endSilent, grant, letGo } from './session-statements.ts'

interface PostgresSessionParts {
  database: PostgresDatabase
  feed: SharedFeed
  clock: Clock
  /** A process that is silent for so long has ended, milliseconds. */
  termMs?: number | undefined
  /** Measured anew with each sign of life. */
  offset: ClockOffset
  onTooOld(sentence: string): void
}

/**
 * After a kill -9 its session ends within this and a quarter, since each of the others gives its own sign as often and ends
 * whoever has not. No connection stands for it: behind a pooler there is none of its own, and a frozen process keeps its.
 */
const usualTermMs = 16_000

export function createSessions({
  database,
  feed,
  clock,
  termMs = usualTermMs,
  offset,
  onTooOld,
}: PostgresSessionParts): Sessions {
  const everyMs = termMs / 4
  const ending = new AbortController()
  /** By name; undefined while it is asked for. */
  const held = new Map<string, AbortController | undefined>()
  /** Let go of here, and not yet there. */
  const leaving = new Set<{ name: string; turn: number }>()
  let session: { id: number; seenAt: number } | undefined
  let beginning: Promise<number> | undefined
  let hasBegun = false
  let loops: Promise<unknown> | undefined

  async function beginSession(): Promise<number> {
    await database.ask(endSilent, [termMs])
    const seenAt = performance.now()
    const [row] = await database.ask<{ id: number }>(begin, [hostname(), -offset.aheadMs()])
    if (row === undefined) throw new StoreUnavailable('no session could be begun')
    session = { id: row.id, seenAt }
    hasBegun = true
    loops ??= Promise.all([keepBeating(), keepWatch()])
    return row.id
  }

  async function begun(): Promise<number> {
    if (ending.signal.aborted) throw new StoreUnavailable('the store is closed')
    if (session !== undefined) return session.id
    beginning ??= beginSession().finally(() => {
      beginning = undefined
    })
    return beginning
  }

  /** By now others may have all of it. */
  function lose(): void {
    session = undefined
    leaving.clear()
    for (const [name, lost] of held) {
      if (lost === undefined) continue
      held.delete(name)
      lost.abort()
    }
  }

  /** A sign that does not reach the database is reported by whoever wants to store something; the next may reach it. */
  async function keepBeating(): Promise<void> {
    while (!ending.signal.aborted) {
      await clock.sleep(everyMs, ending.signal)
      if (!ending.signal.aborted) await giveSign().catch(() => undefined)
    }
  }

  async function giveSign(): Promise<void> {
    await offset.measure()
    if (session !== undefined) {
      const { id } = session
      const seenAt = performance.now()
      const rows = await database.ask<{ migrations: string[] }>(beat, [id, notBesideOlder, -offset.aheadMs()])
      if (session?.id === id && rows.length === 0) lose()
      const why = cannotUse(rows[0]?.migrations ?? [])
      if (why !== undefined) onTooOld(why)
      if (session?.id === id) session.seenAt = seenAt
    }
    await leave()
    await database.ask(endSilent, [termMs])
    await database.ask(forgetNews)
  }

  /** Where no sign reaches the database, it is over here before it is over there. */
  async function keepWatch(): Promise<void> {
    while (!ending.signal.aborted) {
      const left = session === undefined ? everyMs : session.seenAt + termMs - everyMs - performance.now()
      if (left <= 0) lose()
      else await clock.sleep(left, ending.signal)
    }
  }

  async function leave(): Promise<void> {
    const gone = [...leaving]
    if (gone.length === 0) return
    await database.ask(letGo, [gone.map(({ name }) => name), gone.map(({ turn }) => turn)])
    for (const one of gone) leaving.delete(one)
  }

  async function check(ask: RunQuery, id: number): Promise<void> {
    const rows = await ask(alive, [id])
    if (rows.length > 0) return
    if (session?.id === id) lose()
    throw new StoreUnavailable('this process was silent for so long that others have taken over what it had')
  }

  /** Undefined where another has it. */
  async function tryToHold(name: string): Promise<Hold | undefined> {
    if (held.has(name)) return undefined
    held.set(name, undefined)
    const lost = new AbortController()
    try {
      const id = await begun()
      const [granted] = await database.ask<{ before: number | null; turn: number }>(grant, [name, id])
      if (granted === undefined || session?.id !== id) return undefined
      held.set(name, lost)
      const { before, turn } = granted
      return {
        signal: lost.signal,
        takenOver: before !== null && before !== id,
        release() {
          if (held.get(name) !== lost) return
          held.delete(name)
          leaving.add({ name, turn })
          leave().catch(() => undefined)
        },
      }
    } finally {
      if (held.get(name) === undefined) held.delete(name)
    }
  }

  async function hold(name: string, waiting: AbortSignal): Promise<Hold | undefined> {
    const over = AbortSignal.any([waiting, ending.signal])
    while (!over.aborted) {
      const woken = new AbortController()
      const end = feed.onFree(() => woken.abort())
      // Where the database is away, nobody has it: it is asked for again.
      const got = await tryToHold(name).catch(() => undefined)
      if (got === undefined) await clock.sleep(everyMs, AbortSignal.any([over, woken.signal]))
      end()
      if (got !== undefined && !over.aborted) return got
      got?.release()
    }
    return undefined
  }

  return {
    begun,
    check,
    async checkAny(ask) {
      if (hasBegun) await check(ask, session?.id ?? 0)
    },
    hold,
    async close() {
      ending.abort()
      await loops
      const { id } = session ?? {}
      lose()
      if (id !== undefined) await database.ask(endOwn, [id]).catch(() => undefined)
    },
  }
}
