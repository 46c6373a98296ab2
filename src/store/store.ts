import type { Act } from '../event/act.ts'
import type { Entry } from '../event/event.ts'
import type { Held, Outcome, Waiting } from '../event/outcome.ts'
import type { ChainStore } from './chain.ts'
import type { FigureStore } from './figures.ts'
import type { ListFilter } from './list-filter.ts'
import type { FollowUps, RecentAlerts } from './near.ts'

/** An event and what became of it on each channel, by channel name. */
export interface StoredEntry {
  /** Grows by one with every accepted event; the order of arrival. */
  seq: number
  entry: Entry
  outcomes: Record<string, Outcome>
}

/** An event as it is stored, with its notifications. */
export interface Decided {
  entry: Entry
  outcomes: Record<string, Outcome>
}

/**
 * Decides a new event's relations and outcomes inside the commit, from the alerts before it: two processes cannot decide differently. It
 * is synchronous and keeps the id. The store may call it more than once, and the last call counts. Undefined if nothing is to be stored:
 * the verdict is then `duplicate`.
 */
export type Decide = (near: RecentAlerts) => Decided | undefined

/** Decided before, or inside the commit. */
export type NewEntry = Decided | { entry: Entry; decide: Decide }

/** A notification that waits to be sent. */
export interface Pending {
  eventId: string
  channel: string
  seq: number
  entry: Entry
  /** As it was before a try that is under way; without `begun`. */
  waiting: Waiting
}

/** A notification that is due, leased to the caller: a try of it begins, and the store has that on disk. */
export interface DueNotification extends Pending {
  /** Names the lease. It is lost when the outcome changes otherwise, or when it has ended and another took it. */
  lease: string
  /**
   * True if an earlier try may have reached the reader: it got no answer, or its process ended. The channel searches for the
   * message before it sends again, if its provider allows that.
   */
  uncertain: boolean
  /** When the try began that was cut off: by the end of its process, or because its lease ended. */
  interrupted?: string
  later: FollowUps
}

/**
 * What an outcome becomes; undefined leaves it as it is. Called inside the commit, with what is there then, and so
 * without a wait of its own.
 */
export type ChangeOutcome = (outcome: Outcome | undefined) => Outcome | undefined

/** A notification that is held. */
export interface HeldNotification {
  eventId: string
  channel: string
  /** When its wait ends; milliseconds since the epoch. */
  until: number
  /** What holds it: see `Held`. */
  by: string
}

/** Milliseconds since the epoch. A time that cannot be read is over: late is better than never. */
export function heldUntil({ until }: Held): number {
  const at = Date.parse(until)
  return Number.isNaN(at) ? 0 : at
}

export interface Backlog {
  channel: string
  waiting: number
  /** ISO 8601; when the oldest pending event arrived. */
  oldest: string
}

export interface ListQuery extends ListFilter {
  /** Newest first, at most this many. */
  limit: number
  /** Only events older than this `seq`. */
  before?: number | undefined
  /** Outcomes are ten times the work of an entry: `outcomes` is then empty. */
  withoutOutcomes?: true | undefined
}

interface AlertCountQuery {
  channel: string
  /** Milliseconds since the epoch. */
  since: number
}

export interface AlertCounts {
  received: number
  /** Those that the channel was sent, by themselves or in a message about several. */
  sent: number
}

/** `changed`: the id is known with another `content`; nothing was stored. */
export type CommitVerdict = 'new' | 'duplicate' | 'changed'

/** The right of one process to a lane or a role, until it releases or loses it. Postgres keeps these leases in the table `holds`. */
export interface Lease {
  /** Aborts when it is lost: another process may have it by now. */
  signal: AbortSignal
  /** Another process had it before, and perhaps until now. */
  takenOver: boolean
  release(): void
}

/** The clock of a process, compared with the store's. */
export interface ProcessClock {
  /** The machine's name. */
  host: string
  /** Milliseconds; negative if it is behind. */
  aheadMs: number
}

/** A clock that is further from the store's is set wrong. */
export const mostApartMs = 5_000

/** What another process changed. */
export type StoreChange =
  /** An event was accepted, and is pending on these channels; `isAbout`: it names others, whose messages may need an edit. */
  | { of: 'event'; id: string; channels: readonly string[]; isAbout: boolean }
  /** An event is pending on a channel again; `isAsked`: a person wants it now. */
  | { of: 'outcome'; id: string; channel: string; isAsked: boolean }
  | { of: 'state'; key: StateKey }

/** What is remembered between runs and is not an event: small. */
export type StateKey = (typeof stateKeys)[number]

export const stateKeys = [
  'subscription',
  'signatures',
  'troubles',
  'tallies',
  'budget',
  'people-budget',
  'polling',
  'readers',
  'link-key',
  'silences',
  'console',
  'settings',
  'token-uses',
  'feed-visits',
  'feeds-gone',
  'chain',
  'chat-replays',
  'configurations',
  'tokens',
  'setup',
] as const

/**
 * Everything that outlives the process. Each promise resolves when its change is on disk (fsync), and rejects
 * with `StoreUnavailable` when it is not.
 */
