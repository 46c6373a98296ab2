import type { DeskState } from './desk.ts'

/** Who did it, and from where. */
export interface Person {
  /** As they are shown: a name at the provider, the user of a shell, an address. */
  name: string
  /** As the provider knows them: `U02ABC`, a Discord id. Absent if there is none. */
  id?: string
  via: 'slack' | 'discord' | 'email' | 'command' | 'console'
}

/** What a silence keeps quiet. What is absent is any: a silence of nothing but a model is of all its categories. */
export interface Scope {
  /** Lower-case identifier of a model. */
  model?: string
  category?: string
  /** A channel of the configuration, by its name. */
  channel?: string
}

interface ActFields {
  kind: 'act'
  /** `act_…`, made of the provider's id of what was done: a repeat is the same act. */
  id: string
  by: Person
  receivedAt: string
  /** Of the settings, if the act changed them. */
  revision?: number
}

/** Somebody has seen an alert, and takes it from here. */
interface Acknowledgement extends ActFields {
  does: 'acknowledge'
  /** The alert, by its id. */
  about: string
}

/** Somebody put an alert into another state: see `deskOf`. */
interface DeskChange extends ActFields {
  does: 'set-desk'
  /** The alert, by its id: the first about its change. */
  about: string
  state: DeskState
  /** Address of the published story. */
  story?: string
  /** The same if the click is reported again. */
  click: string
}

/** Alerts of a scope are held until a time, which is at most 30 days away. */
export interface Silence extends ActFields {
  does: 'silence'
  /** The alert from which it was asked for, by its id; null if there was none. */
  about: string | null
  scope: Scope
  /** ISO 8601, UTC. */
  until: string
  why: string
}

/** A silence ends before its time. */
export interface EndOfSilence extends ActFields {
  does: 'end-silence'
  /** The silence, by its id. */
  about: string
}

/** An address gets no more alerts of a channel, or gets them again. */
interface Unsubscription extends ActFields {
  does: 'unsubscribe' | 'subscribe'
  about: null
  channel: string
  address: string
}

/**
 * Somebody asked for an entry to be sent again, or for what is held to be sent now. It is about no alert that readers are shown: their
 * message is a new one.
 */
interface SendingAgain extends ActFields {
  does: 'send-again'
  about: null
  /** The entry, by its id, and the channels to which it went. */
  entry: string
  channels: string[]
  /** All that was held and is sent now, by their ids; `entry` is the first. */
  held?: string[]
}

/** What is held for a channel is to be sent now. */
export type SendingHeld = Pick<SendingAgain, 'id' | 'by' | 'receivedAt'> & {
  channel: string
  held: string[]
}

/** Somebody had a message sent to a channel that is marked as a test. */
interface Testing extends ActFields {
  does: 'test'
  about: null
  channel: string
}

/** What a channel gets, and when, as people may change it: see `ChannelFilters` of src/channels. */
export interface StoredFilters {
  models?: string[] | undefined
  events?: string[] | undefined
  categories?: string[] | undefined
  /** Percentage points, absolute. */
  minDelta?: number | undefined
  direction: 'rise' | 'fall' | 'both'
  quiet?: { from: string; to: string; days?: string[] | undefined; unless?: Unless } | undefined
  digest?: { every: string; at?: string | undefined; on?: string | undefined; unless?: Unless } | undefined
}
type Unless = { minDelta: number } | undefined

/** Somebody changed what a channel gets. */
interface FilterChange extends ActFields {
  does: 'change-filters'
  about: null
  channel: string
  was: StoredFilters
  becomes: StoredFilters
}

/** A channel gets what the configuration file says again. */
interface FilterRestoration extends ActFields {
  does: 'restore-filters'
  about: null
  channel: string
  was: StoredFilters
}

/** Somebody made a token, by which a program reads without signing in, or took it back. */
interface TokenChange extends ActFields {
  does: 'make-token' | 'revoke-token'
  about: null
  /** By its id, which is no secret. */
  token: string
  /** What it was called when it was made. */
  name: string
  use: 'feeds' | 'api'
  /** The person whose own feed address it is; undefined of a token. */
  owner?: string
}

/** Somebody changed the configuration in the browser. Secrets are masked before they get here. */
interface ConfigChange extends ActFields {
  does: 'change-config'
  about: null
  changes: MaskedChange[]
}

export interface MaskedChange {
  /** "monitor", "channel ai-desk". */
  of: string
  /** What it was; absent if it was added. */
  from?: unknown
  /** What it became; absent if it was removed. */
  to?: unknown
}

/** Somebody signed in to the console. */
interface SignIn extends ActFields {
  does: 'sign-in'
  about: null
}

/** What a silence is, while it is in force. */
export type StandingSilence = Pick<Silence, 'id' | 'by' | 'scope' | 'why' | 'until'>

/** What a person did: facts that are only added, and so the audit log. */
export type Act =
  | Acknowledgement
  | DeskChange
  | Silence
  | EndOfSilence
  | Unsubscription
  | SendingAgain
  | Testing
  | FilterChange
  | FilterRestoration
  | TokenChange
  | ConfigChange
  | SignIn
