import type { Failed } from '../../event/outcome.ts'
import { sqlite } from '../sql/dialect.ts'
import { isWhole, newSum } from '../sql/sums.ts'

/** What stands in place of an outcome that cannot be read, or of one that is pending for an entry that cannot be read. */
const failed: Failed = {
  state: 'failed',
  at: '',
  attempts: 0,
  why: 'the record of it was damaged on the disk, so it may have been sent',
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
 * The statement, and its values, that lists damaged outcomes among those that failed, where people see them and can send them again.
 * A row that is left out would otherwise be pending without an end. `seq`: of this entry alone.
 */
export function mending(now: number, seq?: number): { text: string; values: (string | number)[] } {
  const outcome = JSON.stringify({ ...failed, at: new Date(now).toISOString() })
  if (seq === undefined) return { text: mendAll, values: [outcome] }
  return { text: `${mendAll} and seq = $2`, values: [outcome, seq] }
}
