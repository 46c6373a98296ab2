import type { StateKey, Store } from '../store.ts'
import type { Ask, Database } from './database.ts'
import type { News } from './news.ts'
import type { Sessions } from './sessions.ts'

const read = 'select value from bluepencil.state where key = $1'

/** Makes the row where it is missing, and locks it either way. */
const lock = `
insert into bluepencil.state (key) values ($1)
on conflict (key) do update set key = excluded.key returning value`

const write = 'update bluepencil.state set value = $2 where key = $1'

/** Small state: one row for each key. */
export function createState(
  database: Database,
  { news, sessions }: { news: News; sessions: Sessions },
): Pick<Store, 'readState' | 'changeState'> {
  /** Of one process, in the order in which they were asked for. */
  const turns = new Map<StateKey, Promise<unknown>>()

  async function change(key: StateKey, how: (before: unknown) => unknown): Promise<void> {
    const telling = news.begin()
    let isCommitted = false
    try {
      await database.transaction(async (transaction) => {
        const { ask } = transaction
        const [[row]] = await Promise.all([
          ask<{ value: string | null }>(lock, [key]),
          sessions.checkAny(ask),
        ])
        const value = how(parsed(row?.value))
        if (value === undefined) return
        transaction.write(write, [key, JSON.stringify(value)])
        telling.write(transaction, [{ of: 'state', key }])
      })
      isCommitted = true
    } finally {
      telling.ended(isCommitted)
    }
  }

  return {
    readState: (key) => readState(database.ask, key),
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

export async function readState(ask: Ask, key: StateKey): Promise<unknown> {
  const [row] = await ask<{ value: string | null }>(read, [key])
  return parsed(row?.value)
}

function parsed(text: string | null | undefined): unknown {
  return text === null || text === undefined ? undefined : JSON.parse(text)
}
