import { hostname } from 'node:os'
import type { Clock } from '../../platform/clock.ts'
import type { RunQuery } from '../sql/database.ts'
import { postgres } from '../sql/dialect.ts'
import { cannotUse, notBesideOlder } from '../sql/migrate.ts'
import type { Sessions } from '../sql/processes.ts'
import { type Lease, StoreUnavailable } from '../store.ts'
import { forgetNews, type SharedFeed } from './change-feed.ts'
import type { PostgresDatabase } from './database.ts'

const begin = 'insert into bluepencil.sessions (host, ahead) values ($1, $2) returning id'

export const clocks = 'select host, ahead as "aheadMs" from bluepencil.sessions order by id'

/** `migrations`: those that an older Bluepencil may not know. */
const beat = `
update bluepencil.sessions set seen = clock_timestamp(), ahead = $3 where id = $1
returning array(select name from bluepencil.migrations where name like '%' || $2) as migrations`

/** Locks the session's row: nobody can end the session before this transaction has ended. */
const alive = 'select id from bluepencil.sessions where id = $1 for key share'

/** Ends sessions. Their leases are free again, and their notifications are due. */
const endSessions = (condition: string) => `
with ended as (delete from bluepencil.sessions where ${condition} returning id),
freed as (
  update bluepencil.outcomes set lease = null, lease_session = null, ready = 0
  where lease_session in (select id from ended)
),
open as (
  update bluepencil.holds set session = null where session in (select id from ended) returning name
)
select pg_notify('bluepencil', 'free') from (select count(*) as count from open) opened where count > 0`

/** `$1`: after how many milliseconds of silence. */
const endSilent = endSessions(`seen < clock_timestamp() - $1 * interval '1 ms'`)

export const endOwn = endSessions('id = $1')

/**
 * `before`: who had it last. What this session has already was granted in an answer that got lost: within a process nobody
 * asks for what another part of it has.
 */
const grant = `
with me as (select id from bluepencil.sessions where id = $2 for key share)
insert into bluepencil.holds (name, session, last) select $1, id, id from me
on conflict (name) do update
set session = excluded.session, last = excluded.last, before = holds.last, turn = holds.turn + 1
where holds.session is null or holds.session = excluded.session
returning before, turn`

const letGo = `
with open as (
  update bluepencil.holds set session = null
  from unnest($1::text[], $2::bigint[]) gone (name, turn)
  where holds.name = gone.name and holds.turn = gone.turn returning holds.name
)
select pg_notify('bluepencil', 'free') from (select count(*) as count from open) opened where count > 0`

/** A smaller difference may come from the way: there and back need not take the same time. */
const smallestMs = 50

/**
 * How many milliseconds the database's clock is ahead of this process's. All processes decide by the database's clock what is due.
 */
export function createClockOffset(ask: RunQuery, now: () => number) {
  let aheadMs = 0
  return {
    aheadMs: (): number => aheadMs,
    async measure(): Promise<void> {
      const before = now()
      const [row] = await ask<{ now: number }>(`select ${postgres.now} as now`)
      const after = now()
      const measured = Math.round((row?.now ?? before) - (before + after) / 2)
      // Either way may have taken all of the time.
      const isSure = (ms: number) => Math.abs(ms) > Math.max(smallestMs, (after - before) / 2)
      if (isSure(measured - aheadMs)) aheadMs = isSure(measured) ? measured : 0
    },
  }
}

interface PostgresSessionParts {
  database: PostgresDatabase
  feed: SharedFeed
  clock: Clock
  /** A process that is silent for so long has ended, milliseconds. */
  termMs?: number | undefined
  /** Measured anew with each sign of life. */
  offset: ReturnType<typeof createClockOffset>
  onTooOld(sentence: string): void
}

/**
 * After a kill -9 the session ends within this time and a quarter more. Every process sends its own sign that often, and ends
 * sessions that sent none. An open connection proves nothing: poolers share them, and a frozen process keeps its own.
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
    if (row === undefined) throw new StoreUnavailable('no session could be started')
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

  /** If a sign doesn't reach the database, the next one may. An outage is reported when something cannot be stored. */
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

  /** If no sign reaches the database, this process gives up its session before the others end it. */
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
    for (const acquireLease of gone) leaving.delete(acquireLease)
  }

  async function check(ask: RunQuery, id: number): Promise<void> {
    const rows = await ask(alive, [id])
    if (rows.length > 0) return
    if (session?.id === id) lose()
    throw new StoreUnavailable(
      'this process did not respond for so long that others have taken over its work',
    )
  }

  /** Undefined if another has it. */
  async function tryToAcquire(name: string): Promise<Lease | undefined> {
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

  async function acquireLease(name: string, waiting: AbortSignal): Promise<Lease | undefined> {
    const over = AbortSignal.any([waiting, ending.signal])
    while (!over.aborted) {
      const woken = new AbortController()
      const end = feed.onFree(() => woken.abort())
      // Where the database is away, nobody has it: it is asked for again.
      const got = await tryToAcquire(name).catch(() => undefined)
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
    acquireLease,
    async close() {
      ending.abort()
      await loops
      const { id } = session ?? {}
      lose()
      if (id !== undefined) await database.ask(endOwn, [id]).catch(() => undefined)
    },
  }
}
