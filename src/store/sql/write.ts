import { searchWords } from '../list-filter.ts'
import type { Transaction } from './database.ts'
import type { Dialect } from './dialect.ts'
import type { Gathered } from './gather.ts'
import { keyOf } from './keys.ts'
import {
  entryColumns,
  entryValues,
  type Moment,
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
export function statementsOfWrite(d: Dialect) {
  const names = Object.keys(entryColumns)
  const at = d.greatest(`coalesce(new.at, ${d.now})`, 'coalesce((select believed from bluepencil.clock), 0)')
  const ofOutcome = Object.keys(outcomeColumns)
  const changed = { seq: 'bigint', channel: 'text', ...outcomeColumns } as const
  const sum = (place: string) => newSum(d, 'outcome', { place, lease: 'null', lease_session: 'null' }, 'new.')
  return {
    insertEntries: `
with made as materialized (
  select coalesce(new.seq, ${d.nextSeq}) as seq, ${at} as at, ${names.map((name) => `new.${name}`).join(', ')}
  from ${d.rows({ seq: 'bigint', at: 'bigint', ...entryColumns })}
)
insert into bluepencil.entries (seq, at, ${names.join(', ')}, sum)
select seq, at, ${names.join(', ')}, ${newSum(d, 'entry', {})} from made`,
    insertRelations: `
insert into bluepencil.relations (seq, id, kind, named, sum)
select e.seq, new.id, new.kind, new.named, ${newSum(d, 'relation', { seq: 'e.seq' }, 'new.')}
from ${d.rows(relationColumns)} join bluepencil.entries e on e.id = new.id`,
    /** Of new entries. */
    insertOutcomes: `
insert into bluepencil.outcomes (seq, channel, place, ${ofOutcome.join(', ')}, sum)
select e.seq, new.channel, new.place, ${ofOutcome.map((name) => `new.${name}`).join(', ')},
  ${newSum(d, 'outcome', { seq: 'e.seq', lease: 'null', lease_session: 'null' }, 'new.')}
from ${d.rows({ id: 'text', channel: 'text', place: 'bigint', ...outcomeColumns })}
join bluepencil.entries e on e.id = new.id`,
    insertWords: d.search.insert,
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
  { added, changed }: Pick<Gathered, 'added' | 'changed'>,
  { moment, at, firstSeq }: { moment: Moment; at: number | null; firstSeq: number | undefined },
): void {
  if (added.length > 0) {
    lock({ on: 'order' })
    writeRows(
      statements.insertEntries,
      added.map(({ entry }, index) => [
        firstSeq === undefined ? null : firstSeq + index,
        at,
        ...entryValues(entry),
      ]),
    )
    writeRows(
      statements.insertRelations,
      added.flatMap(({ entry }) => relationValues(entry)),
    )
    writeRows(
      statements.insertOutcomes,
      added.flatMap(({ entry, outcomes }) =>
        Object.entries(outcomes).map(([channel, outcome], place) => [
          keyOf(entry.id),
          channel,
          place,
          ...outcomeValues(outcome, moment),
        ]),
      ),
    )
  }
  writeRows(
    statements.insertWords,
    added.map(({ entry }) => [keyOf(entry.id), searchWords(entry).join(' ')]),
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
