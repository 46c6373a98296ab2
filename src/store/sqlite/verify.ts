import type { Failed } from '../../event/outcome.ts'
import { searchWords } from '../list-filter.ts'
import type { RunQuery } from '../sql/database.ts'
import { sqlite } from '../sql/dialect.ts'
import { isWhole, newSum, type SummedColumn } from '../sql/tables.ts'
import { entryFrom } from '../stored-format.ts'
import { isDamage, reasonOf } from './failure.ts'

/** Which rows have a checksum, and what a person calls one. */
export const summedTables: Record<SummedColumn, { table: string; name: string }> = {
  entry: { table: 'entries', name: "'event ' || seq" },
  relation: { table: 'relations', name: "'a relation of event ' || seq" },
  outcome: { table: 'outcomes', name: "'what became of event ' || seq || ' on ' || channel" },
  chain: { table: 'chain', name: "'batch ' || number || ' of the chain'" },
  state: { table: 'state', name: "'the state ' || key" },
  figure: { table: 'figures', name: "'a published figure of ' || model" },
  figure_span: { table: 'figure_spans', name: "'what was read of the figures of ' || model" },
}

/** Numbers above those that retention dropped, up to the last that was given, without an entry: each range once. */
export const missingNumbers = `
with known (seq) as (
  select dropped from clock union select seq from entries, clock where seq > dropped
  union select coalesce((select seq from sqlite_sequence where name = 'entries'), 0) + 1
)
select seq + 1 as first, next - 1 as last
from (select seq, lead(seq) over (order by seq) as next from known) where next > seq + 1 limit 100`

/** So many rows are read at once: a page that somebody asks for meanwhile waits for some milliseconds. */
const atOnce = 2_000

/**
 * Reads everything: SQLite's own check, which also checks the index of words, the checksum of each row, and whether a number is missing.
 * Returns what differs from what was written, a phrase each; nothing else if there is much of it.
 */
export async function verifyDatabase(ask: RunQuery): Promise<string[]> {
  const steps = [
    () => sqliteFinds(ask),
    ...(Object.keys(summedTables) as SummedColumn[]).map((what) => () => wrongSums(ask, what)),
    () => missingEvents(ask),
    () => missingWords(ask),
    () => brokenWords(ask),
  ]
  const phrases = new Set<string>()
  for (const step of steps) for (const phrase of await orDamage(step)) phrases.add(phrase)
  return [...phrases]
}

/** A page that cannot be read hides what else is wrong in its table alone. */
async function orDamage(step: () => Promise<string[]>): Promise<string[]> {
  try {
    return await step()
  } catch (error) {
    if (!isDamage(error)) throw error
    return [`${sqliteReports} ${reasonOf(error)}`]
  }
}

const sqliteReports = 'SQLite reports:'
const wordsLack = 'the search index lacks'

/** Whether the next start can mend what was found, all or a part of it. */
export function isMendable(found: readonly string[]): boolean {
  return found.some((phrase) => [sqliteReports, wordsLack].some((begin) => phrase.startsWith(begin)))
}

async function sqliteFinds(ask: RunQuery): Promise<string[]> {
  const checked = await ask<{ integrity_check: string }>('pragma integrity_check(5)')
  return checked
    .map(({ integrity_check }) => integrity_check)
    .filter((text) => text !== 'ok')
    .map((text) => `${sqliteReports} ${text}`)
}

async function missingEvents(ask: RunQuery): Promise<string[]> {
  const missing = await ask<{ first: number; last: number }>(missingNumbers)
  return missing.length === 0 ? [] : [missingText(missing)]
}

