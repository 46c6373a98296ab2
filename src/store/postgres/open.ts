import { systemClock } from '../../clock.ts'
import { type Store, StoreUnavailable } from '../store.ts'
import { createChain } from './chain.ts'
import { openDatabase } from './database.ts'
import { refused, unavailable } from './failure.ts'
import { createLeases } from './leases.ts'
import { migrate } from './migrate.ts'
import { openNews } from './news.ts'
import { createReading } from './reading.ts'
import { createRetention } from './retention.ts'
import { createSessions } from './sessions.ts'
import { createState } from './state.ts'
import { createWriter } from './writer.ts'

interface PostgresOptions {
  /** Told in one sentence that the clock is in doubt, so that no old event is dropped, and null when it no longer is. */
  onDoubt?: ((sentence: string | null) => void) | undefined
  /** Told in one sentence, perhaps again and again, that a newer Bluepencil has changed the store: this process must end. */
  onTooOld?: ((sentence: string) => void) | undefined
  /** A test's own time, for when an event counts as accepted; else the database's. Milliseconds since the epoch. */
  now?: (() => number) | undefined
  /** After so many milliseconds of silence a process has ended; a test wants few. */
  termMs?: number | undefined
}

const probing = `
insert into bluepencil.state (key, value) values ('probe', '0')
on conflict (key) do update set value = excluded.value`

/**
 * Opens the store of any number of processes in a database of Postgres, whose tables it makes where they are missing. Throws
 * `StoreRefused` where it cannot be used. Times are the database's.
 */
export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<Store> {
  const clock = systemClock
  const testTime = () => options.now?.() ?? null
  const now = () => options.now?.() ?? Date.now()
  const database = openDatabase(url)
  try {
    await migrate(database)
    const news = await openNews(database, clock)
    return storeOf({ ...options, database, news, clock, testTime, now })
  } catch (cause) {
    await database.close()
    throw refused('the store in Postgres cannot be opened', cause)
  }
}

function storeOf({
  database,
  news,
  clock,
  testTime,
  now,
  onDoubt = () => undefined,
  onTooOld = () => undefined,
  termMs,
}: Omit<PostgresOptions, 'now'> & {
  database: ReturnType<typeof openDatabase>
  news: Awaited<ReturnType<typeof openNews>>
  clock: typeof systemClock
  testTime: () => number | null
  now: () => number
}): Store {
  const sessions = createSessions({ database, news, clock, termMs, onTooOld })
  const writer = createWriter({ database, news, testTime })
  const leases = createLeases({ database, sessions, now })
  const reading = createReading(database, now)
  const chain = createChain(database)
  const state = createState(database, { news, sessions })
  const retention = createRetention(database, { testTime, onDoubt })
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  /** So that closing can wait for all that has begun. */
  async function asked<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (closing !== undefined) throw new StoreUnavailable('the store is closed')
    const done = work()
    underWay.add(done)
    try {
      return await done
    } catch (error) {
      throw unavailable(what, error)
    } finally {
      underWay.delete(done)
    }
  }

  const read = <T>(work: () => Promise<T>) => asked('the store could not be read', work)
  const write = <T>(work: () => Promise<T>) => asked('it could not be stored', work)

  async function close(): Promise<void> {
    await Promise.allSettled(underWay)
    await writer.idle()
    await sessions.close()
    await news.close()
    await database.close()
  }

  return {
    accept: (batch) => write(() => writer.accept(batch)),
    lease: (channel, when) => write(() => leases.lease(channel, when)),
    nextDue: (channel) => read(() => leases.nextDue(channel)),
    pending: (channel) => read(() => leases.pending(channel)),
    held: () => read(leases.held),
    settle: (eventId, channel, outcome, lease) =>
      write(() => writer.change(eventId, channel, () => outcome, lease)),
    alter: (eventId, channel, change) => write(() => writer.change(eventId, channel, change)),
    find: (eventId) => read(() => reading.find(eventId)),
    later: (eventId) => read(() => reading.later(eventId)),
    changed: (by) => read(() => reading.changed(by)),
    list: (query) => read(() => reading.list(query)),
    chain: {
      newest: () => read(chain.newest),
      from: (number, limit) => read(() => chain.from(number, limit)),
      holding: (seq) => read(() => chain.holding(seq)),
      add: (batch) => write(() => chain.add(batch)),
    },
    backlog: () => read(leases.backlog),
    retain: (before, witnesses) => write(() => retention.retain(before, witnesses)),
    horizon: () => read(retention.horizon),
    readState: (key) => read(() => state.readState(key)),
    changeState: (key, change) => write(() => state.changeState(key, change)),
    hold: (name, waiting) => sessions.hold(name, waiting),
    changes: (onChange) => news.hear(onChange),
    probe: () => write(async () => void (await database.ask(probing))),
    close() {
      closing ??= close()
      return closing
    },
  }
}
