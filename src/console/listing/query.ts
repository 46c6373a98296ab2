import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import * as z from 'zod'
import type { Entry } from '../../event/event.ts'
import type { Outcome } from '../../event/outcome.ts'
import { states } from './database.ts'
import type { ListedEntry } from './rows.ts'

/** What is asked of a list. Undefined is any. */
export interface ListFilter {
  kind: Entry['kind']
  model?: string | undefined
  category?: string | undefined
  type?: string | undefined
  /** On any channel, or on the one that is named. */
  outcome?: Outcome['state'] | undefined
  channel?: string | undefined
  /** Days, such as 2026-11-21, in UTC; both are included. */
  from?: string | undefined
  to?: string | undefined
  /** Words that it must all have, each perhaps the beginning of one. */
  words?: string | undefined
}

/** A page of a list, newest first. */
export interface ListPage {
  rows: (ListedEntry & { outcomes: { channel: string; state: Outcome['state'] }[] })[]
  /** The `seq` before which the next page begins; undefined at the end. */
  before: number | undefined
}

const Row = z
  .object({
    seq: z.number(),
    id: z.string(),
    kind: z.enum(['alert', 'notice', 'act', 'digest']),
    received: z.string(),
    type: z.string().nullable(),
    model: z.string().nullable(),
    category: z.string().nullable(),
    tone: z.enum(['rise', 'fall', 'none']),
    way: z.enum(['webhook', 'list', 'found', 'own']),
    title: z.string(),
    open: z.number(),
    outcomes: z.string().nullable(),
  })
  .transform(({ open, outcomes, ...row }) => ({
    ...row,
    isOpen: open === 1,
    outcomes: outcomesFrom(outcomes),
  }))

/** By its number. */
const State = z.number().transform((number, context) => {
  const state = states[number]
  if (state !== undefined) return state
  context.addIssue('is no state')
  return z.NEVER
})

const Outcomes = z.array(
  z.object({
    channel: z.string(),
    state: State,
  }),
)

function outcomesFrom(json: string | null): z.infer<typeof Outcomes> {
  return Outcomes.parse(JSON.parse(json ?? '[]'))
}

const outcomesOf = `(SELECT json_group_array(json_object('channel', name, 'state', state))
  FROM (SELECT name, state FROM outcome JOIN channel ON channel.id = outcome.channel
    WHERE outcome.seq = entry.seq ORDER BY name)) AS outcomes`

/** A notification that was given up. */
export interface FailedRow {
  id: string
  title: string
  channel: string
  at: string
  why: string
  attempts: number
}

const Failed = z.object({
  id: z.string(),
  title: z.string(),
  channel: z.string(),
  at: z.string(),
  why: z.string(),
  attempts: z.number(),
}) satisfies z.ZodType<FailedRow>

/** The newest of what has failed, on any channel. */
export function failedRows(database: DatabaseSync, limit: number): FailedRow[] {
  const rows = database
    .prepare(
      `SELECT entry.id, title, channel.name AS channel, at, why, attempts
       FROM outcome JOIN entry ON entry.seq = outcome.seq JOIN channel ON channel.id = outcome.channel
       WHERE state = ? ORDER BY outcome.seq DESC LIMIT ?`,
    )
    .all(states.indexOf('failed'), limit)
  return z.array(Failed).parse(rows)
}

export function listPage(
  database: DatabaseSync,
  filter: ListFilter,
  { limit, before }: { limit: number; before?: number | undefined },
): ListPage {
  const match = matchOf(filter.words ?? '')
  // The index of words gives the newest first, and is read no further than the page goes.
  const from = match === undefined ? 'entry' : 'search CROSS JOIN entry ON entry.seq = search.rowid'
  const seq = match === undefined ? 'entry.seq' : 'search.rowid'
  const conditions = [
    ...(match === undefined ? [] : [{ sql: 'search MATCH ?', values: [match] }]),
    ...(before === undefined ? [] : [{ sql: `${seq} < ?`, values: [before] }]),
    ...conditionsOf(filter),
    ...daysOf(filter, database),
    ...outcomeOf(filter, database),
  ]
  const where = conditions.map(({ sql }) => sql).join(' AND ')
  const rows = database
    .prepare(`SELECT entry.*, ${outcomesOf} FROM ${from} WHERE ${where} ORDER BY ${seq} DESC LIMIT ?`)
    .all(...conditions.flatMap(({ values }) => values), limit + 1)
  const parsed = z.array(Row).parse(rows)
  const page = parsed.slice(0, limit)
  return { rows: page, before: parsed.length > limit ? page.at(-1)?.seq : undefined }
}