/** SQLite's check sees whether its index of words can be read, and not whether a letter in it is another. */
async function missingWords(ask: RunQuery): Promise<string[]> {
  const damages: string[] = []
  for (let from = 0, isMore = true; isMore; ) {
    const rows = await ask<{ seq: number; entry: string; wrong: number }>(wordsOf, [from, atOnce / 4])
    const [firstSeq = 0, lastSeq = 0] = [rows[0]?.seq, rows.at(-1)?.seq]
    const bySeq = rows
      .filter(({ wrong }) => wrong === 0)
      .map(({ seq, entry }) => ({ seq, words: searchWords(entryFrom(entry)) }))
    const words = new Set(bySeq.flatMap((row) => row.words))
    const matches = await ask<{ word: string; seqs: string }>(seqsOf, [
      JSON.stringify([...words]),
      firstSeq,
      lastSeq,
    ])
    const seqsByWord = new Map(matches.map(({ word, seqs }) => [word, new Set<number>(JSON.parse(seqs))]))
    const lacking = bySeq.filter((row) => !row.words.every((word) => seqsByWord.get(word)?.has(row.seq)))
    damages.push(...lacking.map(({ seq }) => `${wordsLack} event ${seq}`))
    isMore = rows.length === atOnce / 4
    from = lastSeq
  }
  return damages
}

const wordsOf = `
select seq, entry, sum is not ${newSum(sqlite, 'entry', {}, 'entries.')} as wrong
from entries where seq > $1 order by seq limit $2`

/** By word and not by event: all words of one event at once took a second for 500 of 6,000 events. */
const seqsOf = `
select each.value as word, json_group_array(search.rowid) as seqs
from json_each($1) as each cross join search
where search match '"' || each.value || '"' and search.rowid between $2 and $3 group by each.value`

/** A whole word is found behind a length that is wrong, and its beginning is not: words that run into one another show it. */
async function brokenWords(ask: RunQuery): Promise<string[]> {
  await ask("create virtual table if not exists temp.all_words using fts5vocab('main', 'search', 'row')")
  const [row] = await ask<{ count: number }>('select count(*) as count from all_words where term glob $1', [
    '*[\x01-/:-`{-\x7f]*',
  ])
  return row?.count === 0 ? [] : [`${wordsLack} all of its words`]
}

async function wrongSums(ask: RunQuery, what: SummedColumn): Promise<string[]> {
  const { table, name } = summedTables[what]
  const damages: string[] = []
  const text = `
select rowid as row, ${name} as name, sum is not ${newSum(sqlite, what, {}, `${table}.`)} as wrong
from ${table} where rowid > $1 order by rowid limit $2`
  for (let from = 0, isMore = true; isMore; ) {
    const rows = await ask<{ row: number; name: string; wrong: number }>(text, [from, atOnce])
    damages.push(
      ...rows.filter(({ wrong }) => wrong === 1).map((row) => `${row.name} differs from what was written`),
    )
    isMore = rows.length === atOnce
    from = rows.at(-1)?.row ?? 0
  }
  return damages
}

export function missingText(ranges: readonly { first: number; last: number }[]): string {
  const numbers = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`))
  return `events are missing: ${numbers.length === 1 && !numbers[0]?.includes(' ') ? 'number' : 'numbers'} ${numbers.join(', ')}`
}

/** What stands in place of an outcome that cannot be read, or of one that is pending for an entry that cannot be read. */
const failed: Failed = {
  state: 'failed',
  at: '',
  attempts: 0,
  why: 'its record was damaged on the disk, so it may have been sent',
  unanswered: 1,
}

const columns = {
  state: "'failed'",
  due: 'null',
  ready: 'null',
  lease: 'null',
  lease_session: 'null',
  outcome: '$1',
}
const assignments = Object.entries(columns).map(([name, value]) => `${name} = ${value}`)

const mendAll = `
update outcomes set ${assignments.join(', ')}, sum = ${newSum(sqlite, 'outcome', columns, 'outcomes.')}
where (not ${isWhole(sqlite, 'outcome', 'outcomes')} or (state in ('waiting', 'held')
  and not exists (select 1 from entries e where e.seq = outcomes.seq and ${isWhole(sqlite, 'entry', 'e')})))`

/**
 * The statement, and its values, that marks damaged outcomes as failed. People then see them and can send them again; otherwise
 * they would stay pending for ever. `seq`: of this entry alone.
 */
export function mending(now: number, seq?: number): { text: string; values: (string | number)[] } {
  const outcome = JSON.stringify({ ...failed, at: new Date(now).toISOString() })
  if (seq === undefined) return { text: mendAll, values: [outcome] }
  return { text: `${mendAll} and seq = $2`, values: [outcome, seq] }
}
