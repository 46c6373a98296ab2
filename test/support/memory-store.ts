import type { Clock } from '../../src/platform/clock.ts'
import type { Database } from '../../src/store/sql/database.ts'
import { sqlite } from '../../src/store/sql/dialect.ts'
import { storeIn } from '../../src/store/sql/open.ts'
import type { ChangeFeed, Sessions } from '../../src/store/sql/processes.ts'
import { newSum } from '../../src/store/sql/tables.ts'
import { openDatabaseInMemory } from '../../src/store/sqlite/open.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'
import { createSessions, type Session } from './memory-sessions.ts'

/** The store's own clock. */
interface BackingOptions extends Pick<Clock, 'now' | 'sleep'> {
  /** For so long a process that was killed is taken for alive, in milliseconds. */
  termMs?: number
}

/** What several processes share, and what outlives each of them. */
export interface MemoryBacking {
  /** Another process comes to it. */
  open(options?: { onDoubt?: ((sentence: string | null) => void) | undefined }): MemoryStore
  /** All processes end now, and nobody waits for their term. */
  crash(): Promise<void>
}

/** A store as one process has it. */
export interface MemoryStore extends Store {
  /** Its process ends without a word: nothing that it asked, or asks, is ever answered. */
  kill(): void
  /** It loses what it holds, as if its connection broke, and goes on. */
  lose(): void
}

/** How long a database waits for a sign of life, in milliseconds. */
const usualTermMs = 30_000

const free = `
update bluepencil.outcomes set lease = null, lease_session = null, ready = 0,
  sum = ${newSum(sqlite, 'outcome', { lease: 'null', lease_session: 'null', ready: '0' })}
where lease_session = $1`

/**
 * The SQL of a store that is shared, on a database in memory, for any number of processes of a test: each has a handle of its own.
 * The special parts of Postgres are played: sessions, their locks, and their notifications to each other.
 */
export function createMemoryBacking({ termMs = usualTermMs, ...clock }: BackingOptions): MemoryBacking {
  const { now } = clock
  const database: Database = { ...openDatabaseInMemory(), isAlone: false, close: async () => undefined }
  const sessions = createSessions()
  const opened: Session[] = []

  /** What it had leased falls due before another has its lanes. */
  async function end(session: Session): Promise<void> {
    session.isOver = true
    await database.transaction(async ({ write }) => write(free, [session.id]))
    sessions.end(session)
  }

  function sessionsOf(session: Session): Sessions {
    const check = async () => {
      if (session.isOver) throw new StoreUnavailable('the store is closed')
    }
    return {
      begun: async () => {
        await check()
        return session.id
      },
      check,
      checkAny: check,
      acquireLease: (name, waiting) => sessions.acquireLease(session, name, waiting),
      close: () => end(session),
    }
  }

  function feedOf(session: Session): ChangeFeed {
    return {
      write: () => undefined,
      ended(changes, how) {
        if (how === 'committed') for (const change of changes) sessions.changed(session, change)
      },
      listen(onChange) {
        session.listeners.add(onChange)
        return () => void session.listeners.delete(onChange)
      },
      close: async () => undefined,
    }
  }

  return {
    open({ onDoubt } = {}) {
      const session = sessions.open()
      opened.push(session)
      const store = storeIn({
        database,
        feed: feedOf(session),
        sessions: sessionsOf(session),
        now,
        testTime: now,
        onDoubt,
      })
      return {
        ...answeredWhile(store, () => !session.isKilled),
        kill() {
          session.isKilled = true
          sessions.leave(session)
          void clock.sleep(termMs).then(() => end(session))
        },
        lose: () => sessions.lose(session),
      }
    },
    async crash() {
      for (const session of opened) await end(session)
    },
  }
}

/** A process that was killed gets no notification. */
function answeredWhile<Target extends object>(target: Target, isAlive: () => boolean): Target {
  const orNever = <T>(answer: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      answer.then(
        (value) => isAlive() && resolve(value),
        (error: unknown) => isAlive() && reject(error),
      )
    })
  return new Proxy(target, {
    get(of, key) {
      const value: unknown = Reflect.get(of, key)
      if (typeof value === 'object' && value !== null) return answeredWhile(value, isAlive)
      if (typeof value !== 'function' || key === 'changes') return value
      return (...args: unknown[]) =>
        isAlive() ? orNever(Reflect.apply(value, of, args)) : new Promise(() => undefined)
    },
  })
}
