import { type Store, StoreUnavailable } from '../store.ts'
import { createChain } from './chain.ts'
import type { Database } from './database.ts'
import { unavailable } from './failure.ts'
import { createFigures } from './figures.ts'
import { createLeases } from './leases.ts'
import type { ChangeFeed, Sessions } from './processes.ts'
import { createReading } from './reading.ts'
import { createRetention } from './retention.ts'
import { createProbe, createState } from './state.ts'
import { createWriter } from './writer.ts'

interface StoreParts {
  database: Database
  feed: ChangeFeed
  sessions: Sessions
  /** Milliseconds since the epoch. */
  now(): number
  /** How far the store's clock is ahead of that: what is due goes by it. */
  aheadMs?(): number
  /** When what is accepted now counts as accepted, and a test's time for retention; null if the database's own time counts. */
  testTime(): number | null
  /** A sentence that the clock is in doubt, so that no old event is dropped, and null when it no longer is. */
  onDoubt?: ((sentence: string | null) => void) | undefined
}

/** The store in a database whose tables are there. */
export function storeIn({
  database,
  feed,
  sessions,
  now,
  aheadMs = () => 0,
  testTime,
  onDoubt = () => undefined,
}: StoreParts): Store {
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  /** Closing waits for all that has begun. */
  async function guarded<T>(failing: string, work: () => Promise<T>): Promise<T> {
    if (closing !== undefined) throw new StoreUnavailable('the store is closed')
    const done = work()
    underWay.add(done)
    try {
      return await done
    } catch (error) {
      throw unavailable(failing, error)
    } finally {
      underWay.delete(done)
    }
  }

  const storing = <T>(work: () => Promise<T>) => guarded('it could not be stored', work)
  const open: Database = {
    ...database,
    ask: (text, values) => guarded('the store could not be read', () => database.ask(text, values)),
    transaction: (work) => storing(() => database.transaction(work)),
  }
  const writer = createWriter({ database, feed, now, aheadMs, acceptedAt: testTime })
  const begun = () => storing(sessions.begun)
  const probe = createProbe(database)

  async function close(): Promise<void> {
    await Promise.allSettled(underWay)
    await writer.idle()
    await sessions.close()
    await feed.close()
    await database.close()
  }

  return {
    ...createLeases({ database: open, sessions: { ...sessions, begun }, now, aheadMs }),
    ...createReading(open, now),
    ...createState(open, { feed, sessions }),
    ...createRetention(open, { testTime, onDoubt, onDropped: writer.forget }),
    chain: createChain(open),
    figures: createFigures(open),
    accept: (batch) => storing(() => writer.accept(batch)),
    settle: (eventId, channel, outcome, lease) =>
      storing(() => writer.change(eventId, channel, () => outcome, lease)),
    alter: (eventId, channel, change) => storing(() => writer.change(eventId, channel, change)),
    hold: sessions.hold,
    changes: feed.listen,
    probe: () => guarded('an event could not be stored now', probe),
    close() {
      closing ??= close()
      return closing
    },
  }
}
