import { dayMs } from '../../durations.ts'
import type { Entry, Said } from '../../event/event.ts'
import type { Outcome } from '../../event/outcome.ts'
import { mostNear, nearMs } from '../near.ts'
import type { Ask } from './database.ts'
import { entryFrom, outcomeFrom } from './rows.ts'

export interface NearRow {
  seq: number
  entry: Entry
  outcomes: Record<string, Outcome>
}

interface Row {
  seq: number
  entry: string
}

/** What is asked of the neighbours of an event: all of a model by one way, those of these ids, those that name these, what these channels were sent. */
export interface Wanted {
  of: [model: string, way: Said['by']][]
  ids: string[]
  about: string[]
  on: string[]
}

/**
 * What was accepted since then (`$2`, milliseconds since the epoch), at most as many as are ever compared. The way stands in the text: of a
 * parameter the planner knows nothing, takes all rows for findings, and reads 10,000 of them backwards (6.8 ms instead of 0.1).
 */
const ofModels = (way: string) => `
select near.seq, near.entry from unnest($1::text[]) wanted (model)
cross join lateral (
  select seq, entry from bluepencil.entries
  where model = wanted.model and way = '${way}' and at >= $2 order by seq desc limit $3
) near`

const named = `
select seq, entry from bluepencil.entries where id = any($1) and way is not null and at >= $3
union
select seq, entry from bluepencil.entries
where (same_as = any($2) or revises = any($2) or confirms = any($2) or leaders && $2::text[])
  and way is not null and at >= $3`

/** The messages of the last day, and what is held: the primary key, backwards from its end, and outcomes_held. */
const sentTo = `
select newest.seq, newest.entry from (
  select seq, at, way, entry from bluepencil.entries order by seq desc limit $3
) newest
where newest.at >= $2 and newest.way in ('service', 'figures', 'digest') and exists (
  select from bluepencil.outcomes o
  where o.seq = newest.seq and o.channel = any($1) and o.state in ('waiting', 'sent')
)
union
select e.seq, e.entry from bluepencil.entries e join bluepencil.outcomes o on o.seq = e.seq
where o.state = 'held' and o.channel = any($1) and e.way in ('service', 'figures', 'digest')`

const outcomesOf = 'select seq, channel, outcome from bluepencil.outcomes where seq = any($1)'

/** Keys, as keys.ts makes them. */
export async function readNear(ask: Ask, { of, ids, about, on }: Wanted, now: number): Promise<NearRow[]> {
  const since = now - nearMs
  const found = await Promise.all([
    ...waysOf(of).map(([way, models]) => ask<Row>(ofModels(way), [models, since, mostNear])),
    ids.length + about.length === 0 ? [] : ask<Row>(named, [ids, about, since]),
    // A message may have been decided the day before it was sent.
    on.length === 0 ? [] : ask<Row>(sentTo, [on, now - 2 * dayMs, mostNear]),
  ])
  return await withOutcomes(ask, found.flat())
}

/** Fails where by now something came that was not there when it was read: the error, a division by zero, is a conflict. */
const stillNone = (way: string) => `
select 1 / case when exists (
  select from unnest($1::text[]) wanted (model)
  join bluepencil.entries e on e.model = wanted.model and e.way = '${way}' and e.at >= $2
) then 0 else 1 end`

/** That `readNear` would still find none. */
export function checkNone(
  write: (text: string, values: readonly unknown[]) => void,
  { of }: Pick<Wanted, 'of'>,
  now: number,
): void {
  for (const [way, models] of waysOf(of)) write(stillNone(way), [models, now - nearMs])
}

function waysOf(of: Wanted['of']): [way: Said['by'], models: string[]][] {
  return [...Map.groupBy(of, ([, way]) => way)].map(([way, pairs]) => [way, pairs.map(([model]) => model)])
}

export async function withOutcomes(ask: Ask, rows: readonly Row[]): Promise<NearRow[]> {
  const entries = new Map(
    rows.map(({ seq, entry }) => [
      seq,
      { seq, entry: entryFrom(entry), outcomes: {} as Record<string, Outcome> },
    ]),
  )
  if (entries.size === 0) return []
  const outcomes = await ask<{ seq: number; channel: string; outcome: string }>(outcomesOf, [
    [...entries.keys()],
  ])
  const byEntry = Map.groupBy(outcomes, ({ seq }) => seq)
  return [...entries.values()].map(({ seq, entry }) => ({
    seq,
    entry,
    outcomes: Object.fromEntries(
      (byEntry.get(seq) ?? []).map(({ channel, outcome }) => [channel, outcomeFrom(outcome)]),
    ),
  }))
}

/**
 * All that is connected with these by what names what, however many steps away. Joined with `part`, entries would be read from
 * the first to the last (1.5 s of 100,000, before each message): how few there are is not known to the planner.
 */
const connected = `
with recursive part (id) as (
  select unnest($1::text[])
  union
  select next.id from part cross join lateral (
    select unnest(array[same_as, revises, confirms, about] || leaders) as id from bluepencil.entries where id = part.id
    union all select id from bluepencil.entries where leaders @> array[part.id]
    union all select id from bluepencil.entries where same_as = part.id
    union all select id from bluepencil.entries where revises = part.id
    union all select id from bluepencil.entries where confirms = part.id
    union all select id from bluepencil.entries where about = part.id
  ) next where next.id is not null
)
select seq, entry from bluepencil.entries
where id = any(array(select id from part)) and way is not null and at >= $2 order by seq`

/** From when on what is connected is looked for, milliseconds since the epoch: of the last days, or all that is stored. */
export const sinceLately = (now: number) => now - nearMs
export const sinceEver = 0

/** Oldest first. */
export async function readConnected(ask: Ask, ids: readonly string[], since: number): Promise<NearRow[]> {
  if (ids.length === 0) return []
  return await withOutcomes(ask, await ask<Row>(connected, [ids, since]))
}

/**
 * All that names another, and what it names. What is named and names nothing itself is no further step, so nothing recursive is
 * asked: of 2,000 that name another, `connected` with its outcomes took 1.5 to 2.7 s where this takes half a second.
 */
const naming = `
with naming as (
  select seq, entry, array[same_as, revises, confirms, about] || leaders as named from bluepencil.entries
  where at >= $1 and way is not null
  and (same_as is not null or revises is not null or confirms is not null or about is not null or leaders is not null)
)
select seq, entry from naming
union all
select seq, entry from bluepencil.entries e
where id = any(array(select distinct unnest(named) from naming)) and way is not null and at >= $1
  and not exists (select from naming where naming.seq = e.seq)`

/** Oldest first, without what became of them. */
export async function readNaming(ask: Ask, now: number): Promise<NearRow[]> {
  const rows = await ask<Row>(naming, [sinceLately(now)])
  return rows
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ seq, entry }) => ({ seq, entry: entryFrom(entry), outcomes: {} }))
}
