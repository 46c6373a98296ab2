import type { Outcome } from '../../event/outcome.ts'
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
  const { leaseDue, ...leased } = createLeases({ database, sessions, now, aheadMs })
  const { add: addToChain, ...chain } = createChain(database)
  const { add, dropBefore, ...figures } = createFigures(database)
  const { changeState, probe, readState } = createState(database, { feed, sessions })
  const { retain, horizon } = createRetention(database, { testTime, onDoubt, onDropped: writer.forget })
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

  /** The same functions, each while the store is open. */
  function guarded<Part extends object>(what: string, part: Part): Part {
    const all = Object.entries<(...given: unknown[]) => Promise<unknown>>(part as never)
    const each = all.map(([name, work]) => [
      name,
      (...given: unknown[]) => whileOpen(what, () => work(...given)),
    ])
    return Object.fromEntries(each) as Part
  }

  const reads = <Part extends object>(part: Part) => guarded('the store could not be read', part)
  const writes = <Part extends object>(part: Part) => guarded('it could not be stored', part)

  async function close(): Promise<void> {
    await Promise.allSettled(pending)
    await writer.idle()
    await sessions.close()
    await feed.close()
    await database.close()
  }

  return {
    ...reads({ ...leased, ...createReading(database, now), horizon, readState }),
    ...writes({
      accept: writer.accept,
      leaseDue,
      settle: (eventId: string, channel: string, outcome: Outcome, lease?: string) =>
        writer.change(eventId, channel, () => outcome, lease),
      alter: writer.change,
      retain,
      changeState,
    }),
    chain: { ...reads(chain), ...writes({ add: addToChain }) },
    figures: { ...reads(figures), ...writes({ add, dropBefore }) },
    acquireLease: sessions.acquireLease,
    changes: feed.listen,
    ...guarded('an event could not be stored now', { probe }),
    close() {
      closing ??= close()
      return closing
    },
  }
}
