import type { Clock } from '../../clock.ts'
import { isAboutOthers } from '../../event/about.ts'
import type { Outcome } from '../../event/outcome.ts'
import type { ChainBatch } from '../chain.ts'
import { createNearIndex } from '../near.ts'
import {
  type ChangeOutcome,
  type DueNotification,
  type NewEntry,
  type Pending,
  type StateKey,
  type Store,
  StoreUnavailable,
  type Verdict,
} from '../store.ts'
import { judgeTime, type Seen, timesOf, type Witnesses } from '../trusted-time.ts'
import { chainOf, forgetLinks } from './chain.ts'
import { figuresIn, type KnownFigures } from './figures.ts'
import { createOwing } from './owing.ts'
import {
  addRow,
  backlogOf,
  countsOf,
  dueTime,
  heldOf,
  isPending,
  newestRows,
  outcomeOf,
  pendingOf,
  placeOf,
  type Row,
  type Rows,
  toStored,
  verdictOn,
} from './rows.ts'
import { createSessions, type Session } from './sessions.ts'

/** The store's own clock. */
interface BackingOptions extends Pick<Clock, 'now' | 'sleep'> {
  /** For so long a process that was killed is taken for alive, in milliseconds. */
  termMs?: number
}

/** What several processes share, and what outlives each of them. */
export interface MemoryBacking {
  /** Another process comes to it. */
  open(options?: { onDoubt?: ((sentence: string | null) => void) | undefined }): MemoryStore
  /** The same with no process at it: what would be there if all had ended now. */
  copy(): MemoryBacking
}

/** A store as one process has it. */
interface MemoryStore extends Store {
  /** Its process ends without a word: nothing that it asked, or asks, is ever answered. */
  kill(): void
  /** It loses what it holds, as where its connection breaks, and goes on. */
  lose(): void
}

/** What lies in a backing. */
interface Contents {
  rows: Rows
  nextSeq: number
  state: Map<StateKey, unknown>
  horizon: number | undefined
  time: Seen | undefined
  lastAlert: Witnesses['event']
  chain: ChainBatch[]
  figures: KnownFigures
}

interface Lease {
  name: string
  until: number
  session: Session
}

/** How long a database waits for a sign of life, in milliseconds. */
const usualTermMs = 30_000

/** The store's contract in memory, for any number of processes of a test: each has a handle of its own. */
export function createMemoryBacking({ termMs = usualTermMs, ...clock }: BackingOptions): MemoryBacking {
  return backingOf(
    {
      rows: new Map(),
      nextSeq: 1,
      state: new Map(),
      horizon: undefined,
      time: undefined,
      lastAlert: undefined,
      chain: [],
      figures: { rows: [], spans: [] },
    },
    clock,
    termMs,
  )
}

