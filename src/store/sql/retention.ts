import { dayMs } from '../../platform/durations.ts'
import type { Store } from '../store.ts'
import { judgeTime, type TimeWitnesses } from '../trusted-time.ts'
import { forgetLinks } from './chain.ts'
import type { Database, RunQuery, Transaction } from './database.ts'
import type { SqlDialect } from './dialect.ts'
import { together } from './together.ts'

interface ClockRow {
  now: number
  believed: number | null
  last: number | null
  steady: number | null
}

function statementsOfRetention(d: SqlDialect) {
  /**
   * When an entry came, too late rather than too early (trusted-time.ts). If our clock had leapt, that is not known: it is
   * as old as the next whose time is.
   */
  const time = `case when detected <= cast($1 as bigint) + ${dayMs} then ${d.greatest('at', 'detected')} else at end`
  const isKnown = `at > 0 and at <= cast($1 as bigint) + ${dayMs}`
  return {
    forgetLinks: forgetLinks(d),
    readClock: `select coalesce(cast($1 as bigint), ${d.now}) as now, believed, last, steady from bluepencil.clock ${d.forUpdate('clock')}`,
    writeClock: 'update bluepencil.clock set believed = $1, last = $2, steady = $3',
    /** `received` is our clock as it was; `at` is never before the believed time. */
    lastAlert:
      'select received as at, detected from bluepencil.entries where detected > 0 order by seq desc limit 1',
    /** The last entry before the first that is kept: the primary key, from its start to there. */
    lastOld: `
select max(seq) as seq, max(${time}) as time from bluepencil.entries
where ${isKnown} and seq < coalesce(
  (select seq from bluepencil.entries where ${isKnown} and ${time} >= cast($2 as bigint) order by seq limit 1),
  ${Number.MAX_SAFE_INTEGER})`,
    /** What is neither pending nor held. So many at once, so that nobody waits for long. */
    old: `
select seq, id from bluepencil.entries e
where seq <= $1 and not exists (
  select 1 from bluepencil.outcomes o where o.seq = e.seq and o.state in ('waiting', 'held')
) order by seq limit 2000`,
    drop: [
      ...['entries', 'outcomes', 'relations'].map(
        (table) => `delete from bluepencil.${table} where ${d.any('seq', 1)}`,
      ),
      `delete from bluepencil.search where ${d.any(d.search.seq, 1)}`,
    ],
    passed: `update bluepencil.clock set horizon = ${d.greatest('coalesce(horizon, 0)', 'cast($1 as bigint)')},
  dropped = ${d.greatest('dropped', 'cast($2 as bigint)')}`,
  }
}

export function createRetention(
  database: Database,
  {
    testTime,
    onDoubt,
    onDropped,
  }: {
    /** A test's own time; null if the database's counts. */
    testTime: () => number | null
    onDoubt(sentence: string | null): void
    onDropped(ids: readonly string[]): void
  },
): Pick<Store, 'retain' | 'horizon'> {
  const statements = statementsOfRetention(database.dialect)

  /** Returns the time if it is believed. */
  async function judge({ ask, write }: Transaction, witnesses: TimeWitnesses): Promise<number | undefined> {
    const [row] = await ask<ClockRow>(statements.readClock, [testTime()])
    const [alert] = await ask<{ at: number; detected: number }>(statements.lastAlert)
    if (row === undefined) throw new Error('the row of the clock is missing')
    const { now, believed, last, steady } = row
    const event = alert && { at: alert.at, detectedAt: alert.detected }
    const before = {
      believed: believed ?? now,
      last: last ?? now,
      ...(steady !== null && { steadyMs: steady }),
    }
    const { seen, doubt } = judgeTime(before, now, { ...witnesses, event })
    // A process may have ended before it came to that.
    write(statements.forgetLinks)
    write(statements.writeClock, [seen.believed, seen.last, seen.steadyMs ?? null])
    if (doubt !== undefined) onDoubt(doubt)
    return seen.steadyMs === undefined ? now : undefined
  }

  async function dropSome(upTo: number, horizon: number): Promise<number> {
    const rows = await database.transaction(async ({ ask, write, lock }) => {
      lock({ on: 'retention' })
      const old = await ask<{ seq: number; id: string }>(statements.old, [upTo])
      if (old.length === 0) write(statements.forgetLinks)
      if (old.length === 0) return old
      for (const drop of statements.drop) write(drop, [old.map(({ seq }) => seq)])
      write(statements.passed, [horizon, old.at(-1)?.seq ?? 0])
      return old
    })
    onDropped(rows.map(({ id }) => id))
    return rows.length
  }

  /** Each delivery asks. A process that is alone knows when it changes. */
  const readTogether = together(async () => new Map([['horizon' as const, await readHorizon(database.ask)]]))
  let lastRead: Promise<number | undefined> | undefined

  function horizon(): Promise<number | undefined> {
    const reading = lastRead ?? readTogether('horizon')
    if (database.isAlone) lastRead = reading
    reading.catch(() => {
      lastRead = undefined
    })
    return reading
  }

  return {
    async retain(before, witnesses = {}) {
      const now = await database.transaction((transaction) => judge(transaction, witnesses))
      if (now === undefined) return 0
      const [old] = await database.ask<{ seq: number | null; time: number | null }>(statements.lastOld, [
        now,
        before,
      ])
      if (old === undefined || old.seq === null || old.time === null) return 0
      let gone = 0
      for (;;) {
        const some = await dropSome(old.seq, old.time).finally(() => {
          lastRead = undefined
        })
        gone += some
        if (some === 0) break
      }
      return gone
    },
    horizon,
  }
}

export async function readHorizon(ask: RunQuery): Promise<number | undefined> {
  const [row] = await ask<{ horizon: number | null }>('select horizon from bluepencil.clock')
  return row?.horizon ?? undefined
}
