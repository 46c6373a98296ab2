import type { ChannelFilters } from '../channels/settings.ts'
import type { ConfigSection } from '../config/browser-config.ts'
import type { Config } from '../config/schema.ts'
import type { Answers } from '../config/setup/answers.ts'
import type { AlertEvent, Entry } from '../event/event.ts'
import type { Receipt } from '../event/outcome.ts'
import type { RateSeries } from '../message/chart/series.ts'
import type { Message } from '../message/message.ts'
import type { StatedSize } from '../message/render/levels.ts'
import type { WellSince } from '../operators/incidents.ts'
import type { Readiness } from '../operators/readiness.ts'
import type { Control } from '../people/control/control.ts'
import type { Doer, Sendings } from '../people/converse/acts.ts'
import type { ChangedFilters, Filtering } from '../people/converse/filters.ts'
import type { OwnFeeds } from '../people/converse/own-feeds.ts'
import type { ConfigChanged } from '../people/converse/settings.ts'
import type { SetupKeys } from '../people/converse/setup-key.ts'
import type { ConsoleTokens } from '../people/converse/tokens.ts'
import type { Clock } from '../platform/clock.ts'
import type { SetupStep, SetupTrialResult } from './setup-trials.ts'

/** What became of the configuration file when it was last read; ISO 8601, UTC. */
export interface LastReload {
  at: string
  /** Why it was not put in force: a line for each problem. */
  problem?: string
  /** Keys that differ, and need a restart. */
  needRestart: readonly string[]
}

/** What a channel gets, by the file and by what people have changed since. */
export interface FileFilters {
  file: ChannelFilters
  /** The file alone counts. */
  isFixed: boolean
  changed: ChangedFilters | undefined
  /** When somebody last changed it, or gave the file back; undefined if nobody has. */
  lastAt: string | undefined
}

/** Published figures. */
export interface PublishedSeries {
  series: RateSeries
  /** Steps that the figures themselves show, oldest first; percentage points. Only of a model. */
  steps?: readonly { at: number; points: number }[]
  /** When they were read; ISO 8601, UTC. */
  readAt: string
  /** Why they could not be read anew: half a sentence for readers. */
  outdated?: string
}

/** What can be changed by itself. `add`: refused if there is such a channel. */
export type ConfigPart = { section: ConfigSection } | { channel: string; add?: boolean }

/** Where something was made, with the file and the line in it. */
interface ConfigPlace {
  from: 'file' | 'browser'
  file?: string
  line?: number
}

/** The configuration that is made in the browser, beside the file. */
export interface ConfigEditing {
  /** Why nothing can be changed here, in a sentence. */
  refusal(): string | undefined
  /** Why nobody can sign in, in a sentence for everybody: accounts made in the browser cannot be read. */
  lockedOut(): string | undefined
  /** Raw, with secrets: pages show `maskedRaw` of it. */
  section(
    name: ConfigSection,
  ): { value: unknown } & (ConfigPlace | { from: 'nowhere'; file?: undefined; line?: undefined })
  channel(name: string): ({ value: Record<string, unknown> } & ConfigPlace) | undefined
  /** Those of the file first. */
  channels(): ({ name: string } & ConfigPlace)[]
  /**
   * In force on all replicas when it is stored as an act; `becomes` undefined removes. A secret that is absent in it stays as it was, if
   * the address stays too; null removes it. `revision`: what the form was made from. The first account of an installation is made
   * without anybody signed in: the caller has checked the one-time key.
   */
  change(doer: Doer, part: ConfigPart, becomes: unknown, revision: number): Promise<ConfigChanged>
  /** Several as one act, all or none. */
  changeAll(
    doer: Doer,
    changes: readonly { part: ConfigPart; becomes: unknown }[],
    revision: number,
  ): Promise<ConfigChanged>
  revision(): number
}

