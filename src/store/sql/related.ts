import type { ReportedAlert } from '../../event/event.ts'
import { dayMs } from '../../platform/durations.ts'
import { mostNear, nearMs } from '../near.ts'
import type { StoredEntry } from '../store.ts'
import { entryFrom, outcomeFrom } from '../stored-format.ts'
import type { RunQuery } from './database.ts'
import type { SqlDialect } from './dialect.ts'
import { damaged } from './tables.ts'

/** An entry as the database has it. */
export interface EntryRow {
  seq: number
  entry: string
}

/** What is asked of the neighbours of an event: all of a model by one way, those of these ids, those that name these, what these channels were sent. */
export interface RelatedQuery {
  of: [model: string, way: ReportedAlert['by']][]
  ids: string[]
  about: string[]
  on: string[]
}

const ways = ['service', 'figures'] as const

export function statementsOfRelated(d: SqlDialect) {
  const row = `e.seq, e.entry, ${damaged(d, { e: 'entry' })}`
  return {
    /**
     * What was accepted of one model by one way since then, at most as many as are ever compared. The way is part of the text. If it
     * is a parameter, Postgres' planner assumes that all rows are findings. It then reads 10,000 of them backwards (6.8 ms instead of 0.1).
     */
    ofModel: Object.fromEntries(
      ways.map((way) => [
        way,
        `select ${row} from bluepencil.entries e
where e.model = $1 and e.way = '${way}' and e.at >= $2 order by e.seq desc limit $3`,
      ]),
    ) as Record<ReportedAlert['by'], string>,
    /** Those of these ids, and those that name these. */
    named: `
select ${row} from bluepencil.entries e where ${d.any('e.id', 1)} and e.kind <> 'notice' and e.at >= $3
union
select ${row} from bluepencil.relations r join bluepencil.entries e on e.seq = r.seq
where ${d.any('r.named', 2)} and e.at >= $3`,
    /** The messages of the last day, and what is held: the primary key, backwards from its end, and outcomes_held. */
    sentTo: `
select ${row} from (select * from bluepencil.entries order by seq desc limit $3) e
where e.at >= $2 and e.kind in ('alert', 'digest') and exists (
  select 1 from bluepencil.outcomes o
  where o.seq = e.seq and ${d.any('o.channel', 1)} and o.state in ('waiting', 'sent')
)
union
select ${row} from bluepencil.entries e join bluepencil.outcomes o on o.seq = e.seq
where o.state = 'held' and ${d.any('o.channel', 1)} and e.kind in ('alert', 'digest')`,
    outcomes: `
select o.seq, o.channel, o.outcome, ${damaged(d, { o: 'outcome' })} from bluepencil.outcomes o
where ${d.any('o.seq', 1)} order by o.seq, o.place`,
    /** All of some days from their end backwards, in pages. */
    lately: `select ${row} from bluepencil.entries e
where e.kind <> 'notice' and e.at >= $1 and e.seq < $2 order by e.seq desc limit $3`,
    heldAll: `select distinct ${row} from bluepencil.outcomes o join bluepencil.entries e on e.seq = o.seq
where o.state = 'held' and e.kind in ('alert', 'digest')`,
    /** All that is connected with these by what names what, however many steps away; nothing of what is not named and names nothing. */
    connected: connected(d, row, ''),
    /**
     * What these name, however many steps away, each with the same change by the other way. Not what names them: of the thousandth
     * alert of a story the others are not read.
     */
    namedBy: connected(d, row, "and r.kind = 'same'"),
    /**
     * All entries that name another, and those that they name. One step is enough, so the query is not recursive. For 2,000
     * entries, the recursive `connected` took 1.5 to 2.7 s with its outcomes; this takes half a second.
     */
    naming: `
select ${row} from bluepencil.entries e where e.kind <> 'notice' and e.at >= $1 and e.seq in (
  select r.seq from bluepencil.relations r
  union select n.seq from bluepencil.relations r join bluepencil.entries n on n.id = r.named
)
order by e.seq`,
  }
}