export interface Store {
  /**
   * Claims the ids and stores the events with their outcomes, all or none. The answers are in the same order. Rejects with
   * what a `decide` throws.
   */
  accept(batch: readonly NewEntry[]): Promise<CommitVerdict[]>
  /**
   * The due notifications of a channel, oldest event first. A leased one is not given out again before its lease ends.
   * That a try begins is on disk before this resolves: what is found so at the next start was in flight, and nothing
   * else was.
   */
  leaseDue(channel: string, when: { now: number; limit: number; leaseMs: number }): Promise<DueNotification[]>
  /** When the next notification of a channel falls due or its lease ends, in milliseconds since the epoch. */
  nextDue(channel: string): Promise<number | undefined>
  /** All that waits for a channel, due or not, leased or not, oldest event first. Leases nothing. */
  pending(channel: string): Promise<Pending[]>
  /** All that is held, on every channel, in no order. */
  held(): Promise<HeldNotification[]>
  /**
   * Replaces the outcome of one event on one channel and ends its lease. A `waiting` outcome makes the event
   * pending again, which is how a retry is stored. Changes nothing and answers false if no such event is retained, or if
   * you pass a `lease` that was lost: the outcome has changed since, and that change counts.
   */
  settle(eventId: string, channel: string, outcome: Outcome, lease?: string): Promise<boolean>
  /** Changes an outcome by what it is, in one step. Returns whether it did; a change ends the lease. */
  alter(eventId: string, channel: string, change: ChangeOutcome): Promise<boolean>
  find(eventId: string): Promise<StoredEntry | undefined>
  /** Other events about the same change as this event, of any age. */
  later(eventId: string): Promise<FollowUps>
  /** What people did about these alerts, oldest first. */
  actsAbout(eventIds: readonly string[]): Promise<Act[]>
  /**
   * Events of the last days that have a later event: the same change by the other way, a correction, a withdrawal. With
   * `by`, only the events that this one is about.
   */
  changed(by?: string): Promise<string[]>
  /** What has a higher `seq` is never seen before what has a lower one. */
  list(query: ListQuery): Promise<StoredEntry[]>
  /** How many alerts were received from `since` on. One about a change that another reports counts only if it was sent by itself. */
  countAlerts(query: AlertCountQuery): Promise<AlertCounts>
  /** The hash chain over what was accepted. Retention keeps its heads. */
  chain: ChainStore
  /** The published figures that were read. Retention of events leaves them. */
  figures: FigureStore
  /** One row for each channel with pending events. */
  backlog(): Promise<Backlog[]>
  /**
   * Drops events older than `before` (milliseconds since the epoch) that are neither pending nor held. Drops nothing while our clock is
   * in doubt. `serviceTime`: the time by the monitoring service, if known. Returns how many events it dropped.
   */
  retain(before: number, witnesses?: { serviceTime?: number | undefined }): Promise<number>
  /**
   * The newest time that a dropped event names (milliseconds since the epoch): what is dated at or before it may be
   * a repeat of one. Undefined if none was dropped.
   */
  horizon(): Promise<number | undefined>
  /** What was stored under the key, as JSON; its reader parses it. */
  readState(key: StateKey): Promise<unknown>
  /**
   * Changes what is stored under the key by what is there, in one step: two processes never write over each other's.
   * `change` gets JSON and answers what becomes JSON; undefined leaves it as it is. It is called without a wait of its
   * own, and perhaps more than once: the last call counts. Rejects with what it throws.
   */
  changeState(key: StateKey, change: (before: unknown) => unknown): Promise<void>
  /**
   * Waits until no other process has the lane or role of this name, and leases it. A process that was killed keeps its leases until its
   * session ends. Undefined if the signal aborts first, or the store is closed.
   */
  acquireLease(name: string, waiting: AbortSignal): Promise<Lease | undefined>
  /** Calls back after each change by another process, and after one of ours whose commit got no answer, until the function that it answers is called. */
  changes(onChange: (change: StoreChange) => void): () => void
  /**
   * Only of a store in a folder. Copies it, as it is at one moment, into a new folder inside its own. That folder must not exist
   * yet. Deliveries go on meanwhile.
   */
  snapshotTo?(folder: string): Promise<void>
  /** Of a store that several processes share: the clock of each, as it last compared it with the store's. */
  clocks?(): Promise<ProcessClock[]>
  /** Reads all that is stored. Returns what differs from what was written, a phrase each. Postgres checks its pages itself. */
  verify?(): Promise<string[]>
  /** Rejects with `StoreUnavailable` if an event could not be stored now. */
  probe(): Promise<void>
  /** Ends when what is under way is on disk. The store is not used again. */
  close(): Promise<void>
}

/** One value that outlasts the process, and that other processes may change too. */
export interface StoredValue {
  read(): Promise<unknown>
  /** As `Store.changeState`. */
  change(change: (before: unknown) => unknown): Promise<void>
}

/** What is remembered under one key, for who needs nothing else of the store. */
export function stateOf(store: Pick<Store, 'readState' | 'changeState'>, key: StateKey): StoredValue {
  return { read: () => store.readState(key), change: (change) => store.changeState(key, change) }
}

/** The sender should try again later. Nothing was stored, unless it says that it may be. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** What was to be stored may be there: its answer was lost. */
  readonly mayBeStored: boolean

  constructor(
    sentence: string,
    { cause, mayBeStored = false }: ErrorOptions & { mayBeStored?: boolean } = {},
  ) {
    super(sentence, cause === undefined ? undefined : { cause })
    this.mayBeStored = mayBeStored
  }
}

/** The store cannot be opened, and a person must act: another process holds it, or it is not ours to write. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'
}
