import { randomUUID } from 'node:crypto'
import type { Outcome } from '../../event/outcome.ts'
import { createNearIndex } from '../near-index.ts'
import {
  type Backlog,
  type DueNotification,
  type HeldNotification,
  heldUntil,
  type Pending,
  type Store,
} from '../store.ts'
import { entryFrom, outcomeFrom } from '../stored-format.ts'
import type { Database, Transaction } from './database.ts'
import type { SqlDialect } from './dialect.ts'
import { keyOf } from './keys.ts'
import type { Sessions } from './processes.ts'
import { readConnected, sinceLately, statementsOfRelated } from './related.ts'
import { damaged, isWhole, newSum } from './tables.ts'
import { longestWaitMs } from './write.ts'

interface LeaseRow {
  seq: number
  channel: string
  entry: string
  outcome: string
}

function statementsOfLeases(d: SqlDialect) {
  const row = `o.seq, o.channel, o.outcome, e.entry, ${damaged(d, { o: 'outcome', e: 'entry' })}`
  const joined = `${row} from bluepencil.outcomes o join bluepencil.entries e on e.seq = o.seq`
  const leased = {
    outcome: 'new.outcome',
    lease: 'new.lease',
    lease_session: 'new.session',
    ready: 'new.ready',
  }
  const freed = { outcome: 'new.outcome', lease: 'null', lease_session: 'null', ready: '0' }
  return {
    /**
     * Reads outcomes_waiting from its lowest `seq` until the limit is reached: an index scan that passes over what waits for later. It
     * waits for rows that another process is changing. Skipping them would break the order.
     */
    due: `select ${joined} where o.channel = $1 and o.state = 'waiting' and o.ready <= $2
order by o.seq limit $3 ${d.forUpdate('o')}`,
    lease: `
update bluepencil.outcomes
set outcome = new.outcome, lease = new.lease, lease_session = new.session, ready = new.ready,
  sum = ${newSum(d, 'outcome', leased, 'outcomes.')}
from ${d.rows({ seq: 'bigint', channel: 'text', outcome: 'text', lease: 'text', session: 'bigint', ready: 'bigint' })}
where outcomes.seq = new.seq and outcomes.channel = new.channel`,
    /** Nobody has begun a try under it. Waits for a commit that may still be under way. */
    giveBack: `
update bluepencil.outcomes
set outcome = new.outcome, lease = null, lease_session = null, ready = 0, sum = ${newSum(d, 'outcome', freed, 'outcomes.')}
from ${d.rows({ seq: 'bigint', channel: 'text', outcome: 'text', lease: 'text' })}
where outcomes.seq = new.seq and outcomes.channel = new.channel and outcomes.lease = new.lease and ${isWhole(d, 'outcome', 'outcomes')}`,
    /** One row of outcomes_ready. */
    nextDue: `select ready from bluepencil.outcomes where channel = $1 and state = 'waiting' order by ready limit 1`,
    pending: `select ${joined} where o.channel = $1 and o.state = 'waiting' order by o.seq`,
    held: `select ${joined} where o.state = 'held'`,
    /** An index alone: outcomes_waiting has the channel and the `seq`. */
    backlog: `
select pending.channel, pending.waiting, e.entry, ${damaged(d, { e: 'entry' })}
from (
  select channel, count(*) as waiting, min(seq) as first
  from bluepencil.outcomes where state = 'waiting' group by channel
) pending join bluepencil.entries e on e.seq = pending.first`,
  }
}

/**
 * At the start of the only process of a database: what the last one had leased falls due. So does what would wait for longer than
 * anything does: the clock was ahead then, or is behind now.
 */
export async function freeLeases({ dialect: d, transaction }: Database, now: number): Promise<void> {
  const free = (ready: string) => `
update bluepencil.outcomes set lease = null, lease_session = null, ready = ${ready},
  sum = ${newSum(d, 'outcome', { lease: 'null', lease_session: 'null', ready })}
where ${isWhole(d, 'outcome', 'outcomes')}`
  await transaction(async ({ write }) => {
    write(`${free('0')} and lease_session is not null`)
    write(`${free('cast($1 as bigint)')} and state = 'waiting' and due > $2`, [now, now + longestWaitMs])
  })
}

