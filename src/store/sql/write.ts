import { type Entry, isFinding } from '../../event/event.ts'
import type { Outcome } from '../../event/outcome.ts'
import { dayMs } from '../../platform/durations.ts'
import { searchWords } from '../list-filter.ts'
import { type Decided, heldUntil } from '../store.ts'
import type { Transaction } from './database.ts'
import type { SqlDialect } from './dialect.ts'
import type { GatheredCommit } from './gather.ts'
import { keyOf } from './keys.ts'
import { entryColumns, fromNew, newSum, outcomeColumns, relationColumns, valuesOf } from './tables.ts'

/**
 * Numbers are given in the order of the rows. An id that another process accepted in the meantime fails the statement, and the commit is
 * done again. `at` is never before the time that is believed. Example: the clock was right at 12:00 and is set back to 9:00. An event that
 * comes now is stored as of 12:00, or it would seem three hours old once the clock is right. `at` is null if the database's time counts.
 */
export function statementsOfWrite(d: SqlDialect) {
  const at = d.greatest(`coalesce(new.at, ${d.now})`, 'coalesce((select believed from bluepencil.clock), 0)')
  const ofOutcome = Object.keys(outcomeColumns)
  const changed = { seq: 'bigint', channel: 'text', ...outcomeColumns } as const
  const sum = (place: string) => newSum(d, 'outcome', { place, lease: 'null', lease_session: 'null' }, 'new.')
  const ofEntry = `coalesce(new.seq, ${d.nextSeq})`
  /** Of an entry of this commit. */
  const seq = 'coalesce(new.seq, (select e.seq from bluepencil.entries e where e.id = new.id))'
  const ofNew = { channel: 'text', place: 'bigint', ...outcomeColumns } as const
  return {
    insertEntries: d.insert(
      'entries',
      { seq: ofEntry, at, ...fromNew(entryColumns), sum: newSum(d, 'entry', { seq: ofEntry, at }, 'new.') },
      { seq: 'bigint', at: 'bigint', ...entryColumns },
    ),
    insertRelations: d.insert(
      'relations',
      { seq, ...fromNew(relationColumns), sum: newSum(d, 'relation', { seq }, 'new.') },
      { seq: 'bigint', ...relationColumns },
    ),
    /** Of new entries. */
    insertOutcomes: d.insert(
      'outcomes',
      {
        seq,
        ...fromNew(ofNew),
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

/** A new entry, as it is written. */
interface NumberedEntry extends Decided {
  /** Null if the database gives the number. */
  seq: number | null
  /** When it counts as accepted, milliseconds since the epoch; null if the database's time counts. */
  at: number | null
}

/** What was gathered, as last statements. */
export function writeGathered(
  { writeRows, lock }: Pick<Transaction, 'writeRows' | 'lock'>,
  statements: ReturnType<typeof statementsOfWrite>,
  { added, changed }: { added: readonly NumberedEntry[]; changed: GatheredCommit['changed'] },
  moment: ClockReading,
): void {
  if (added.length > 0) lock({ on: 'order' })
  const keyed = added.map((one) => ({ ...one, id: keyOf(one.entry.id) }))
  writeRows(
    statements.insertEntries,
    keyed.map(({ seq, at, id, entry }) => [seq, at, ...entryValues(id, entry)]),
  )
  writeRows(
    statements.insertRelations,
    keyed.flatMap(({ seq, entry }) => relationValues(entry).map((values) => [seq, ...values])),
  )
  writeRows(
    statements.insertOutcomes,
    keyed.flatMap(({ seq, id, outcomes }) =>
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
    keyed.map(({ seq, id, entry }) => [seq, id, searchWords(entry).join(' ')]),
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

function entryValues(id: string, entry: Entry): unknown[] {
  const alert = entry.kind === 'alert' ? entry : undefined
  return valuesOf(entryColumns, {
    id,
    kind: entry.kind,
    way: alert === undefined ? null : isFinding(alert) ? 'figures' : 'service',
    type: lowerKey(alert?.type),
    model: keyOrNull(alert?.model),
    category: lowerKey(alert?.category),
    delta: alert?.delta ?? null,
    detected: detectedMs(entry),
    received: Date.parse(entry.receivedAt) || 0,
    content: alert?.content ?? null,
    entry: JSON.stringify(entry),
  })
}

/** In the order of `relationColumns`: what an entry says of others, each of one kind once. */
function relationValues(entry: Entry): unknown[][] {
  const id = keyOf(entry.id)
  if (entry.kind === 'act') return entry.about === null ? [] : [[id, 'about', keyOf(entry.about)]]
  if (entry.kind !== 'alert') return []
  const { sameAs, revises, confirms, story = {} } = entry
  const named: [kind: string, id: string | null | undefined][] = [
    ['same', sameAs],
    ['revises', revises],
    ['confirms', confirms],
    ...[...new Set(Object.values(story))].map((leader): [string, string] => ['story', leader]),
  ]
  return named.flatMap(([kind, other = null]) => (other === null ? [] : [[id, kind, keyOf(other)]]))
}

/** Lists ignore the case of what you filter by. */
function lowerKey(text: string | null | undefined): string | null {
  return keyOrNull(text?.toLowerCase())
}

function keyOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : keyOf(text)
}

/** The time here, milliseconds since the epoch, and how far the store's own clock is ahead of it. */
export interface ClockReading {
  now: number
  aheadMs: number
}

/**
 * What waits is due by the store's clock; a held alert ends at a time of day. What is due at once is ready
 * for any clock: two processes whose clocks differ a little would change the order else.
 */
function outcomeValues(outcome: Outcome, { now, aheadMs }: ClockReading): unknown[] {
  const dueHere = dueOf(outcome, now)
  const due = dueHere === null || outcome.state === 'held' ? dueHere : dueHere + aheadMs
  const ready = dueHere !== null && dueHere <= now ? 0 : due
  return valuesOf(outcomeColumns, {
    state: outcome.state,
    due,
    ready: outcome.state === 'waiting' ? ready : null,
    outcome: JSON.stringify(outcome),
  })
}

/** Nothing is put off for so long: a clock was ahead then, or is behind now. */
export const longestWaitMs = 2 * dayMs

/**
 * When an outcome is due, or when its wait ends, milliseconds since the epoch. A time that cannot be read, or that is years away, is
 * due at once: late is better than never.
 */
function dueOf(outcome: Outcome, now: number): number | null {
  if (outcome.state === 'held') return heldUntil(outcome)
  if (outcome.state !== 'waiting') return null
  const at = Date.parse(outcome.dueAt)
  if (Number.isNaN(at)) return 0
  return at > now + longestWaitMs ? now : at
}

/** When the service saw it, milliseconds since the epoch; 0 if unknown, or if it is a finding of ours. */
function detectedMs(entry: Entry): number {
  if (entry.kind !== 'alert' || entry.detectedAt === null || isFinding(entry)) return 0
  const ms = Date.parse(entry.detectedAt)
  return Number.isNaN(ms) ? 0 : ms
}
