import type { Outcome } from '../../event/outcome.ts'
import type { Ask } from './database.ts'
import type { Request } from './gather.ts'
import { keyOf } from './keys.ts'
import { outcomeFrom } from './rows.ts'

export interface KnownOutcome {
  seq: number
  outcome: Outcome | undefined
  lease: string | undefined
}

/** What is there of the events that a commit is about. */
export interface Known {
  /** By key. */
  entries: Map<string, { seq: number; content: string | null }>
  /** By key and channel. */
  outcomes: Map<string, KnownOutcome>
}

const entriesOf = 'select id, seq, content from bluepencil.entries where id = any($1)'

/** Locked in one order by all processes, so that no two wait for each other. */
const outcomesOf = `
select e.id, o.channel, o.seq, o.outcome, o.lease
from unnest($1::text[], $2::text[]) asked (id, channel)
join bluepencil.entries e on e.id = asked.id
join bluepencil.outcomes o on o.seq = e.seq and o.channel = asked.channel
order by o.seq, o.channel
for update of o`

export async function readKnown(ask: Ask, requests: readonly Request[]): Promise<Known> {
  const accepts = requests.filter((request) => request.kind === 'accept')
  const changes = requests.filter((request) => request.kind === 'change')
  const ids = new Set([
    ...accepts.flatMap(({ batch }) => batch.map(({ entry }) => keyOf(entry.id))),
    ...changes.map(({ eventId }) => keyOf(eventId)),
  ])
  const places = new Map(
    changes.map(({ eventId, channel }) => [`${keyOf(eventId)}\n${channel}`, { eventId, channel }]),
  )
  const [entries, outcomes] = await Promise.all([
    ask<{ id: string; seq: number; content: string | null }>(entriesOf, [[...ids]]),
    places.size === 0
      ? []
      : ask<{ id: string; channel: string; seq: number; outcome: string; lease: string | null }>(outcomesOf, [
          [...places.values()].map(({ eventId }) => keyOf(eventId)),
          [...places.values()].map(({ channel }) => channel),
        ]),
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
