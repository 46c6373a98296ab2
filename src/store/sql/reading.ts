import { createNearIndex, type NearIndex } from '../near.ts'
import type { AlertCounts, Store, StoredEntry } from '../store.ts'
import type { Database } from './database.ts'
import { keyOf } from './keys.ts'
import { countStatement, listStatement } from './lists.ts'
import {
  type EntryRow,
  entryAlone,
  type NearRow,
  readConnected,
  readNaming,
  sinceEver,
  sinceLately,
  statementsOfRelated,
  withOutcomes,
} from './related.ts'
import { damaged } from './sums.ts'
import { together } from './together.ts'

/** What people and the other stages read. */
export function createReading(
  { ask, dialect }: Pick<Database, 'ask' | 'dialect'>,
  now: () => number,
): Pick<Store, 'find' | 'list' | 'countAlerts' | 'later' | 'changed'> {
  const related = statementsOfRelated(dialect)
  const row = `e.seq, e.entry, ${damaged(dialect, { e: 'entry' })}`
  /** One row of entries_id for each. Every process reads what the others accept: many of them at a time. */
  const byIds = `select ${row} from bluepencil.entries e where ${dialect.any('e.id', 1)}`

  async function indexOf(reading: Promise<NearRow[]>): Promise<NearIndex> {
    const index = createNearIndex()
    for (const one of await reading) index.add(one)
    return index
  }

  const near = (eventId: string, since: number, how?: 'namedBy') =>
    indexOf(readConnected(ask, related, [keyOf(eventId)], since, how))

  const find = together(async (keys: readonly string[]) => {
    const rows = await withOutcomes(ask, related, await ask(byIds, [keys]))
    return new Map(rows.map((one) => [keyOf(one.entry.id), one]))
  })

  return {
    async find(eventId) {
      // Each caller may change what it is given.
      return structuredClone(await find(keyOf(eventId)))
    },
    async list(query): Promise<StoredEntry[]> {
      const { text, values } = listStatement(dialect, row, query)
      const rows = await ask<EntryRow>(text, values)
      if (query.withoutOutcomes) return rows.map(entryAlone)
      return await withOutcomes(ask, related, rows)
    },
    async countAlerts({ channel, since }) {
      const [counts] = await ask<AlertCounts>(countStatement, [channel, since])
      return counts ?? { received: 0, sent: 0 }
    },
    later: async (eventId) => (await near(eventId, sinceEver)).laterOf(eventId),
    changed: async (by) =>
      (
        await (by === undefined
          ? indexOf(readNaming(ask, related, now()))
          : near(by, sinceLately(now()), 'namedBy'))
      ).changed(by),
  }
}
