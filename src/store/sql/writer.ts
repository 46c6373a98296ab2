import { createNearIndex } from '../near.ts'
import type { ChangeOutcome, CommitVerdict, NewEntry } from '../store.ts'
import { outcomeFrom } from '../stored-format.ts'
import type { Database, RunQuery, Transaction } from './database.ts'
import type { SqlDialect } from './dialect.ts'
import { isConflict, isRefusal, unavailable } from './failure.ts'
import {
  type CommitRequest,
  foreseenFor,
  type GatheredCommit,
  gather,
  type KnownEvents,
  notYet,
} from './gather.ts'
import { keyOf, lockOf } from './keys.ts'
import { createNearby, type Nearby, nearbyIn } from './nearby.ts'
import { announced, type ChangeFeed } from './processes.ts'
import { checkNone, type RelatedQuery, readAllNear, readNear, statementsOfRelated } from './related.ts'
import { damaged } from './tables.ts'
import { statementsOfWrite, writeGathered } from './write.ts'

interface WriterParts {
  database: Database
  feed: ChangeFeed
  /** Milliseconds since the epoch. */
  now(): number
  /** How far the store's clock is ahead of that. */
  aheadMs(): number
  /** When what is accepted now counts as accepted; null if the database's own time counts. */
  acceptedAt(): number | null
}

/**
 * One transaction at a time, for all that was asked while the last one was under way: the more there is to do, the more
 * share a commit. Requests are done in the order in which they came.
 */
export interface Writer {
  accept(batch: readonly NewEntry[]): Promise<CommitVerdict[]>
  change(eventId: string, channel: string, change: ChangeOutcome, lease?: string): Promise<boolean>
  /** These were dropped. */
  forget(ids: readonly string[]): void
  /** Ends when nothing waits and nothing is under way. */
  idle(): Promise<void>
}

/** So many requests in one transaction: about a megabyte of events. */
const mostRequests = 500
/**
 * So many requests are worth a commit of their own: while it is under way, the rest of the same turn is read. Else 64 deliveries that
 * came together would all wait for one commit, and nothing would be done meanwhile. With 16, a tenth fewer are accepted.
 */
const enough = 32
/** How often a commit is done again if another process was in the way. */
const mostTries = 6

const lastSeq = "select seq from sqlite_sequence where name = 'entries'"

/** Outcomes are locked in one order by all processes, so that no two wait for each other. */
function statementsOfKnown(d: SqlDialect) {
  return {
    entries: `select id, seq, content from bluepencil.entries where ${d.any('id', 1)}`,
    outcomes: `
with asked as (select value ->> 0 as id, value ->> 1 as channel from ${d.each(1)} as wanted)
select e.id, o.channel, o.seq, o.outcome, o.lease, ${damaged(d, { o: 'outcome' })}
from asked
join bluepencil.entries e on e.id = asked.id
join bluepencil.outcomes o on o.seq = e.seq and o.channel = asked.channel
order by o.seq, o.channel
${d.forUpdate('o')}`,
  }
}