/** What is pending, and leased. */
export function createLeases({
  database,
  sessions,
  now,
  aheadMs,
}: {
  database: Database
  sessions: Sessions
  /** Milliseconds since the epoch. */
  now(): number
  /** How far the store's clock is ahead of that. */
  aheadMs(): number
}): Pick<Store, 'leaseDue' | 'nextDue' | 'pending' | 'held' | 'backlog'> {
  const statements = statementsOfLeases(database.dialect)
  const related = statementsOfRelated(database.dialect)
  /** What may be leased to this process without its knowing: the answer to the commit was lost. */
  const unheard = new Map<string, LeaseRow>()

  async function giveBackUnheard(): Promise<void> {
    if (unheard.size === 0) return
    const some = [...unheard]
    await database.transaction(async ({ writeRows }) =>
      writeRows(
        statements.giveBack,
        some.map(([id, { seq, channel, outcome }]) => [seq, channel, outcome, id]),
      ),
    )
    for (const [id] of some) unheard.delete(id)
  }

  /** `leased` is filled before the write, so that a lost commit can be undone. */
  async function leaseDue(
    { ask, writeRows }: Transaction,
    channel: string,
    when: { now: number; limit: number; leaseMs: number; session: number },
    leased: Map<string, LeaseRow>,
  ): Promise<DueNotification[]> {
    const rows = await ask<LeaseRow>(statements.due, [channel, when.now + aheadMs(), when.limit])
    if (rows.length === 0) return []
    const begun = new Date(when.now).toISOString()
    const due = rows.flatMap((row) => {
      const outcome = outcomeFrom(row.outcome)
      if (outcome.state !== 'waiting') return []
      const { begun: interrupted } = outcome
      const uncertain = interrupted !== undefined || outcome.uncertain === true
      const next: Outcome = { ...outcome, begun, ...(interrupted !== undefined && { uncertain }) }
      const leasing = { ...pendingOf(row), uncertain, lease: randomUUID() }
      leased.set(leasing.lease, row)
      return [{ one: { ...leasing, ...(interrupted !== undefined && { interrupted }) }, next }]
    })
    const ids = due.map(({ one }) => keyOf(one.eventId))
    const index = createNearIndex()
    for (const row of await readConnected(ask, related, ids, sinceLately(now()))) index.add(row)
    const until = when.now + aheadMs() + when.leaseMs
    writeRows(
      statements.lease,
      due.map(({ one, next }) => [one.seq, channel, JSON.stringify(next), one.lease, when.session, until]),
    )
    return due.map(({ one }) => ({ ...one, later: index.laterOf(one.eventId) }))
  }

  return {
    async leaseDue(channel, when) {
      if (when.limit === 0) return []
      await giveBackUnheard()
      const session = await sessions.begun()
      const leased = new Map<string, LeaseRow>()
      try {
        return await database.transaction(async (transaction) => {
          await sessions.check(transaction.ask, session)
          return await leaseDue(transaction, channel, { ...when, session }, leased)
        })
      } catch (error) {
        for (const [id, row] of leased) unheard.set(id, row)
        throw error
      }
    },
    async nextDue(channel) {
      await giveBackUnheard()
      const [row] = await database.ask<{ ready: number }>(statements.nextDue, [channel])
      return row === undefined ? undefined : row.ready - aheadMs()
    },
    async pending(channel) {
      return (await database.ask<LeaseRow>(statements.pending, [channel])).map(pendingOf)
    },
    async held() {
      const rows = await database.ask<LeaseRow>(statements.held)
      return rows.flatMap(({ channel, ...row }): HeldNotification[] => {
        const outcome = outcomeFrom(row.outcome)
        if (outcome.state !== 'held') return []
        return [
          {
            eventId: entryFrom(row.entry).id,
            channel,
            until: heldUntil(outcome) - aheadMs(),
            by: outcome.by,
          },
        ]
      })
    },
    async backlog() {
      const rows = await database.ask<{ channel: string; waiting: number; entry: string }>(statements.backlog)
      return rows.map(
        ({ channel, waiting, entry }): Backlog => ({ channel, waiting, oldest: entryFrom(entry).receivedAt }),
      )
    },
  }
}

function pendingOf({ seq, channel, entry: text, outcome: json }: LeaseRow): Pending {
  const entry = entryFrom(text)
  const outcome = outcomeFrom(json)
  if (outcome.state !== 'waiting') throw new Error('a row that is said to wait does not')
  const { begun: _, ...waiting } = outcome
  return { eventId: entry.id, channel, seq, entry, waiting }
}
