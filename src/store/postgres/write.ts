import type { Transaction } from './database.ts'
import type { Gathered } from './gather.ts'
import { keyOf } from './keys.ts'
import { columnsOf, dueOf, entryColumns } from './rows.ts'
import { takeTurn } from './turn.ts'

/** The store's own time, milliseconds since the epoch; `$1` is a test's, else null. */
export const storeTime = 'coalesce($1::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint)'

/**
 * One row of the index by id for each event, and one for each of its outcomes. Numbers are given in the order of the
 * arrays. An id that another process took in the meantime fails the statement, and the commit is done again. Where the clock
 * says that it is earlier than it was, what comes now would be taken for old when it is right again: so the believed time counts.
 */
const insertEntries = `
with made as (
  insert into bluepencil.entries
    (seq, at, id, detected, content, model, way, same_as, revises, confirms, about, leaders, entry)
  select nextval('bluepencil.entries_seq'), (select greatest(${storeTime}, believed) from bluepencil.clock),
    new.id, new.detected, new.content, new.model, new.way, new.same_as, new.revises, new.confirms, new.about,
    (select array_agg(one) from json_array_elements_text(new.leaders::json) one), new.entry
  from (
    select * from unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::text[], $12::text[]) with ordinality
      new (id, detected, content, model, way, same_as, revises, confirms, about, leaders, entry, place)
    order by place
  ) new
  returning seq, id
)
insert into bluepencil.outcomes (seq, channel, state, due, ready, outcome)
select made.seq, new.channel, new.state, new.due, case when new.state = 'waiting' then new.due end, new.outcome
from unnest($13::text[], $14::text[], $15::text[], $16::bigint[], $17::text[]) new (id, channel, state, due, outcome)
join made using (id)`

/** It ends the lease. */
const updateOutcomes = `
update bluepencil.outcomes
set state = new.state, due = new.due, ready = case when new.state = 'waiting' then new.due end,
  outcome = new.outcome, lease = null, lease_session = null
from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[]) new (seq, channel, state, due, outcome)
where outcomes.seq = new.seq and outcomes.channel = new.channel`

const insertOutcomes = `
insert into bluepencil.outcomes (seq, channel, state, due, ready, outcome)
select seq, channel, state, due, case when state = 'waiting' then due end, outcome
from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[]) new (seq, channel, state, due, outcome)`

/** What was gathered, as last statements. `now` sorts out times that are years away; `testTime`: see `storeTime`. */
export function writeGathered(
  { write }: Pick<Transaction, 'write'>,
  { added, changed }: Pick<Gathered, 'added' | 'changed'>,
  { now, testTime }: { now: number; testTime: number | null },
): void {
  if (added.length > 0) {
    takeTurn({ write })
    const outcomes = added.flatMap(({ entry, outcomes }) =>
      Object.entries(outcomes).map(([channel, outcome]) => [
        keyOf(entry.id),
        channel,
        outcome.state,
        dueOf(outcome, now),
        JSON.stringify(outcome),
      ]),
    )
    write(insertEntries, [testTime, ...columnsOf(added.map(entryColumns), 11), ...columnsOf(outcomes, 5)])
  }
  for (const isThere of [true, false]) {
    const rows = changed
      .filter((one) => one.isThere === isThere)
      .map(({ seq, channel, outcome }) => [
        seq,
        channel,
        outcome.state,
        dueOf(outcome, now),
        JSON.stringify(outcome),
      ])
    if (rows.length > 0) write(isThere ? updateOutcomes : insertOutcomes, columnsOf(rows, 5))
  }
}