export function createWriter({ database, feed, now, aheadMs, acceptedAt }: WriterParts): Writer {
  const known = statementsOfKnown(database.dialect)
  const related = statementsOfRelated(database.dialect)
  const write = statementsOfWrite(database.dialect)
  let queue: CommitRequest[] = []
  let running: Promise<void> | undefined
  let begin = () => {}
  /** Of a process that is alone: the recent alerts as its last commit left them, and the number of the next entry. */
  let remembered: { nearby: Nearby; nextSeq: number } | undefined

  function ask(request: CommitRequest): void {
    queue.push(request)
    running ??= run()
    if (queue.length === enough) begin()
  }

  async function run(): Promise<void> {
    // Else the first of those that were read together would be a commit, and the others wait for it.
    if (database.gathersTurns) {
      await new Promise<void>((resolve) => {
        begin = resolve
        setImmediate(resolve)
      })
    }
    while (queue.length > 0) {
      const requests = queue.slice(0, mostRequests)
      queue = queue.slice(requests.length)
      await commit(requests)
    }
    running = undefined
  }

  async function commit(requests: readonly CommitRequest[]): Promise<void> {
    try {
      const { answers } = await commitTogether(requests)
      for (const answer of answers) answer()
    } catch (error) {
      // One that the database refuses does not take the others with it.
      if (requests.length > 1 && isRefusal(error)) {
        for (const request of requests) await commit([request])
        return
      }
      for (const { kind, reject } of requests) {
        reject(unavailable(`the ${kind === 'accept' ? 'event' : 'outcome'} could not be stored`, error))
      }
    }
  }

  /**
   * Beside other processes first without the locks of models, since nothing came by the other way for most: a lock is then held for a
   * moment.
   */
  async function commitTogether(requests: readonly CommitRequest[]): Promise<GatheredCommit> {
    const mayGoUnlocked = !database.isAlone && requests.every(({ kind }) => kind === 'accept')
    /** Whose messages are decided about; undefined as long as nothing is locked. Models before outcomes: else two could wait for each other. */
    let locked: string[] | undefined = mayGoUnlocked ? undefined : []
    for (let tries = 1; ; tries += 1) {
      try {
        const gathered = await announced({ database, feed }, async (transaction, announce) => {
          const done = await gatherIn(transaction, requests, locked)
          if (!(done instanceof NeedsLock)) announce(done.changes)
          return done
        })
        if (!(gathered instanceof NeedsLock)) {
          if (remembered !== undefined) remembered.nextSeq += gathered.added.length
          return gathered
        }
        locked = [...(locked ?? []), ...gathered.channels]
      } catch (error) {
        // What was remembered has what is not stored.
        remembered = undefined
        if (!isConflict(error) || tries === mostTries) throw error
        locked ??= []
      }
    }
  }

  /** `NeedsLock` if it cannot be decided without it. */
  async function gatherIn(
    transaction: Transaction,
    requests: readonly CommitRequest[],
    locked: readonly string[] | undefined,
  ): Promise<GatheredCommit | NeedsLock> {
    const { lock } = transaction
    const models = modelsOf(requests)
    if (locked !== undefined && models.length > 0)
      lock({ on: 'models', keys: [...models, ...locked.map((channel) => lockOf(`on ${channel}`))] })
    // Nothing is dropped while outcomes change.
    if (requests.some(({ kind }) => kind === 'change')) lock({ on: 'retention', shared: true })
    const decided = await (database.isAlone ? decideAlone : decideBesideOthers)(transaction, requests, locked)
    if (decided instanceof NeedsLock) return decided
    const firstSeq = remembered?.nextSeq
    const how = { moment: { now: now(), aheadMs: aheadMs() }, at: acceptedAt(), firstSeq }
    writeGathered(transaction, write, decided, how)
    return decided
  }

  /** Recent alerts are remembered: to read them for each commit made a flood four times as slow. */
  async function decideAlone(
    transaction: Transaction,
    requests: readonly CommitRequest[],
  ): Promise<GatheredCommit> {
    const [stored, { nearby, nextSeq }] = await Promise.all([
      readKnown(transaction.ask, known, requests),
      remembered ?? recall(transaction.ask),
    ])
    remembered = { nearby, nextSeq }
    return await gather(requests, stored, { nearby, firstSeq: nextSeq, read: async () => [] })
  }

  async function recall(ask: RunQuery): Promise<{ nearby: Nearby; nextSeq: number }> {
    const [last] = await ask<{ seq: number }>(lastSeq)
    const index = createNearIndex()
    for (const row of await readAllNear(ask, related, now())) index.add(row)
    return { nearby: nearbyIn(index), nextSeq: (last?.seq ?? 0) + 1 }
  }

  async function decideBesideOthers(
    { ask, write: writeLast, lock }: Transaction,
    requests: readonly CommitRequest[],
    locked: readonly string[] | undefined,
  ): Promise<GatheredCommit | NeedsLock> {
    const foreseen = { ...foreseenFor(requests), on: [...(locked ?? [])] }
    const reading = (query: RelatedQuery) => readNear(ask, related, query, now())
    const [stored, rows] = await Promise.all([readKnown(ask, known, requests), reading(foreseen)])
    if (locked === undefined && rows.length > 0) return new NeedsLock([])
    const read = async (missing: RelatedQuery) => {
      if (locked === undefined || missing.on.length > 0) throw new NeedsLock(missing.on)
      return await reading(missing)
    }
    const nearby = createNearby()
    nearby.read(foreseen, rows)
    const gathered = await gather(requests, stored, { nearby, firstSeq: notYet, read }).catch(unlessLocked)
    const models = modelsOf(requests)
    if (!(gathered instanceof NeedsLock) && locked === undefined && models.length > 0) {
      lock({ on: 'models', keys: models })
      checkNone(writeLast, related, foreseen, now())
    }
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
    forget(ids) {
      for (const id of ids) remembered?.nearby.remove(id)
    },
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

async function readKnown(
  ask: RunQuery,
  statements: ReturnType<typeof statementsOfKnown>,
  requests: readonly CommitRequest[],
): Promise<KnownEvents> {
  const ids = new Set<string>()
  const places = new Map<string, [id: string, channel: string]>()
  for (const request of requests) {
    if (request.kind === 'accept') for (const { entry } of request.batch) ids.add(keyOf(entry.id))
    else {
      const id = keyOf(request.eventId)
      ids.add(id)
      places.set(`${id}\n${request.channel}`, [id, request.channel])
    }
  }
  const [entries, outcomes] = await Promise.all([
    ask<{ id: string; seq: number; content: string | null }>(statements.entries, [[...ids]]),
    places.size === 0
      ? []
      : ask<{ seq: number; id: string; channel: string; outcome: string; lease: string | null }>(
          statements.outcomes,
          [JSON.stringify([...places.values()])],
        ),
  ])
  return {
    entries: new Map(entries.map(({ id, seq, content }) => [id, { seq, content }])),
    outcomes: new Map(
      outcomes.map(({ id, channel, seq, outcome, lease }) => [
        `${id}\n${channel}`,
        { seq, outcome: outcomeFrom(outcome), lease: lease ?? undefined },
      ]),
    ),
  }
}

/** Decisions of one model are made one after the other, whichever process makes them. */
function modelsOf(requests: readonly CommitRequest[]): number[] {
  return requests.flatMap((request) =>
    request.kind === 'change'
      ? []
      : request.batch.flatMap((one) =>
          'decide' in one && one.entry.kind === 'alert' ? [lockOf(one.entry.model)] : [],
        ),
  )
}
