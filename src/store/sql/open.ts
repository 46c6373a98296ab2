import { type Store, StoreUnavailable } from '../store.ts'
import { createChain } from './chain.ts'
import type { Database } from './database.ts'
import { unavailable } from './failure.ts'
import { createFigures } from './figures.ts'
import { createLeases } from './leases.ts'
import type { ChangeFeed, Sessions } from './processes.ts'
import { createReading } from './reading.ts'
import { createRetention } from './retention.ts'
import { createState } from './state.ts'
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
  const writer = createWriter({ database, feed, now, aheadMs, acceptedAt: testTime })
  const leases = createLeases({ database, sessions, now, aheadMs })
  const reading = createReading(database, now)
  const chain = createChain(database)
  const figures = createFigures(database)
  const state = createState(database, { feed, sessions })
  const retention = createRetention(database, { testTime, onDoubt, onDropped: writer.forget })
  const pending = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  /** Closing waits for all work that has begun. */
  async function whileOpen<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (closing !== undefined) throw new StoreUnavailable('the store is closed')
    const done = work()
    pending.add(done)
    try {
      return await done
    } catch (error) {
      throw unavailable(what, error)
    } finally {
      pending.delete(done)
    }
  }

  const read = <T>(work: () => Promise<T>) => whileOpen('the store could not be read', work)
  const write = <T>(work: () => Promise<T>) => whileOpen('it could not be stored', work)

  async function close(): Promise<void> {
    await Promise.allSettled(pending)
    await writer.idle()
    await sessions.close()
    await feed.close()
    await database.close()
  }

  return {
    accept: (batch) => write(() => writer.accept(batch)),
    leaseDue: (channel, when) => write(() => leases.leaseDue(channel, when)),
    nextDue: (channel) => read(() => leases.nextDue(channel)),
    pending: (channel) => read(() => leases.pending(channel)),
    held: () => read(leases.held),
    settle: (eventId, channel, outcome, lease) =>
      write(() => writer.change(eventId, channel, () => outcome, lease)),
    alter: (eventId, channel, change) => write(() => writer.change(eventId, channel, change)),
    find: (eventId) => read(() => reading.find(eventId)),
    later: (eventId) => read(() => reading.later(eventId)),
    actsAbout: (eventIds) => read(() => reading.actsAbout(eventIds)),
    changed: (by) => read(() => reading.changed(by)),
    list: (query) => read(() => reading.list(query)),
    countAlerts: (query) => read(() => reading.countAlerts(query)),
    chain: {
      newest: () => read(chain.newest),
      from: (number, limit) => read(() => chain.from(number, limit)),
      holding: (seq) => read(() => chain.holding(seq)),
      add: (batch) => write(() => chain.add(batch)),
    },
    figures: {
      add: (one) => write(() => figures.add(one)),
      read: (query) => read(() => figures.read(query)),
      series: () => read(figures.series),
      revised: () => read(figures.revised),
      spans: (query) => read(() => figures.spans(query)),
      all: (query) => read(() => figures.all(query)),
      dropBefore: (time) => write(() => figures.dropBefore(time)),
    },
    backlog: () => read(leases.backlog),
    retain: (before, witnesses) => write(() => retention.retain(before, witnesses)),
    horizon: () => read(retention.horizon),
    readState: (key) => read(() => state.readState(key)),
    changeState: (key, change) => write(() => state.changeState(key, change)),
    acquireLease: (name, waiting) => sessions.acquireLease(name, waiting),
    changes: (onChange) => feed.listen(onChange),
    probe: () => whileOpen('an event could not be stored now', () => state.probe()),
    close() {
      closing ??= close()
      return closing
    },
  }
}