interface Condition {
  sql: string
  values: SQLInputValue[]
}

function conditionsOf({ kind, model, category, type }: ListFilter): Condition[] {
  const all: [string, string | undefined][] = [
    ['entry.kind = ?', kind],
    ['entry.model = ?', model?.toLowerCase()],
    ['entry.category = ?', category?.toLowerCase()],
    ['entry.type = ?', type?.toLowerCase()],
  ]
  return all.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, values: [value] }]))
}

const Bounds = z.object({ count: z.number(), low: z.number().nullable(), high: z.number().nullable() })

/** Of more entries in a range of days the first and the last are not looked for: a list of them is soon full without. */
const mostInDays = 10_000

/** Entries come in the order of their times, but for clocks that leap: what lies outside is passed over as a whole. */
function daysOf({ kind, from, to }: ListFilter, database: DatabaseSync): Condition[] {
  if (from === undefined && to === undefined) return []
  // All times of a day begin with it.
  const range = [from ?? '', to === undefined ? '~' : `${to}U`]
  const sql = 'entry.received >= ? AND entry.received < ?'
  const found = database
    .prepare(
      `SELECT count(*) AS count, min(seq) AS low, max(seq) AS high FROM
       (SELECT seq FROM entry WHERE kind = ? AND ${sql} LIMIT ${mostInDays})`,
    )
    .get(kind, ...range)
  const { count, low, high } = Bounds.parse(found)
  // The sign keeps SQLite from sorting all of them instead.
  if (count === mostInDays) return [{ sql: sql.replaceAll('entry.', '+entry.'), values: range }]
  return [
    { sql, values: range },
    { sql: 'entry.seq BETWEEN ? AND ?', values: [low ?? 0, high ?? 0] },
  ]
}

/** Of so many, each is looked up; of more, each entry is asked for its own. */
const few = 5_000

function outcomeOf({ outcome, channel }: ListFilter, database: DatabaseSync): Condition[] {
  if (outcome === undefined && channel === undefined) return []
  const id = channel && database.prepare('SELECT id FROM channel WHERE name = ?').get(channel)?.id
  if (channel !== undefined && typeof id !== 'number') return [{ sql: 'FALSE', values: [] }]
  const where = [
    ...(typeof id === 'number' ? [{ sql: 'channel = ?', values: [id] }] : []),
    ...(outcome === undefined ? [] : [{ sql: 'state = ?', values: [states.indexOf(outcome)] }]),
  ]
  const asked = where.map(({ sql }) => sql).join(' AND ')
  const given = where.flatMap(({ values }) => values)
  const isFew =
    outcome !== undefined &&
    database.prepare(`SELECT 1 FROM outcome WHERE ${asked} LIMIT 1 OFFSET ${few}`).get(...given) === undefined
  const sql = isFew
    ? `entry.seq IN (SELECT seq FROM outcome WHERE ${asked})`
    : `EXISTS (SELECT 1 FROM outcome WHERE outcome.seq = entry.seq AND ${asked})`
  return [{ sql, values: given }]
}

/** Words in the language of FTS5, in which none of them means anything but itself; undefined where there are none. */
function matchOf(words: string): string | undefined {
  const found = words.toWellFormed().match(/[\p{L}\p{N}\p{M}]+/gu)
  // One letter begins too many words.
  return found?.map((word) => (word.length === 1 ? `"${word}"` : `"${word}"*`)).join(' ')
}
