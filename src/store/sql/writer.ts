import type { ChangeOutcome, CommitVerdict, NewEntry } from '../store.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { Database, Transaction } from './database.ts'
import { DatabaseFailure, isConflict, isRefusal, unavailable } from './failure.ts'
import { type CommitRequest, type GatheredCommit, gather, notYet, wantedBy } from './gather.ts'
import { keyOf, lockOf } from './keys.ts'
import { type KnownEvents, nothingKnown, readKnown, statementsOfKnown } from './known-events.ts'
import { createNearby, type RememberedNearby, readRememberedNearby } from './nearby.ts'
import { checkNone, type RelatedQuery, readNear, statementsOfRelated } from './related.ts'
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
 * One transaction at a time, for whatever was asked for while the last one was under way: the more there is to do, the more
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

export function createWriter({ database, feed, now, aheadMs, acceptedAt }: WriterParts): Writer {
  const statements = {
    known: statementsOfKnown(database.dialect),
    related: statementsOfRelated(database.dialect),
    write: statementsOfWrite(database.dialect),
  }
  let queue: CommitRequest[] = []
  let running: Promise<void> | undefined
  let begin = () => {}
  let remembered: RememberedNearby | undefined
  /** The last commit met ids that were stored before. */
  let metRepeats = false

  const moment = () => ({ now: now(), aheadMs: aheadMs() })

  function ask(request: CommitRequest): void {
    queue.push(request)
    running ??= run()
    if (queue.length === enough) begin()
  }

  /** Ends when all that asks in this turn of the event loop has asked, or enough have. */
  async function gathered(): Promise<void> {
    if (!database.gathersTurns) return
    await new Promise<void>((resolve) => {
      begin = resolve
      setImmediate(resolve)
    })
  }

  async function run(): Promise<void> {
    // Else the first of those that were read together would be a commit, and the others wait for it.
    await gathered()
    while (queue.length > 0) {
      const requests = queue.slice(0, mostRequests)
      queue = queue.slice(requests.length)
      await commit(requests)
    }
    running = undefined
  }

  async function commit(requests: readonly CommitRequest[]): Promise<void> {
    try {
      const { answers } = database.isAlone ? await commitAlone(requests) : await commitBesideOthers(requests)
      for (const answer of answers) answer()
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

  /**
   * Neighbours are remembered; what was not stored is undone, and what is unknown is read again. Few deliveries are repeats: that an id is
   * known is read only if the commit fails by it, or the one before met some (a commit without is a message and not three).
   */
  async function commitAlone(requests: readonly CommitRequest[]): Promise<GatheredCommit> {
    const isRead = metRepeats || requests.some(({ kind }) => kind === 'change')
    const announcement = feed.begin()
    try {
      const gathered = await database.transaction(async (transaction) => {
        const [known, near] = await Promise.all([
          isRead ? readKnown(transaction.ask, statements.known, requests) : nothingKnown,
          remembered ?? recall(transaction),
        ])
        remembered = near
        metRepeats = isRead && hasRepeats(requests, known)
        const firstSeq = near.nextSeq
        const read = () => Promise.resolve([])
        const gathered = await gather(requests, known, { nearby: near.nearby, firstSeq, read })
        writeGathered(transaction, statements.write, gathered, {
          moment: moment(),
          at: acceptedAt(),
          firstSeq,
        })
        announcement.write(transaction, gathered.news)
        return gathered
      })
      announcement.ended()
      remembered?.keep()
      if (remembered !== undefined) remembered.nextSeq += gathered.added.length
      return gathered
    } catch (error) {
      if (error instanceof DatabaseFailure && error.kind !== 'unknown') remembered?.undo()
      else remembered = undefined
      if (!isRead && isConflict(error)) {
        metRepeats = true
        return await commitAlone(requests)
      }
      announcement.ended(error)
      throw error
    }
  }

  async function recall({ ask }: Transaction): Promise<RememberedNearby> {
    const [last] = await ask<{ seq: number }>(lastSeq)
    return await readRememberedNearby(ask, statements.related, { now: now(), nextSeq: (last?.seq ?? 0) + 1 })
  }

  /** First without the locks of models, since nothing came by the other way for most: a lock is then held for a moment. */
  async function commitBesideOthers(requests: readonly CommitRequest[]): Promise<GatheredCommit> {
    /** Whose messages are decided about; undefined as long as nothing is locked. Models before outcomes: else two could wait for each other. */
    let locked: string[] | undefined = requests.every(({ kind }) => kind === 'accept') ? undefined : []
    for (let tries = 1; ; tries += 1) {
      const announcement = feed.begin()
      try {
        let gathered: GatheredCommit | undefined
        await database.transaction(async (transaction) => {
          const found = await gatherIn(transaction, requests, locked)
          if (found instanceof NeedsLock) {
            locked = [...(locked ?? []), ...found.channels]
            return
          }
          gathered = found
          if (found.news.length > 0) announcement.write(transaction, found.news)
        })
        announcement.ended()
        if (gathered !== undefined) return gathered
      } catch (error) {
        announcement.ended(error)
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
    const { ask, write, lock } = transaction
    const wanted = { ...wantedBy(requests), on: [...(locked ?? [])] }
    const models = modelsOf(requests)
    const isLocked = locked !== undefined
    if (isLocked && models.length > 0)
      lock({ on: 'models', keys: [...models, ...locked.map((channel) => lockOf(`on ${channel}`))] })
    // Nothing is dropped while outcomes change.
    if (requests.some(({ kind }) => kind === 'change')) lock({ on: 'retention', shared: true })
    const reading = (more: RelatedQuery) => readNear(ask, statements.related, more, now())
    const [known, rows]: [KnownEvents, Awaited<ReturnType<typeof reading>>] = await Promise.all([
      readKnown(ask, statements.known, requests),
      reading(wanted),
    ])
    if (!isLocked && rows.length > 0) return new NeedsLock([])
    const read = async (more: RelatedQuery) => {
      if (!isLocked || more.on.length > 0) throw new NeedsLock(more.on)
      return await reading(more)
    }
    const nearby = createNearby()
    nearby.read(wanted, rows)
    const gathered = await gather(requests, known, { nearby, firstSeq: notYet, read }).catch(unlessLocked)
    if (gathered instanceof NeedsLock) return gathered
    if (!isLocked && models.length > 0) {
      lock({ on: 'models', keys: models })
      checkNone(write, statements.related, wanted, now())
    }
    const how = { moment: moment(), at: acceptedAt(), firstSeq: undefined }
    writeGathered(transaction, statements.write, gathered, how)
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
      for (const id of ids) remembered?.remove(id)
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

function hasRepeats(requests: readonly CommitRequest[], { entries }: KnownEvents): boolean {
  const isKnown = ({ entry }: NewEntry) => entries.has(keyOf(entry.id))
  return requests.some((request) => request.kind === 'accept' && request.batch.some(isKnown))
}

/** Decisions of one model are made one after the other, whoever makes them. */
function modelsOf(requests: readonly CommitRequest[]): number[] {
  return requests.flatMap((request) =>
    request.kind === 'change'
      ? []
      : request.batch.flatMap((one) =>
          'decide' in one && one.entry.kind === 'alert' ? [lockOf(one.entry.model)] : [],
        ),
  )
}
