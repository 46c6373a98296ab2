import type { Readiness } from '../../operators/readiness.ts'
import type { CheckedChain } from '../../record/evidence/check.ts'
import type { EvidenceText } from '../../record/evidence/make.ts'
import type { ChainBatch } from '../../store/chain.ts'
import type { HeldAlerts } from '../../store/held.ts'
import type { FollowUps } from '../../store/near.ts'
import type { ListQuery, StoredEntry } from '../../store/store.ts'
import type { Acts, Doer, SentHeld } from '../converse/acts.ts'
import type { TokensOfPeople } from '../converse/tokens.ts'
import type { Suppressions } from '../readers/suppressions.ts'
import type { MailSubscription } from '../readers/token.ts'

/** What a person can ask of the store, beside a running `serve` or without one. */
export interface Control {
  /** As `Store.list`. */
  events(query: ListQuery): Promise<StoredEntry[]>
  event(id: string): Promise<StoredEntry | undefined>
  /** What else is known of the change that an event tells of. */
  later(id: string): Promise<FollowUps>
  /** With who asks for it, it is put down as theirs before anything is sent. */
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
  /** What is wrong now, also where that could not be stored. */
  ready(): Promise<Readiness>
}

export type ReplayAnswer =
  /** Will be sent to these: now where the service runs, else after its next start. */
  | { result: 'queued'; channels: string[]; running: boolean }
  | { result: 'unknown-event' }
  | { result: 'unknown-channel'; channels: string[] }
  /** No channel was named and none has failed. */
  | { result: 'nothing-failed'; channels: string[] }

/** The chain as it is stored, all of which was checked. */
export interface ChainReport extends Pick<CheckedChain, 'stretches' | 'faults' | 'next'> {
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
