import { randomUUID } from 'node:crypto'
import type { Outcome } from '../../event/outcome.ts'
import { createNearIndex } from '../near.ts'
import type { Backlog, DueNotification, HeldNotification, Pending, Store } from '../store.ts'
import type { Ask, Database } from './database.ts'
import { keyOf } from './keys.ts'
import { readConnected, sinceLately } from './near-rows.ts'
import { columnsOf, entryFrom, outcomeFrom } from './rows.ts'
import type { Sessions } from './sessions.ts'

interface Row {
  seq: number
  channel: string
  entry: string
  outcome: string
}

/**
 * outcomes_waiting from its lowest `seq` on, until so many are due: an index scan, which passes over what waits for later. It
 * waits for whoever changes one of them, so that none of it is skipped and sent out of order.
 */
const due = `
select o.seq, o.channel, o.outcome, e.entry
from bluepencil.outcomes o join bluepencil.entries e on e.seq = o.seq
where o.channel = $1 and o.state = 'waiting' and o.ready <= $2
order by o.seq limit $3 for update of o`

const lease = `
update bluepencil.outcomes
set outcome = new.outcome, lease = new.lease, lease_session = $4, ready = $5
from unnest($1::bigint[], $3::text[], $6::text[]) new (seq, outcome, lease)
where outcomes.seq = new.seq and outcomes.channel = $2`

/** Nobody has begun a try under it. Waits for a commit that may still be under way. */
const giveBack = `
update bluepencil.outcomes
set outcome = old.outcome, lease = null, lease_session = null, ready = due
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) old (seq, channel, outcome, lease)
where outcomes.seq = old.seq and outcomes.channel = old.channel and outcomes.lease = old.lease`

/** One row of outcomes_ready. */
const nextDue = `
select ready from bluepencil.outcomes where channel = $1 and state = 'waiting' order by ready limit 1`

const pending = `
select o.seq, o.channel, o.outcome, e.entry
from bluepencil.outcomes o join bluepencil.entries e on e.seq = o.seq
where o.channel = $1 and o.state = 'waiting' order by o.seq`

const held = `
select o.seq, o.channel, o.outcome, e.entry
from bluepencil.outcomes o join bluepencil.entries e on e.seq = o.seq
where o.state = 'held'`

/** An index alone: outcomes_waiting has the channel and the `seq`. */
const backlog = `
select owed.channel, owed.waiting, e.entry
from (
  select channel, count(*)::int as waiting, min(seq) as first
  from bluepencil.outcomes where state = 'waiting' group by channel
) owed join bluepencil.entries e on e.seq = owed.first`

/** What is owed, and leased. */
export function createLeases({
  database,
  sessions,
  now,
}: {
  database: Database
  sessions: Sessions
  /** Milliseconds since the epoch. */
  now(): number
}): Pick<Store, 'lease' | 'nextDue' | 'pending' | 'held' | 'backlog'> {
  /** What may be leased to this process without its knowing: the answer to the commit was lost. */
  const unheard = new Map<string, Row>()

  async function giveBackUnheard(): Promise<void> {
    if (unheard.size === 0) return
    const some = [...unheard]
    await database.ask(
      giveBack,
      columnsOf(
        some.map(([id, { seq, channel, outcome }]) => [seq, channel, outcome, id]),
        4,
      ),
    )
    for (const [id] of some) unheard.delete(id)
  }

  /** `leased`: those that it takes, before it does. */
  async function take(
    ask: Ask,
    channel: string,
    when: { now: number; limit: number; leaseMs: number; session: number },
    leased: Map<string, Row>,
  ): Promise<DueNotification[]> {
    const rows = await ask<Row>(due, [channel, when.now, when.limit])
    if (rows.length === 0) return []
    const begun = new Date(when.now).toISOString()
    const taken = rows.flatMap((row) => {
      const outcome = outcomeFrom(row.outcome)
      if (outcome.state !== 'waiting') return []
      const { begun: interrupted } = outcome
      const uncertain = interrupted !== undefined || outcome.uncertain === true
      const next: Outcome = { ...outcome, begun, ...(interrupted !== undefined && { uncertain }) }
      const one = { ...pendingOf(row), uncertain, lease: randomUUID() }
      leased.set(one.lease, row)
      return [{ one: { ...one, ...(interrupted !== undefined && { interrupted }) }, next }]
    })
    const [seqs = [], outcomes = [], leases = []] = columnsOf(
      taken.map(({ one, next }) => [one.seq, JSON.stringify(next), one.lease]),
      3,
    )
    const [near] = await Promise.all([
      readConnected(
        ask,
        taken.map(({ one }) => keyOf(one.eventId)),
        sinceLately(now()),
      ),
      ask(lease, [seqs, channel, outcomes, when.session, when.now + when.leaseMs, leases]),
    ])
    const index = createNearIndex()
    for (const row of near) index.add(row)
    return taken.map(({ one }) => ({ ...one, later: index.laterOf(one.eventId) }))
  }

  return {
    async lease(channel, when) {
      if (when.limit === 0) return []
      await giveBackUnheard()
      const session = await sessions.begun()
      const leased = new Map<string, Row>()
      try {
        return await database.transaction(async ({ ask }) => {
          await sessions.check(ask, session)
          return await take(ask, channel, { ...when, session }, leased)
        })
      } catch (error) {
        for (const [id, row] of leased) unheard.set(id, row)
        throw error
      }
    },
    async nextDue(channel) {
      await giveBackUnheard()
      const [row] = await database.ask<{ ready: number }>(nextDue, [channel])
      return row?.ready
    },
    async pending(channel) {
      return (await database.ask<Row>(pending, [channel])).map(pendingOf)
    },
    async held() {
      const rows = await database.ask<Row>(held)
      return rows.flatMap((row): HeldNotification[] => {
        const outcome = outcomeFrom(row.outcome)
        if (outcome.state !== 'held') return []
        const until = Date.parse(outcome.until)
        return [
          {
            eventId: entryFrom(row.entry).id,
            channel: row.channel,
            until: Number.isNaN(until) ? 0 : until,
            by: outcome.by,
          },
        ]
      })
    },
    async backlog() {
      const rows = await database.ask<{ channel: string; waiting: number; entry: string }>(backlog)
      return rows.map(
        ({ channel, waiting, entry }): Backlog => ({
          channel,
          waiting,
          oldest: entryFrom(entry).receivedAt,
        }),
      )
    },
  }
}

function pendingOf({ seq, channel, entry: text, outcome: json }: Row): Pending {
  const entry = entryFrom(text)
  const outcome = outcomeFrom(json)
  if (outcome.state !== 'waiting') throw new Error('a row that is said to wait does not')
  const { begun: _, ...waiting } = outcome
  return { eventId: entry.id, channel, seq, entry, waiting }
}
