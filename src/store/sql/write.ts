import { searchWords } from '../list-filter.ts'
import type { Transaction } from './database.ts'
import type { SqlDialect, TableColumns } from './dialect.ts'
import type { GatheredCommit } from './gather.ts'
import { keyOf } from './keys.ts'
import {
  type ClockReading,
  entryColumns,
  entryValues,
  outcomeColumns,
  outcomeValues,
  relationColumns,
  relationValues,
} from './rows.ts'
import { newSum } from './sums.ts'

/**
 * Numbers are given in the order of the rows. An id that another process accepted in the meantime fails the statement, and the commit is
 * done again. If the clock says that it is earlier than it was, what comes now would be taken for old when it is right again: so the
 * believed time counts. `at` is null if the database's own time counts.
 */
export function statementsOfWrite(d: SqlDialect) {
  const at = d.greatest(`coalesce(new.at, ${d.now})`, 'coalesce((select believed from bluepencil.clock), 0)')
  const ofOutcome = Object.keys(outcomeColumns)
  const changed = { seq: 'bigint', channel: 'text', ...outcomeColumns } as const
  const sum = (place: string) => newSum(d, 'outcome', { place, lease: 'null', lease_session: 'null' }, 'new.')
  const ofEntry = `coalesce(new.seq, ${d.nextSeq})`
  /** Of an entry of this commit. */
  const seq = 'coalesce(new.seq, (select e.seq from bluepencil.entries e where e.id = new.id))'
  const given = (columns: TableColumns) =>
    Object.fromEntries(Object.keys(columns).map((name) => [name, `new.${name}`]))
  const ofNew = { channel: 'text', place: 'bigint', ...outcomeColumns } as const
  return {
    insertEntries: d.insert(
      'entries',
      { seq: ofEntry, at, ...given(entryColumns), sum: newSum(d, 'entry', { seq: ofEntry, at }, 'new.') },
      { seq: 'bigint', at: 'bigint', ...entryColumns },
    ),
    insertRelations: d.insert(
      'relations',
      { seq, ...given(relationColumns), sum: newSum(d, 'relation', { seq }, 'new.') },
      { seq: 'bigint', ...relationColumns },
    ),
    /** Of new entries. */
    insertOutcomes: d.insert(
      'outcomes',
      {
        seq,
        ...given(ofNew),
        sum: newSum(d, 'outcome', { seq, lease: 'null', lease_session: 'null' }, 'new.'),
      },
      { seq: 'bigint', id: 'text', ...ofNew },
    ),
    insertWords: d.insert(
      'search',
      { [d.search.seq]: seq, words: d.search.words('new.words') },
      { seq: 'bigint', id: 'text', words: 'text' },
    ),
    /** It ends the lease. */
    updateOutcomes: `
update bluepencil.outcomes
set ${ofOutcome.map((name) => `${name} = new.${name}`).join(', ')}, lease = null, lease_session = null,
  sum = ${sum('outcomes.place')}
from ${d.rows(changed)} where outcomes.seq = new.seq and outcomes.channel = new.channel`,
    /** For a channel that the entry had none for: it stands last. */
    addOutcomes: `
with made as materialized (
  select new.*, (select coalesce(max(place), -1) + 1 from bluepencil.outcomes o where o.seq = new.seq) as place
  from ${d.rows(changed)}
)
insert into bluepencil.outcomes (seq, channel, place, ${ofOutcome.join(', ')}, sum)
select seq, channel, place, ${ofOutcome.join(', ')}, ${newSum(d, 'outcome', { lease: 'null', lease_session: 'null' })}
from made`,
  }
}

/** What was gathered, as last statements. */
export function writeGathered(
  { writeRows, lock }: Pick<Transaction, 'writeRows' | 'lock'>,
  statements: ReturnType<typeof statementsOfWrite>,
  { added, changed }: Pick<GatheredCommit, 'added' | 'changed'>,
  { moment, at, firstSeq }: { moment: ClockReading; at: number | null; firstSeq: number | undefined },
): void {
  if (added.length > 0) lock({ on: 'order' })
  const numbered = added.map((one, index) => ({
    ...one,
    seq: firstSeq === undefined ? null : firstSeq + index,
    id: keyOf(one.entry.id),
  }))
  writeRows(
    statements.insertEntries,
    numbered.map(({ seq, entry }) => [seq, at, ...entryValues(entry)]),
  )
  writeRows(
    statements.insertRelations,
    numbered.flatMap(({ seq, entry }) => relationValues(entry).map((values) => [seq, ...values])),
  )
  writeRows(
    statements.insertOutcomes,
    numbered.flatMap(({ seq, id, outcomes }) =>
      Object.entries(outcomes).map(([channel, outcome], place) => [
        seq,
        id,
        channel,
        place,
        ...outcomeValues(outcome, moment),
      ]),
    ),
  )
  writeRows(
    statements.insertWords,
    numbered.map(({ seq, id, entry }) => [seq, id, searchWords(entry).join(' ')]),
  )
  for (const isThere of [true, false]) {
    writeRows(
      isThere ? statements.updateOutcomes : statements.addOutcomes,
      changed
        .filter((one) => one.isThere === isThere)
        .map(({ seq, channel, outcome }) => [seq, channel, ...outcomeValues(outcome, moment)]),
    )
  }
}
