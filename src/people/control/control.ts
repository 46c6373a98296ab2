import type { Act, SendingHeld } from '../../event/act.ts'
import { escalationBy } from '../../event/outcome.ts'
import type { Readiness } from '../../operators/readiness.ts'
import { type CheckedChain, checkChain } from '../../record/evidence/chain.ts'
import { type EvidenceText, makeEvidence } from '../../record/evidence/make.ts'
import type { ChainBatch } from '../../store/chain.ts'
import type { FigureStore } from '../../store/figures.ts'
import { type HeldAlerts, heldByChannel } from '../../store/held.ts'
import type { FollowUps } from '../../store/near.ts'
import type { ListQuery, Store, StoredEntry } from '../../store/store.ts'
import type { Acts, Doer, Sendings, SentHeld } from '../converse/acts.ts'
import type { ConfigCommands } from '../converse/settings.ts'
import type { TokensOfPeople } from '../converse/tokens.ts'
import { keyOf, readBook, restore, type Suppressions } from '../readers/suppressions.ts'
import { type MailSubscription, sealed } from '../readers/token.ts'

/** What a person can ask of the store, beside a running `serve` or without one. */
export interface Control {
  /** As `Store.list`. */
  events(query: ListQuery): Promise<StoredEntry[]>
  event(id: string): Promise<StoredEntry | undefined>
  /** Other events about the same change as this event. */
  later(id: string): Promise<FollowUps>
  /** As `Store.actsAbout`. */
  actsAbout(ids: readonly string[]): Promise<Act[]>
  /** With a `doer`, it is stored as their act before anything is sent. */
  replay(id: string, channel: string | undefined, doer?: Doer): Promise<ReplayAnswer>
  /** Sends now what is held for a channel, or one alert of it. */
  sendHeld(doer: Doer, channel: string, id?: string): Promise<SentHeld>
  /** The text of a file of evidence, or why there can be none. Rejects with the signal's reason when it aborts. */
  evidence(id: string, signal?: AbortSignal): Promise<EvidenceText>
  chain(): Promise<ChainReport>
  /** As `Store.verify`; undefined for a database that checks itself. */
  verify(): Promise<string[] | undefined>
  /** Of a store in a folder: `to` is in it, and is not there yet. */
  snapshotTo(to: string): Promise<void>
  status(): Promise<ControlStatus>
  /** The published figures that were read. */
  figures: Pick<FigureStore, 'read' | 'series' | 'revised'>
  /** Who of the readers of mail gets none, and why. */
  readers(): Promise<Suppressions>
  /** Mail goes there again; answers what stood against it. */
  restore(doer: Doer, subscription: MailSubscription): Promise<Suppressions>
  /** Ends the link by which somebody unsubscribes. */
  token(subscription: MailSubscription): Promise<string>
  acts: Acts
  /** By which programs read what the console shows. */
  tokens: TokensOfPeople
  close(): Promise<void>
}

/** That of a running `serve`. */
export interface RunningControl extends Control {
  /** What is wrong now, also if that could not be stored. */
  ready(): Promise<Readiness>
  config: ConfigCommands
}

type ReplayAnswer =
  /** Will be sent to these: now if `serve` runs, else after its next start. */
  | { result: 'queued'; channels: string[]; running: boolean }
  | { result: 'unknown-event' }
  | { result: 'unknown-channel'; channels: string[] }
  /** No channel was named and none has failed. */
  | { result: 'nothing-failed'; channels: string[] }

/** The chain as it is stored; all of it was checked. */
interface ChainReport extends Pick<CheckedChain, 'stretches' | 'faults' | 'next'> {
  newest?: Pick<ChainBatch, 'number' | 'at' | 'head'>
}

