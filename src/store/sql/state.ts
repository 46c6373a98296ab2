import type { StateKey, Store } from '../store.ts'
import type { Database, RunQuery } from './database.ts'
import type { SqlDialect } from './dialect.ts'
import { announced, type ChangeFeed, type Sessions } from './processes.ts'
import { damaged, newSum } from './tables.ts'

const read = (d: SqlDialect) =>
  `select s.key, s.value, ${damaged(d, { s: 'state' })} from bluepencil.state s where s.key = $1`

const write = (d: SqlDialect) => `
insert into bluepencil.state (key, value, sum) values ($1, $2, ${newSum(d, 'state', { key: '$1', value: '$2' })})
on conflict (key) do update set value = excluded.value, sum = excluded.sum`

/** Small state: one row for each key. */
export function createState(
  database: Database,
  { feed, sessions }: { feed: ChangeFeed; sessions: Sessions },
): Pick<Store, 'readState' | 'changeState' | 'probe'> {
  const upsert = write(database.dialect)
  /** A disk of our own needs room for about as much as a commit writes. */
  const room = database.isAlone ? 64 * 1024 : 1
  /** SQLite writes nothing if the same stands already. */
  let probes = 0
  /** Of one process, in the order in which they were asked for. */
  const turns = new Map<StateKey, Promise<unknown>>()

  async function change(key: StateKey, how: (before: unknown) => unknown): Promise<void> {
    await announced({ database, feed }, async (transaction, announce) => {
      transaction.lock({ on: 'state', key })
      const [before] = await Promise.all([
        readState(transaction.ask, database.dialect, key),
        sessions.checkAny(transaction.ask),
      ])
      const value = how(before)
      if (value === undefined) return
      transaction.write(upsert, [key, JSON.stringify(value)])
      announce([{ of: 'state', key }])
    })
  }

  return {
    readState: (key) => readState(database.ask, database.dialect, key),
    probe: () =>
      database.transaction(async ({ write: put }) =>
        put(upsert, ['probe', String(probes++ % 10).repeat(room)]),
      ),
    changeState(key, how) {
      const before = turns.get(key) ?? Promise.resolve()
      const done = before.then(() => change(key, how))
      turns.set(
        key,
        done.catch(() => undefined),
      )
      return done
    },
  }
}

export async function readState(ask: RunQuery, dialect: SqlDialect, key: StateKey): Promise<unknown> {
  const [row] = await ask<{ value: string | null }>(read(dialect), [key])
  const text = row?.value ?? null
  return text === null ? undefined : JSON.parse(text)
}
