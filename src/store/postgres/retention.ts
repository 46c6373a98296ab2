import { dayMs } from '../../durations.ts'
import type { Store } from '../store.ts'
import { judgeTime, type Witnesses } from '../trusted-time.ts'
import { forgetLinks } from './chain.ts'
import type { Ask, Database, Transaction } from './database.ts'
import { lockKinds } from './keys.ts'
import { together } from './together.ts'
import { storeTime } from './write.ts'

interface ClockRow {
  now: number
  believed: number | null
  last: number | null
  steady: number | null
}

const readClock = `select ${storeTime} as now, believed, last, steady from bluepencil.clock for update`
const writeClock = 'update bluepencil.clock set believed = $1, last = $2, steady = $3'
const lastAlert = 'select at, detected from bluepencil.entries where detected > 0 order by seq desc limit 1'

/**
 * When an entry came, too late rather than too early (trusted-time.ts). Where our clock had leapt, that is not known: it is
 * as old as the next of which it is.
 */
const time = (now: string) =>
  `case when detected <= ${now} + ${dayMs} then greatest(at, detected) else at end`
const isKnown = (now: string) => `at > 0 and at <= ${now} + ${dayMs}`

/** The last entry before the first that is kept: the primary key, from its start to there. */
const lastOld = `
select max(seq) as seq, max(${time('$1::bigint')}) as time from bluepencil.entries
where ${isKnown('$1::bigint')} and seq < coalesce(
  (select seq from bluepencil.entries where ${isKnown('$1::bigint')} and ${time('$1::bigint')} >= $2::bigint order by seq limit 1),
  ${Number.MAX_SAFE_INTEGER})`

/** What owes nothing and holds nothing, with its outcomes. So many at once, so that nobody waits for long. */
const drop = `
with old as (
  select seq from bluepencil.entries e
  where seq <= $1::bigint and not exists (
    select from bluepencil.outcomes o where o.seq = e.seq and o.state in ('waiting', 'held')
  ) order by seq limit 2000
),
gone as (delete from bluepencil.entries using old where entries.seq = old.seq returning entries.seq),
told as (delete from bluepencil.outcomes using gone where outcomes.seq = gone.seq),
past as (
  update bluepencil.clock set horizon = greatest(horizon, $2::bigint) where exists (select from gone)
)
select count(*)::int as count from gone`

export function createRetention(
  database: Database,
  { testTime, onDoubt }: { testTime: () => number | null; onDoubt(sentence: string | null): void },
): Pick<Store, 'retain' | 'horizon'> {
  /** Answers the time where it is believed. */
  async function judge({ ask, write }: Transaction, witnesses: Witnesses): Promise<number | undefined> {
    const [row] = await ask<ClockRow>(readClock, [testTime()])
    const [alert] = await ask<{ at: number; detected: number }>(lastAlert)
    if (row === undefined) throw new Error('the row of the clock is missing')
    const { now, believed, last, steady } = row
    const event = alert && { at: alert.at, detectedAt: alert.detected }
    const before = {
      believed: believed ?? now,
      last: last ?? now,
      ...(steady !== null && { steadyMs: steady }),
    }
    const { seen, doubt } = judgeTime(before, now, { ...witnesses, event })
    write(writeClock, [seen.believed, seen.last, seen.steadyMs ?? null])
    if (doubt !== undefined) onDoubt(doubt)
    return seen.steadyMs === undefined ? now : undefined
  }

  async function dropSome(upTo: number, horizon: number): Promise<number> {
    return await database.transaction(async ({ ask }) => {
      await ask('select pg_advisory_xact_lock($1, 0)', [lockKinds.retention])
      const [row] = await ask<{ count: number }>(drop, [upTo, horizon])
      return row?.count ?? 0
    })
  }

  /** Each delivery asks. */
  const horizon = together(async () => new Map([['horizon' as const, await readHorizon(database.ask)]]))

  return {
    async retain(before, witnesses = {}) {
      const now = await database.transaction((transaction) => judge(transaction, witnesses))
      if (now === undefined) return 0
      const [old] = await database.ask<{ seq: number | null; time: number | null }>(lastOld, [now, before])
      if (old === undefined || old.seq === null || old.time === null) return 0
      let gone = 0
      for (;;) {
        const some = await dropSome(old.seq, old.time)
        gone += some
        if (some === 0) break
      }
      if (gone > 0) await database.ask(forgetLinks)
      return gone
    },
    horizon: () => horizon('horizon'),
  }
}

export async function readHorizon(ask: Ask): Promise<number | undefined> {
  const [row] = await ask<{ horizon: number | null }>('select horizon from bluepencil.clock')
  return row?.horizon ?? undefined
}