export interface ControlStatus {
  running: boolean
  subscription: unknown
  /** Signature forms that verified, by a fingerprint of their secret. */
  signatures: unknown
  troubles: unknown
  /** What polling has found out of the service. */
  polling: unknown
  /** What is held, by channel. */
  held: Record<string, HeldAlerts[]>
  /** Channels that rest after a failure, and until when (ISO 8601). */
  resting: { channel: string; until: string; why: string }[]
}

export interface LocalParts {
  store: Store
  /** Names of those that are configured now. */
  channels(): readonly string[]
  /** True inside `serve`: pending notifications go out now. */
  running: boolean
  makePending(eventId: string, channel: string): Promise<unknown>
  acts: Acts
  sendings: Pick<Sendings, 'sendAgain' | 'sendHeld'>
  /** Returns how many alerts go out. */
  sendHeld(act: SendingHeld): Promise<number>
  tokens: TokensOfPeople
  now(): number
  resting(): { channel: string; until: string; why: string }[]
  close(): Promise<void>
}

/** Answers from the store that this process holds. */
export function localControl(parts: LocalParts): Control {
  const { store } = parts
  return {
    events: (query) => store.list(query),
    event: (id) => store.find(id),
    later: (id) => store.later(id),
    actsAbout: (ids) => store.actsAbout(ids),
    async replay(id, channel, doer): Promise<ReplayAnswer> {
      const stored = await store.find(id)
      if (stored === undefined) return { result: 'unknown-event' }
      if (channel !== undefined && !parts.channels().includes(channel)) {
        return { result: 'unknown-channel', channels: [...parts.channels()] }
      }
      const failed = Object.keys(stored.outcomes).filter((name) => stored.outcomes[name]?.state === 'failed')
      const again =
        channel === undefined ? failed.filter((name) => parts.channels().includes(name)) : [channel]
      if (again.length === 0) return { result: 'nothing-failed', channels: Object.keys(stored.outcomes) }
      if (doer !== undefined) await parts.sendings.sendAgain(doer, id, again)
      for (const name of again) await parts.makePending(id, name)
      return { result: 'queued', channels: again, running: parts.running }
    },
    async sendHeld(doer, channel, id): Promise<SentHeld> {
      const channels = [...parts.channels()]
      if (!channels.includes(channel)) return { result: 'unknown-channel', channels }
      const held = (await store.held()).filter((one) => one.channel === channel)
      const wanted = held.flatMap(({ eventId, by }) =>
        (id === undefined ? by !== escalationBy : id === eventId) ? [eventId] : [],
      )
      const [first, ...others] = wanted
      if (first === undefined) return { result: 'nothing-held' }
      const count = await parts.sendHeld(await parts.sendings.sendHeld(doer, channel, [first, ...others]))
      // Somebody else was quicker, or they are due.
      if (count === 0) return { result: 'nothing-held' }
      return { result: 'sent', count, running: parts.running }
    },
    evidence: (id, signal) => makeEvidence(id, { store, now: parts.now, signal }),
    async chain() {
      const { newest, ...checked } = await checkChain(store)
      if (newest === undefined) return checked
      const { number, at, head } = newest
      return { newest: { number, at, head }, ...checked }
    },
    verify: async () => await store.verify?.(),
    async snapshotTo(to) {
      if (store.snapshotTo === undefined) throw new Error('this store is in no folder')
      await store.snapshotTo(to)
    },
    async status() {
      return {
        running: parts.running,
        subscription: await store.readState('subscription'),
        signatures: await store.readState('signatures'),
        troubles: await store.readState('troubles'),
        polling: await store.readState('polling'),
        held: Object.fromEntries(heldByChannel(await store.held())),
        resting: parts.resting(),
      }
    },
    figures: store.figures,
    readers: () => readBook(store),
    restore: (doer, subscription) => restore(store, subscription, { ...doer, now: parts.now() }),
    token: async (subscription) => sealed(subscription, await keyOf(store)),
    acts: parts.acts,
    tokens: parts.tokens,
    close: () => parts.close(),
  }
}
