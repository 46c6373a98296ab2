import type { DeskState } from '../../event/desk.ts'
import { dayMs } from '../../platform/durations.ts'
import { type ListFilter, searchTerms } from '../list-filter.ts'
import type { NearIndex } from '../near.ts'
import { createNearIndex } from '../near-index.ts'
import type { AlertCounts, ListQuery, Store, StoredEntry } from '../store.ts'
import type { Database } from './database.ts'
import type { SqlDialect } from './dialect.ts'
import { keyOf } from './keys.ts'
import {
  type EntryRow,
  entryAlone,
  readConnected,
  readNaming,
  sinceEver,
  sinceLately,
  statementsOfRelated,
  withOutcomes,
} from './related.ts'
import { damaged } from './tables.ts'
import { together } from './together.ts'

/** What people and the other stages read. */
export function createReading(
  { ask, dialect }: Pick<Database, 'ask' | 'dialect'>,
  now: () => number,
): Pick<Store, 'find' | 'list' | 'countAlerts' | 'later' | 'actsAbout' | 'changed'> {
  const related = statementsOfRelated(dialect)
  const row = `e.seq, e.entry, ${damaged(dialect, { e: 'entry' })}`
  /** One row of entries_id for each. Every process reads what the others accept: many of them at a time. */
  const byIds = `select ${row} from bluepencil.entries e where ${dialect.any('e.id', 1)}`

  const acts = `select ${row} from bluepencil.relations r join bluepencil.entries e on e.seq = r.seq
where r.kind = 'about' and ${dialect.any('r.named', 1)} order by e.seq`

  async function indexOf(reading: Promise<StoredEntry[]>): Promise<NearIndex> {
    const index = createNearIndex()
    for (const alert of await reading) index.add(alert)
    return index
  }

  const near = (eventId: string, since: number, how?: 'namedBy') =>
    indexOf(readConnected(ask, related, [keyOf(eventId)], since, how))

  const find = together(async (keys: readonly string[]) => {
    const rows = await withOutcomes(ask, related, await ask(byIds, [keys]))
    return new Map(rows.map((one) => [keyOf(one.entry.id), one]))
  })

  /** A damaged row is left out, and the next older one takes its place: a page that is not full is the last. */
  async function wholePage(query: ListQuery): Promise<EntryRow[]> {
    const { text, values } = listStatement(dialect, row, query)
    const rows = await ask<EntryRow & { found: number }>(text, values)
    const last = rows.at(-1)
    if (last === undefined || Number(last.found) === rows.length) return rows
    return [...rows, ...(await wholePage({ ...query, before: last.seq, limit: query.limit - rows.length }))]
  }

  return {
    async find(eventId) {
      // Each caller may change what it is given.
      return structuredClone(await find(keyOf(eventId)))
    },
    async list(query): Promise<StoredEntry[]> {
      const rows = await wholePage(query)
      if (query.withoutOutcomes) return rows.map(entryAlone)
      return await withOutcomes(ask, related, rows)
    },
    async countAlerts({ channel, since }) {
      const [counts] = await ask<AlertCounts>(countStatement, [channel, since])
      return counts ?? { received: 0, sent: 0 }
    },
    later: async (eventId) => (await near(eventId, sinceEver)).laterOf(eventId),
    async actsAbout(eventIds) {
      const rows = await ask<EntryRow>(acts, [eventIds.map(keyOf)])
      return rows.map(entryAlone).flatMap(({ entry }) => (entry.kind === 'act' ? [entry] : []))
    },
    changed: async (by) =>
      (
        await (by === undefined
          ? indexOf(readNaming(ask, related, now()))
          : near(by, sinceLately(now()), by.startsWith('act_') ? undefined : 'namedBy'))
      ).changed(by),
  }
}

/**
 * The state of an alert in a list, as `deskOf` has it: by the acts about the first alert of its change. In JSON, a quotation mark
 * within a text has a backslash before it, so these patterns match nothing that somebody wrote.
 */
const actsOfListed = (does: string) => `
  from bluepencil.relations r join bluepencil.entries a on a.seq = r.seq
  where r.kind = 'about' and a.entry like '%"does":"${does}"%' and r.named = coalesce(
    (select s.named from bluepencil.relations s where s.seq = l.seq and s.kind = 'same'), l.id)`
