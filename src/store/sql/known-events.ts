import type { Outcome } from '../../event/outcome.ts'
import { outcomeFrom } from '../stored-format.ts'
import type { RunQuery } from './database.ts'
import type { SqlDialect } from './dialect.ts'
import type { CommitRequest } from './gather.ts'
import { keyOf } from './keys.ts'
import { damaged } from './sums.ts'

export interface KnownOutcome {
  seq: number
  outcome: Outcome | undefined
  lease: string | undefined
}

/** What is there of the events that a commit is about. */
export interface KnownEvents {
  /** By key. */
  entries: Map<string, { seq: number; content: string | null }>
  /** By key and channel. */
  outcomes: Map<string, KnownOutcome>
}

export const nothingKnown: KnownEvents = { entries: new Map(), outcomes: new Map() }

interface OutcomeRow {
  seq: number
  id: string
  channel: string
  outcome: string
  lease: string | null
}

/** Outcomes are locked in one order by all processes, so that no two wait for each other. */
export function statementsOfKnown(dialect: SqlDialect) {
  return {
    entries: `select id, seq, content from bluepencil.entries where ${dialect.any('id', 1)}`,
    outcomes: `
with asked as (select value ->> 0 as id, value ->> 1 as channel from ${dialect.each(1)} as wanted)
select e.id, o.channel, o.seq, o.outcome, o.lease, ${damaged(dialect, { o: 'outcome' })}
from asked
join bluepencil.entries e on e.id = asked.id
join bluepencil.outcomes o on o.seq = e.seq and o.channel = asked.channel
order by o.seq, o.channel
${dialect.forUpdate('o')}`,
  }
}

export async function readKnown(
  ask: RunQuery,
  statements: ReturnType<typeof statementsOfKnown>,
  requests: readonly CommitRequest[],
): Promise<KnownEvents> {
  const changes = requests.filter((request) => request.kind === 'change')
  const ids = new Set([
    ...requests.flatMap((one) =>
      one.kind === 'accept' ? one.batch.map(({ entry }) => keyOf(entry.id)) : [],
    ),
    ...changes.map(({ eventId }) => keyOf(eventId)),
  ])
  const places = new Map(
    changes.map(({ eventId, channel }) => [`${keyOf(eventId)}\n${channel}`, [keyOf(eventId), channel]]),
  )
  const [entries, outcomes] = await Promise.all([
    ask<{ id: string; seq: number; content: string | null }>(statements.entries, [[...ids]]),
    places.size === 0 ? [] : ask<OutcomeRow>(statements.outcomes, [JSON.stringify([...places.values()])]),
  ])
  return {
    entries: new Map(entries.map(({ id, seq, content }) => [id, { seq, content }])),
    outcomes: new Map(
      outcomes.map(({ id, channel, seq, outcome, lease }) => [
        `${id}\n${channel}`,
        { seq, outcome: outcomeFrom(outcome), lease: lease ?? undefined },
      ]),
    ),
  }
}
