import type { Message } from '../channels/message.ts'
import type { Series } from '../chart/series.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import type { Control } from '../control/control.ts'
import type { Doer, Sendings } from '../converse/acts.ts'
import type { AlertEvent, Entry } from '../event/event.ts'
import type { Readiness } from '../server/readiness.ts'
import type { ConsoleTokens } from './access/tokens.ts'
import type { Listing } from './listing/listing.ts'

/** What became of the configuration file when it was last read; ISO 8601, UTC. */
export interface LastReload {
  at: string
  /** Why it was not put in force: a line for each problem. */
  problem?: string
  /** Keys that differ, and need a restart. */
  needRestart: readonly string[]
}

/** What the console shows, and what it can have done. */
export interface ConsoleParts {
  control: Pick<Control, 'event' | 'events' | 'later' | 'replay' | 'status' | 'acts' | 'evidence'>
  sendings: Sendings
  listing: Pick<Listing, 'page' | 'failed' | 'isWhole' | 'caughtUp'>
  tokens: ConsoleTokens
  config(): Config
  lastReload(): LastReload | undefined
  ready(): Promise<Readiness>
  /** Requests that may leave for the service at once; undefined where there is no service to ask. */
  budgetLeft(): Promise<number | undefined>
  /** What readers are shown of an entry, with what is known by now. */
  message(entry: Exclude<Entry, { kind: 'act' }>): Promise<Message>
  /** The same without what people did about it, which is nobody's business who only reads a feed. */
  report(alert: AlertEvent): Promise<Message>
  /** The published figures about an alert. Rejects with why there are none. */
  series(alert: AlertEvent): Promise<Series>
  /** Sends a test; answers in a sentence what came of it. */
  sendTest(channel: string, doer: Doer): Promise<{ isSent: boolean; said: string }>
  clock: Clock
  onError(error: unknown): void
}