const lastOfDesk = `(select max(a.seq) ${actsOfListed('set-desk')})`
const wasLast = (state: DeskState) =>
  `exists (select 1 ${actsOfListed('set-desk')} and a.seq = ${lastOfDesk} and a.entry like '%"state":"${state}"%')`
const isTaken = `exists (select 1 ${actsOfListed('acknowledge')} and a.seq > coalesce(${lastOfDesk}, 0))`
const deskOfListed = `case when ${wasLast('published')} then 'published'
  when ${wasLast('checking')} or ${isTaken} then 'checking' else 'new' end`

/** It confirms a finding or says nothing new, so nobody has to do anything about it: what corrects another has `before`. */
const isOnlyConfirmation = `exists (select 1 from bluepencil.relations r where r.seq = l.seq and (
  r.kind = 'confirms' or (r.kind = 'revises' and l.entry not like '%"before":{%')))`

interface ListStatement {
  text: string
  values: unknown[]
}

/**
 * Which entries a list shows, newest first: their numbers, from indexes alone, and so the entries of one page. With words, the index of
 * words gives its newest first and is read no further than the page goes: SQLite joins in the order that `cross join` says.
 */
function listStatement(d: SqlDialect, row: string, query: ListQuery): ListStatement {
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value)}`
  const terms = searchTerms(query.words ?? '')
  const [from, seq] =
    terms.length === 0
      ? ['bluepencil.entries l', 'l.seq']
      : [`bluepencil.search cross join bluepencil.entries l`, `search.${d.search.seq}`]
  const matching =
    terms.length === 0 ? [] : [`l.seq = ${seq}`, d.search.matches(values.push(d.search.query(terms)))]
  const where = [
    `${seq} < ${parameter(query.before ?? Number.MAX_SAFE_INTEGER)}`,
    ...matching,
    ...columnsOf(query).map(({ sql, value }) => `${sql} ${parameter(value)}`),
    ...outcomeOf(query, parameter),
    ...(query.desk === undefined ? [] : [`l.kind = 'alert'`, `${deskOfListed} = ${parameter(query.desk)}`]),
    ...(query.desk === 'new' ? [`not ${isOnlyConfirmation}`] : []),
  ]
  return {
    text: `
select ${row}, count(*) over () as found from bluepencil.entries e where e.seq in (
  select ${seq} from ${from} where ${where.join(' and ')} order by ${seq} desc limit ${parameter(Math.min(query.limit, Number.MAX_SAFE_INTEGER))}
) order by e.seq desc`,
    values,
  }
}

/** An alert about a change that another reports counts only if it was sent by itself. */
const countStatement = `
select count(*) as received, count(case when o.state in ('sent', 'merged') then 1 end) as sent
from bluepencil.entries l left join bluepencil.outcomes o on o.seq = l.seq and o.channel = $1
where l.kind = 'alert' and l.received >= $2 and (
  coalesce(o.state, '') = 'sent'
  or not exists (select 1 from bluepencil.relations r where r.seq = l.seq and r.kind in ('same', 'confirms'))
)`

function columnsOf({ kind, model, category, type, from, to }: ListFilter): { sql: string; value: unknown }[] {
  const lower = (text: string | undefined) => text && keyOf(text.toLowerCase())
  const all = [
    { sql: 'l.kind =', value: kind },
    { sql: 'lower(l.model) =', value: lower(model) },
    { sql: 'l.category =', value: lower(category) },
    { sql: 'l.type =', value: lower(type) },
    { sql: 'l.received >=', value: from && Date.parse(from) },
    { sql: 'l.received <', value: to && Date.parse(to) + dayMs },
  ]
  return all.filter(({ value }) => value !== undefined)
}

/** Few wait, are held or have failed, and each of these has an index. Of others, each entry is asked. */
const rare = new Set<ListFilter['outcome']>(['waiting', 'held', 'failed'])

function outcomeOf({ outcome, channel }: ListFilter, given: (value: unknown) => string): string[] {
  if (outcome === undefined && channel === undefined) return []
  // Stands in the text: an index of some of the rows is used only so.
  const state = outcome === undefined ? [] : [`o.state = '${outcome}'`]
  const where = [...state, ...(channel === undefined ? [] : [`o.channel = ${given(channel)}`])].join(' and ')
  return rare.has(outcome)
    ? [`l.seq in (select o.seq from bluepencil.outcomes o where ${where})`]
    : [`exists (select 1 from bluepencil.outcomes o where o.seq = l.seq and ${where})`]
}
