import { createNearIndex } from '../near-index.ts'
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
import { keyOf } from './keys.ts'
import { createNearby, type Nearby, nearbyIn } from './nearby.ts'
import { announced, type ChangeFeed } from './processes.ts'
import { type RelatedQuery, readAllNear, readNear, statementsOfRelated } from './related.ts'
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

/** So many requests in one transaction: about a megabyte of events. */
const mostRequests = 500
/**
 * So many requests are worth a commit of their own: while it is under way, the rest of the same turn is read. Else 64 deliveries that
 * came together would all wait for one commit, and nothing would be done meanwhile. With 16, a tenth fewer are accepted.
 */
const enough = 32
/** How often a commit is done again if another process was in the way. */
const mostTries = 6

interface RecentForCommit {
  nearby: Nearby
  /** The number of the next entry. */
  firstSeq: number
}

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

/**
 * One transaction at a time, for all that was asked while the last one was under way: the more there is to do, the more
 * share a commit. Requests are done in the order in which they came.
 */
export function createWriter({ database, feed, now, aheadMs, acceptedAt }: WriterParts) {
  const existing = statementsOfKnown(database.dialect)
  const related = statementsOfRelated(database.dialect)
  const write = statementsOfWrite(database.dialect)
  let queue: CommitRequest[] = []
  let running: Promise<void> | undefined
  let begin = () => {}
  /** Of a process that is alone: as its last commit left it. */
  let remembered: RecentForCommit | undefined

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

  async function commitTogether(requests: readonly CommitRequest[]): Promise<GatheredCommit> {
    for (let tries = 1; ; tries += 1) {
      try {
        const gathered = await announced({ database, feed }, async (transaction, announce) => {
          const done = await gatherIn(transaction, requests)
          announce(done.changes)
          return done
        })
        if (remembered !== undefined) remembered.firstSeq += gathered.added.length
        return gathered
      } catch (error) {
        // What was remembered has what is not stored.
        remembered = undefined
        if (!isConflict(error) || tries === mostTries) throw error
      }
    }
  }

  async function gatherIn(
    transaction: Transaction,
    requests: readonly CommitRequest[],
  ): Promise<GatheredCommit> {
    const { ask, lock } = transaction
    if (requests.some(decides)) lock({ on: 'decisions' })
    // Nothing is dropped while outcomes change.
    if (requests.some(({ kind }) => kind === 'change')) lock({ on: 'retention', shared: true })
    const [stored, near] = await Promise.all([
      readKnown(ask, existing, requests),
      database.isAlone ? (remembered ?? recall(ask)) : foresee(ask, requests),
    ])
    if (database.isAlone) remembered = near
    const read = (missing: RelatedQuery) => readNear(ask, related, missing, now())
    const gathered = await gather(requests, stored, { ...near, read })
    const [first, at] = [remembered?.firstSeq, acceptedAt()]
    const added = gathered.added.map((one, index) => ({
      ...one,
      seq: first === undefined ? null : first + index,
      at,
    }))
    const { changed } = gathered
    writeGathered(transaction, write, { added, changed }, { now: now(), aheadMs: aheadMs() })
    return gathered
  }

  /** Alone, all recent alerts are remembered: to read them for each commit made a flood four times as slow. */
  async function recall(ask: RunQuery): Promise<RecentForCommit> {
    const [last] = await ask<{ seq: number }>(lastSeq)
    const index = createNearIndex()
    for (const row of await readAllNear(ask, related, now())) index.add(row)
    return { nearby: nearbyIn(index), firstSeq: (last?.seq ?? 0) + 1 }
  }

  async function foresee(ask: RunQuery, requests: readonly CommitRequest[]): Promise<RecentForCommit> {
    const nearby = createNearby()
    const foreseen = foreseenFor(requests)
    nearby.read(foreseen, await readNear(ask, related, foreseen, now()))
    return { nearby, firstSeq: notYet }
  }

  return {
    accept: (batch: readonly NewEntry[]): Promise<CommitVerdict[]> =>
      new Promise((resolve, reject) => {
        if (batch.length === 0) resolve([])
        else ask({ kind: 'accept', batch, resolve, reject })
      }),
    change: (eventId: string, channel: string, change: ChangeOutcome, lease?: string): Promise<boolean> =>
      new Promise((resolve, reject) =>
        ask({ kind: 'change', eventId, channel, change, lease, resolve, reject }),
      ),
    /** These were dropped. */
    forget(ids: readonly string[]): void {
      for (const id of ids) remembered?.nearby.remove(id)
    },
    /** Ends when nothing waits and nothing is under way. */
    async idle(): Promise<void> {
      while (running !== undefined) await running
    },
  }
}

function decides(request: CommitRequest): boolean {
  return request.kind === 'accept' && request.batch.some((one) => 'decide' in one)
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