function backingOf(contents: Contents, clock: Pick<Clock, 'now' | 'sleep'>, termMs: number): MemoryBacking {
  const { now } = clock
  const { rows, state } = contents
  const sessions = createSessions({ clock, termMs })
  const leases = new Map<string, Lease>()
  let leased = 0
  const near = createNearIndex()
  for (const row of rows.values()) near.add(row)
  const owing = createOwing(rows.values())

  function time(): Seen {
    contents.time ??= { believed: now(), last: now() }
    return contents.time
  }

  function accept(batch: readonly NewEntry[]): { verdicts: Verdict[]; added: Row[] } {
    const verdicts: Verdict[] = []
    // Where our clock says that it is earlier than it was, what comes now would be taken for old when it is right again.
    const at = Math.max(now(), time().believed)
    const added: Row[] = []
    try {
      for (const one of batch) {
        const verdict = verdictOn(rows, one)
        const decided = verdict !== 'new' ? undefined : 'decide' in one ? one.decide(near) : one
        verdicts.push(verdict === 'new' && decided === undefined ? 'duplicate' : verdict)
        if (decided === undefined) continue
        const row = addRow(rows, decided, { seq: contents.nextSeq + added.length, at })
        added.push(row)
        owing.note(row)
        near.add(row)
      }
    } catch (error) {
      for (const { entry } of added) drop(entry.id)
      throw error
    }
    contents.nextSeq += added.length
    for (const { detectedMs } of added) {
      if (detectedMs > 0) contents.lastAlert = { at: now(), detectedAt: detectedMs }
    }
    return { verdicts, added }
  }

  function drop(id: string): void {
    const row = rows.get(id)
    if (row !== undefined) owing.forget(row)
    rows.delete(id)
    near.remove(id)
  }

  function readyAt({ eventId, channel, waiting }: Pending): number {
    const lease = leases.get(placeOf(eventId, channel))
    const leasedUntil = lease === undefined ? 0 : Math.min(lease.until, sessions.endOf(lease.session))
    return Math.max(dueTime(waiting, now()), leasedUntil)
  }

  function leaseTo(
    session: Session,
    one: Pending,
    when: { now: number; leaseMs: number },
  ): DueNotification[] {
    const { eventId, channel } = one
    const row = rows.get(eventId)
    const before = row && outcomeOf(row, channel)
    if (row === undefined || before?.state !== 'waiting') return []
    const interrupted = before.begun
    const uncertain = interrupted !== undefined || one.waiting.uncertain === true
    leased += 1
    const name = String(leased)
    leases.set(placeOf(eventId, channel), { name, until: when.now + when.leaseMs, session })
    const begun = new Date(when.now).toISOString()
    setOutcome(row, channel, { ...before, begun, ...(interrupted !== undefined && { uncertain }) })
    return [
      {
        ...one,
        lease: name,
        uncertain,
        ...(interrupted !== undefined && { interrupted }),
        later: near.laterOf(eventId),
      },
    ]
  }

  function setOutcome(row: Row, channel: string, outcome: Outcome): void {
    row.outcomes[channel] = outcome
    owing.note(row)
    near.settle(row.entry.id, channel, outcome)
  }

  function alter(eventId: string, channel: string, change: ChangeOutcome, lease?: string): boolean {
    const row = rows.get(eventId)
    if (row === undefined) return false
    const at = placeOf(eventId, channel)
    if (lease !== undefined && leases.get(at)?.name !== lease) return false
    const outcome = change(outcomeOf(row, channel))
    if (outcome === undefined) return false
    setOutcome(row, channel, structuredClone(outcome))
    leases.delete(at)
    return true
  }

  function retain(before: number, witnesses: Witnesses, onDoubt: (sentence: string | null) => void): number {
    const { seen, doubt } = judgeTime(time(), now(), witnesses)
    contents.time = seen
    if (doubt !== undefined) onDoubt(doubt)
    if (seen.steadyMs !== undefined) return 0
    const all = [...rows.values()]
    const times = timesOf(
      all.map(({ at, detectedMs }) => ({ newestAt: at, newestSaid: detectedMs })),
      now(),
    )
    let gone = 0
    for (const [index, row] of all.entries()) {
      const newest = times[index] ?? now()
      if (newest >= before || isPending(row)) continue
      drop(row.entry.id)
      contents.horizon = Math.max(contents.horizon ?? 0, newest)
      gone += 1
    }
    const [oldest] = rows.values()
    forgetLinks(contents.chain, oldest?.seq ?? contents.nextSeq)
    return gone
  }

  return {
    open({ onDoubt = () => undefined } = {}) {
      const session = sessions.open()
      /** A process that was killed hears nothing. */
      const asked = <T>(answer: () => T | Promise<T>): Promise<T> =>
        session.isKilled ? new Promise(() => undefined) : Promise.try(answer)
      const changed = <T>(work: () => T | Promise<T>) =>
        asked(() => {
          if (sessions.isOver(session)) throw new StoreUnavailable('the store is closed')
          return work()
        })
      function altered(...args: Parameters<typeof alter>): boolean {
        const [id, channel] = args
        const isChanged = alter(...args)
        const row = rows.get(id)
        const after = row && outcomeOf(row, channel)
        if (isChanged && after?.state === 'waiting') {
          const isAsked = after.againAt !== undefined && after.attempts === 0
          sessions.changed(session, { of: 'outcome', id, channel, isAsked })
        }
        return isChanged
      }
      return {
        accept: (batch) =>
          changed(() => {
            const { verdicts, added } = accept(batch)
            for (const { entry, outcomes } of added) {
              const channels = Object.keys(outcomes).filter((name) => outcomes[name]?.state === 'waiting')
              const isAbout = isAboutOthers(entry)
              sessions.changed(session, { of: 'event', id: entry.id, channels, isAbout })
            }
            return verdicts
          }),
        lease: (channel, { now: at, limit, leaseMs }) =>
          changed(() => {
            const due = pendingOf(owing.of(channel), channel).filter((one) => readyAt(one) <= at)
            return due.slice(0, limit).flatMap((one) => leaseTo(session, one, { now: at, leaseMs }))
          }),
        nextDue: (channel) =>
          asked(() => {
            const times = pendingOf(owing.of(channel), channel).map(readyAt)
            return times.length === 0 ? undefined : Math.min(...times)
          }),
        pending: (channel) => asked(() => pendingOf(owing.of(channel), channel)),
        held: () => asked(() => heldOf(owing.held())),
        settle: (eventId, channel, outcome, lease) =>
          changed(() => altered(eventId, channel, () => outcome, lease)),
        alter: (eventId, channel, change) => changed(() => altered(eventId, channel, change)),
        find: (eventId) =>
          asked(() => {
            const row = rows.get(eventId)
            return row && toStored(row)
          }),
        list: (query) => asked(() => newestRows(rows, query)),
        countAlerts: (query) => asked(() => countsOf(rows, query)),
        chain: chainOf(contents.chain, asked, changed),
        figures: figuresIn(contents.figures, asked, changed),
        later: (eventId) => asked(() => near.laterOf(eventId)),
        changed: (by) => asked(() => near.changed(by)),
        backlog: () => asked(() => backlogOf(rows)),
        retain: (before, witnesses = {}) =>
          changed(() => retain(before, { ...witnesses, event: contents.lastAlert }, onDoubt)),
        horizon: () => asked(() => contents.horizon),
        readState: (key) => asked(() => structuredClone(state.get(key))),
        changeState: (key, change) =>
          changed(() => {
            const value = change(structuredClone(state.get(key)))
            if (value === undefined) return
            state.set(key, JSON.parse(JSON.stringify(value)))
            sessions.changed(session, { of: 'state', key })
          }),
        hold: (name, waiting) => changed(() => sessions.hold(session, name, waiting)),
        changes(onChange) {
          session.listeners.add(onChange)
          return () => void session.listeners.delete(onChange)
        },
        probe: () => changed(() => undefined),
        close: () => asked(() => sessions.close(session)),
        kill: () => sessions.kill(session),
        lose: () => sessions.lose(session),
      }
    },
    copy: () => backingOf(structuredClone(contents), clock, termMs),
  }
}
