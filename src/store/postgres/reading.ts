import { createNearIndex, type NearIndex } from '../near.ts'
import type { Store, StoredEntry } from '../store.ts'
import type { Database } from './database.ts'
import { keyOf } from './keys.ts'
import { type NearRow, readConnected, readNaming, sinceEver, sinceLately, withOutcomes } from './near-rows.ts'
import { together } from './together.ts'

/** One row of entries_id for each. Every process reads what the others accept: many of them at a time. */
const byIds = 'select seq, entry from bluepencil.entries where id = any($1)'

/** The primary key, backwards: as many rows as are asked for, however many there are. */
const newest = `
select seq, entry from bluepencil.entries where seq < $1 order by seq desc limit $2`

/** What people and the other stages read. */
export function createReading(
  { ask }: Pick<Database, 'ask'>,
  now: () => number,
): Pick<Store, 'find' | 'list' | 'later' | 'changed'> {
  async function indexOf(reading: Promise<NearRow[]>): Promise<NearIndex> {
    const index = createNearIndex()
    for (const row of await reading) index.add(row)
    return index
  }

  const near = (eventId: string, since: number) => indexOf(readConnected(ask, [keyOf(eventId)], since))

  const find = together(async (keys: readonly string[]) => {
    const rows = await withOutcomes(ask, await ask(byIds, [keys]))
    return new Map(rows.map((row) => [keyOf(row.entry.id), row]))
  })

  return {
    async find(eventId) {
      // Each caller may change what it is given.
      return structuredClone(await find(keyOf(eventId)))
    },
    async list({ limit, before = Number.MAX_SAFE_INTEGER }): Promise<StoredEntry[]> {
      return await withOutcomes(ask, await ask(newest, [before, limit]))
    },
    later: async (eventId) => (await near(eventId, sinceEver)).laterOf(eventId),
    changed: async (by) =>
      (await (by === undefined ? indexOf(readNaming(ask, now())) : near(by, sinceLately(now())))).changed(by),
  }
}