/** What the console shows, and what it can have done. */
export interface ConsoleParts {
  control: Pick<
    Control,
    'event' | 'events' | 'figures' | 'later' | 'actsAbout' | 'status' | 'acts' | 'evidence' | 'sendHeld'
  >
  sendings: Sendings
  /** Sends an entry to a channel that it has not reached; false if it is there, or pending. */
  sendAgain(id: string, channel: string): Promise<boolean>
  tokens: ConsoleTokens
  feeds: OwnFeeds
  config(): Config
  lastReload(): LastReload | undefined
  ready(): Promise<Readiness>
  wellSince(): WellSince | undefined
  /** When the service last did what it was asked, or delivered; milliseconds since the epoch, undefined before the first time. */
  heardAt(): Promise<number | undefined>
  /** Requests that may leave for the service at once; undefined if no service is configured. */
  budgetLeft(): Promise<number | undefined>
  /** What readers are shown of an entry, with what is known by now. */
  message(entry: Exclude<Entry, { kind: 'act' }>): Promise<Message>
  /** The same without what people did about it, which is nobody's business who only reads a feed. */
  report(alert: AlertEvent): Promise<Message>
  /** The size that these messages state. */
  statedSize(alert: AlertEvent): Promise<StatedSize>
  /** The published figures about an alert. Rejects with why there are none. */
  series(alert: AlertEvent): Promise<PublishedSeries>
  /** Whether people can open a message that this channel sent. */
  opensMessages(channel: string): boolean
  /** The address of a message at its provider; undefined if there is none. Rejects if the provider does not answer. */
  messageAddress(channel: string, receipt: Receipt): Promise<string | undefined>
  /** The published figures of a model as far as they are stored: no request is spent on it. Rejects with why there are none. */
  storedFigures(model: string, rate: RateSeries['category']): Promise<PublishedSeries>
  /** The same with the steps that they show, which takes longer. */
  modelFigures(model: string, rate: RateSeries['category']): Promise<PublishedSeries>
  /** Sends a test; answers in a sentence what came of it. */
  sendTest(channel: string, doer: Doer): Promise<{ isSent: boolean; said: string }>
  configEditing: ConfigEditing
  setup: Pick<SetupKeys, 'exchange' | 'makeLink' | 'readLink' | 'endLink'>
  /** Tries the answers of a step of the set-up; a channel that works gets a test. */
  tryAnswers(step: SetupStep, answers: Answers, by: string): Promise<SetupTrialResult | undefined>
  /** How often the published figures are read while nothing is delivered, milliseconds; undefined if they are not. */
  pollsEveryMs(): number | undefined
  filtering: Filtering
  /** What the file says of a channel, and what people made of it; undefined if there is no such channel. */
  filtersAt(channel: string): FileFilters | undefined
  /** What other filters would have meant lately; undefined if that cannot be tried. */
  tryFilters(channel: string, becomes: ChannelFilters): Promise<FilterTrial | undefined>
  clock: Clock
  onError(error: unknown): void
}

/** What other filters of a channel would have meant for what came in lately, beside those in force. */
export interface FilterTrial {
  /** From when on it is counted; ISO 8601, UTC. Later than asked for if more came in than is tried. */
  from: string
  /** How many alerts came in since. */
  alerts: number
  /** Messages that readers would have got there. */
  messages: TrialAmount
  /** What would have become of the alerts, in words, by how many. */
  became: ({ what: string } & TrialAmount)[]
  /** Alerts that readers would have got by the new filters alone, and by the old ones alone; newest first. */
  added: TriedAlert[]
  dropped: TriedAlert[]
}

interface TrialAmount {
  asItIs: number
  changed: number
}

interface TriedAlert {
  id: string
  /** ISO 8601, UTC. */
  receivedAt: string
  headline: string
}

interface FilterComparison {
  /** With the channel alone: as it is, and as it would be. */
  asItIs: Config
  changed: Config
  /** What came in, newest first, from before `from` on. */
  entries: readonly Entry[]
  /** What is counted; milliseconds since the epoch. */
  from: number
  to: number
}

export type TryFilters = (asked: FilterComparison) => Promise<FilterTrial>
