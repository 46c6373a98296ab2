import type { Act } from '../event/act.ts'
import type { PublishedStory } from '../event/desk.ts'
import type { Entry, ReportedAlert, ShownAlert } from '../event/event.ts'
import type { Outcome, RoutingRule } from '../event/outcome.ts'
import { dayMs } from '../platform/durations.ts'

/** An alert that was accepted lately, and what has become of it by now. */
export interface RelatedAlert {
  seq: number
  entry: NearAlert
  outcomes: Readonly<Record<string, NearOutcome>>
}

/** What other alerts are compared with, and what a message shows of it: thousands of them stay in memory. */
export type NearAlert = ShownAlert

/** The part of an outcome that says whether there is a message on the channel, or will be. */
export interface NearOutcome {
  /** `escalation`: held, and only sent there if nobody acknowledges the alert on another channel. */
  state: Outcome['state'] | 'escalation'
  rule?: RoutingRule
  /** The alert whose message shows this one too. */
  in?: string
}

/** An alert that the message about another shows too: see `AlertEvent.story`. */
export interface StoryMember {
  alert: NearAlert
  /** The same change, as it came by the other way; the newest correction or withdrawal; the finding's confirmation. */
  other?: NearAlert
  revision?: NearAlert
  confirmation?: NearAlert
  /** What counts for its state: see `deskOf`. */
  acts?: readonly Act[]
  outcomes: Readonly<Record<string, NearOutcome>>
}

/** What came after an event, or belongs in its message: reports of the same change, corrections, acts, other alerts of its story. */
export interface FollowUps {
  /** The same change, as it came by the other way, and what corrects that. */
  other?: NearAlert
  otherRevision?: NearAlert
  /** The newest of what corrects or withdraws the event itself, one after the other. */
  revision?: NearAlert
  /** If it is a finding: what confirms it. */
  confirmation?: NearAlert
  /** What people did about it, oldest first. What counts for its state is done about its change: see `deskOf`. */
  acts?: readonly Act[]
  /** The stories that were published about what it corrects or withdraws, before it came. */
  published?: readonly PublishedStory[]
  /** Other events that a message of this one includes, on any channel, oldest first. */
  members?: readonly StoryMember[]
  /** Later events about the change, oldest first: its copy by the other way, confirmations, corrections and withdrawals. */
  followers?: readonly NearAlert[]
}

/** A message that a channel was sent lately, or that is pending. */
export interface NearMessage {
  /** The event that it is about. */
  id: string
  /** When it was sent, or else was to be; milliseconds since the epoch. */
  at: number
  alert?: NearAlert
  /** It can still be edited, as far as that was tried, and so may come to show more alerts. */
  isOpen: boolean
}

export interface OnChannel {
  /** In the order in which they were decided, without notices to operators. */
  messages: readonly NearMessage[]
  /** The rest of a flood, which is held. */
  flooded: readonly Flooded[]
}

export interface Flooded {
  alert?: NearAlert
  /** Milliseconds since the epoch. */
  until: number
}

/** What was accepted lately, oldest first, as it is in the commit that asks. */
export interface RecentAlerts {
  /** Of one model, by one way. */
  of(model: string, by: ReportedAlert['by']): readonly RelatedAlert[]
  find(id: string): RelatedAlert | undefined
  /** Those that are the same change as this one, that revise or confirm it, or that its message shows. */
  about(id: string): readonly RelatedAlert[]
  /** What a channel was sent lately, and is about to be. */
  on(channel: string): OnChannel
}

/** Keeps what a commit may ask for, so that no event scans history. */
export interface NearIndex extends RecentAlerts {
  add(row: { seq: number; entry: Entry; outcomes: Record<string, Outcome> }): void
  settle(id: string, channel: string, outcome: Outcome): void
  remove(id: string): void
  laterOf(id: string): FollowUps
  /** Ids of the events about which something came later; of those that the event `by` is about, if it is given. */
  changed(by?: string): string[]
}

/** How long an alert is compared with new ones. Polling needs five daily readings to see a small step, and may date it days off. */
export const nearMs = 14 * dayMs
/** How many of the service's alerts, and how many findings, are compared: the newest. */
export const mostNear = 5_000