/** `upwards`: which relations are followed from what is named to what names it. */
function connected(d: SqlDialect, row: string, upwards: string): string {
  return `
with recursive part (id) as (
  select wanted.id from (select value ->> 0 as id from ${d.each(1)} as each) wanted
  union
  select case when r.id = part.id then r.named else r.id end
  from part join bluepencil.relations r on r.id = part.id or (r.named = part.id ${upwards})
)
select ${row} from bluepencil.entries e
where e.id in (select id from part) and e.kind <> 'notice' and e.at >= $2
  and exists (select 1 from bluepencil.relations r where r.id = e.id or r.named = e.id)
order by e.seq`
}

export type RelatedStatements = ReturnType<typeof statementsOfRelated>

/** Keys, as keys.ts makes them. */
export async function readNear(
  ask: RunQuery,
  statements: RelatedStatements,
  { of, ids, about, on }: RelatedQuery,
  now: number,
): Promise<StoredEntry[]> {
  const since = now - nearMs
  const rows = await Promise.all([
    ...of.map(([model, way]) => ask<EntryRow>(statements.ofModel[way], [model, since, mostNear])),
    ids.length + about.length === 0 ? [] : ask<EntryRow>(statements.named, [ids, about, since]),
    // A message may have been decided the day before it was sent.
    on.length === 0 ? [] : ask<EntryRow>(statements.sentTo, [on, now - 2 * dayMs, mostNear]),
  ])
  return await withOutcomes(ask, statements, rows.flat())
}

export async function withOutcomes(
  ask: RunQuery,
  statements: Pick<RelatedStatements, 'outcomes'>,
  rows: readonly EntryRow[],
): Promise<StoredEntry[]> {
  const entries = new Map(rows.map(({ seq, entry }) => [seq, entryFrom(entry)]))
  if (entries.size === 0) return []
  const outcomes = await ask<{ seq: number; channel: string; outcome: string }>(statements.outcomes, [
    [...entries.keys()],
  ])
  const byEntry = Map.groupBy(outcomes, ({ seq }) => seq)
  return [...entries].map(([seq, entry]) => ({
    seq,
    entry,
    outcomes: Object.fromEntries(
      (byEntry.get(seq) ?? []).map(({ channel, outcome }) => [channel, outcomeFrom(outcome)]),
    ),
  }))
}

export function entryAlone({ seq, entry }: EntryRow): StoredEntry {
  return { seq, entry: entryFrom(entry), outcomes: {} }
}

/** From when on what is connected is looked for, milliseconds since the epoch: of the last days, or all that is stored. */
export const sinceLately = (now: number) => now - nearMs
export const sinceEver = 0

/** Oldest first. */
export async function readConnected(
  ask: RunQuery,
  statements: RelatedStatements,
  ids: readonly string[],
  since: number,
  how: 'connected' | 'namedBy' = 'connected',
): Promise<StoredEntry[]> {
  if (ids.length === 0) return []
  const wanted = JSON.stringify(ids.map((id) => [id]))
  return await withOutcomes(ask, statements, await ask<EntryRow>(statements[how], [wanted, since]))
}

/** Oldest first, without what became of them. */
export async function readNaming(
  ask: RunQuery,
  statements: RelatedStatements,
  now: number,
): Promise<StoredEntry[]> {
  return (await ask<EntryRow>(statements.naming, [sinceLately(now)])).map(entryAlone)
}

const atOnce = 500

/** All that a decision may ask for, oldest first: what `readNear` would find of any model, channel and id. In pages, so that others go on meanwhile. */
export async function readAllNear(
  ask: RunQuery,
  statements: RelatedStatements,
  now: number,
): Promise<StoredEntry[]> {
  const held = await withOutcomes(ask, statements, await ask<EntryRow>(statements.heldAll))
  const bySeq = new Map(held.map((row) => [row.seq, row]))
  let before = Number.MAX_SAFE_INTEGER
  for (let read = 0; read < 2 * mostNear; read += atOnce) {
    const rows = await ask<EntryRow>(statements.lately, [now - nearMs, before, atOnce])
    for (const row of await withOutcomes(ask, statements, rows)) bySeq.set(row.seq, row)
    if (rows.length < atOnce) break
    before = rows.at(-1)?.seq ?? 0
  }
  return [...bySeq.values()].toSorted((first, second) => first.seq - second.seq)
}
