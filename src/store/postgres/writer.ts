import type { ChangeOutcome, NewEntry, Verdict } from '../store.ts'
import type { Database, Transaction } from './database.ts'
import { isConflict, isRefusal, unavailable } from './failure.ts'
import { type Gathered, gather, type Request, wantedBy } from './gather.ts'
import { lockKinds, lockOf } from './keys.ts'
import { readKnown } from './known.ts'
import { checkNone, readNear, type Wanted } from './near-rows.ts'
import type { News } from './news.ts'
import { writeGathered } from './write.ts'

interface WriterParts {
  database: Database
  news: News
  /** A test's own time; else null, and the database's counts. */
  testTime: () => number | null
}

/**
 * One transaction at a time, for whatever was asked for while the last one was under way: the more there is to do, the more
 * share a commit. Requests are done in the order in which they came.
 */
export interface Writer {
  accept(batch: readonly NewEntry[]): Promise<Verdict[]>
  change(eventId: string, channel: string, change: ChangeOutcome, lease?: string): Promise<boolean>
  /** Ends when nothing waits and nothing is under way. */
  idle(): Promise<void>
}

/** So many requests in one transaction: about a megabyte of events. */
const mostRequests = 500
/** How often a commit is done again where another process was in the way. */
const mostTries = 6

const lockModels = `
select pg_advisory_xact_lock($1, lock) from (select distinct unnest($2::int[]) lock order by 1) locks`

/** Nothing is dropped while outcomes change. */
const lockRetention = 'select pg_advisory_xact_lock_shared($1, 0)'

export function createWriter({ database, news, testTime }: WriterParts): Writer {
  let queue: Request[] = []
  let running: Promise<void> | undefined

  function ask(request: Request): void {
    queue.push(request)
    running ??= run()
  }

  async function run(): Promise<void> {
    // Whoever asks in the same turn shares the first commit.
    await Promise.resolve()
    while (queue.length > 0) {
      const requests = queue.slice(0, mostRequests)
      queue = queue.slice(requests.length)
      await commit(requests)
    }
    running = undefined
  }

  async function commit(requests: readonly Request[]): Promise<void> {
    try {
      for (const answer of await tryToCommit(requests)) answer()
    } catch (error) {
      // One that the database refuses does not take the others with it.
      if (requests.length > 1 && isRefusal(error)) {
        for (const one of requests) await commit([one])
        return
      }
      for (const one of requests) {
        one.reject(
          unavailable(`the ${one.kind === 'accept' ? 'event' : 'outcome'} could not be stored`, error),
        )
      }
    }
  }

  /** First without the locks of models, since nothing came by the other way for most: a lock is then held for a moment. */
  async function tryToCommit(requests: readonly Request[]): Promise<(() => void)[]> {
    /** Whose messages are decided about; undefined as long as nothing is locked. Models before outcomes: else two could wait for each other. */
    let locked: string[] | undefined = requests.every(({ kind }) => kind === 'accept') ? undefined : []
    for (let tries = 1; ; tries += 1) {
      const telling = news.begin()
      try {
        let gathered: Gathered | undefined
        await database.transaction(async (transaction) => {
          const found = await gatherIn(transaction, requests, locked)
          if (found instanceof NeedsLock) {
            locked = [...(locked ?? []), ...found.channels]
            return
          }
          gathered = found
          if (found.news.length > 0) telling.write(transaction, found.news)
        })
        telling.ended(true)
        if (gathered !== undefined) return gathered.answers
      } catch (error) {
        telling.ended(false)
        if (!isConflict(error) || tries === mostTries) throw error
        locked ??= []
      }
    }
  }

  /** `NeedsLock` where it cannot be decided without it. */
  async function gatherIn(
    transaction: Transaction,
    requests: readonly Request[],
    locked: readonly string[] | undefined,
  ): Promise<Gathered | NeedsLock> {
    const now = testTime() ?? Date.now()
    const { ask, write } = transaction
    const wanted = { ...wantedBy(requests), on: [...(locked ?? [])] }
    const models = modelsOf(requests)
    const isLocked = locked !== undefined
    const [, , known, rows] = await Promise.all([
      isLocked &&
        models.length > 0 &&
        ask(lockModels, [lockKinds.model, [...models, ...locked.map((channel) => lockOf(`on ${channel}`))]]),
      requests.some(({ kind }) => kind === 'change') && ask(lockRetention, [lockKinds.retention]),
      readKnown(ask, requests),
      readNear(ask, wanted, now),
    ])
    if (!isLocked && rows.length > 0) return new NeedsLock([])
    const read = async (more: Wanted) => {
      if (!isLocked || more.on.length > 0) throw new NeedsLock(more.on)
      return await readNear(ask, more, now)
    }
    const gathered = await gather(requests, known, { read, before: { wanted, rows } }).catch(unlessLocked)
    if (gathered instanceof NeedsLock) return gathered
    if (!isLocked && models.length > 0) {
      write(lockModels, [lockKinds.model, models])
      checkNone(write, wanted, now)
    }
    writeGathered(transaction, gathered, { now, testTime: testTime() })
    return gathered
  }

  return {
    accept: (batch) =>
      new Promise((resolve, reject) => {
        if (batch.length === 0) resolve([])
        else ask({ kind: 'accept', batch, resolve, reject })
      }),
    change: (eventId, channel, change, lease) =>
      new Promise((resolve, reject) =>
        ask({ kind: 'change', eventId, channel, change, lease, resolve, reject }),
      ),
    async idle() {
      while (running !== undefined) await running
    },
  }
}

/** A decision asks for more than what was read without a lock; of these channels, too. */
class NeedsLock extends Error {
  override readonly name = 'NeedsLock'
  readonly channels: readonly string[]

  constructor(channels: readonly string[]) {
    super('to be decided under a lock')
    this.channels = channels
  }
}

function unlessLocked(error: unknown): NeedsLock {
  if (error instanceof NeedsLock) return error
  throw error
}

/** Decisions of one model are made one after the other, whoever makes them. */
function modelsOf(requests: readonly Request[]): number[] {
  return requests.flatMap((request) =>
    request.kind === 'change'
      ? []
      : request.batch.flatMap((one) =>
          'decide' in one && one.entry.kind === 'alert' ? [lockOf(one.entry.model)] : [],
        ),
  )
}
