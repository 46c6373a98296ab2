import type { Ask } from '../sql/database.ts'
import { sqlite } from '../sql/dialect.ts'
import { newSum, type Summed } from '../sql/sums.ts'

/** Which rows have a checksum, and what a person calls one. */
export const summedTables: Record<Summed, { table: string; name: string }> = {
  entry: { table: 'entries', name: "'event ' || seq" },
  relation: { table: 'relations', name: "'a relation of event ' || seq" },
  outcome: { table: 'outcomes', name: "'what became of event ' || seq || ' on ' || channel" },
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
 * Answers what is not as it was written, a phrase each; nothing else if there is much of it.
 */
export async function verifyDatabase(ask: Ask): Promise<string[]> {
  const checked = await ask<{ integrity_check: string }>('pragma integrity_check(5)')
  const found = checked
    .map(({ integrity_check }) => integrity_check)
    .filter((text) => text !== 'ok')
    .map((text) => `SQLite reports: ${text}`)
  for (const what of Object.keys(summedTables) as Summed[]) found.push(...(await wrongSums(ask, what)))
  const missing = await ask<{ first: number; last: number }>(missingNumbers)
  if (missing.length > 0) found.push(missingText(missing))
  return found
}

async function wrongSums(ask: Ask, what: Summed): Promise<string[]> {
  const { table, name } = summedTables[what]
  const found: string[] = []
  const text = `
select rowid as row, ${name} as name, sum is not ${newSum(sqlite, what, {}, `${table}.`)} as wrong
from ${table} where rowid > $1 order by rowid limit $2`
  for (let from = 0, isMore = true; isMore; ) {
    const rows = await ask<{ row: number; name: string; wrong: number }>(text, [from, atOnce])
    found.push(
      ...rows.filter(({ wrong }) => wrong === 1).map((row) => `${row.name} is not as it was written`),
    )
    isMore = rows.length === atOnce
    from = rows.at(-1)?.row ?? 0
  }
  return found
}

export function missingText(ranges: readonly { first: number; last: number }[]): string {
  const numbers = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`))
  return `no event is there with the ${numbers.length === 1 && !numbers[0]?.includes(' ') ? 'number' : 'numbers'} ${numbers.join(', ')}`
}
