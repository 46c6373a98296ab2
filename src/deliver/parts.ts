import type { Look, Picture, SendResult } from '../channels/channel.ts'
import type { AlertEvent, Entry } from '../event/event.ts'
import type { Escalation, Outcome, Sent } from '../event/outcome.ts'
import type { Message } from '../message/message.ts'
import type { Language } from '../message/words/phrases.ts'
import type { Clock } from '../platform/clock.ts'
import type { FollowUps } from '../store/near.ts'
import type { DueNotification, Store } from '../store/store.ts'
import type { RetryPolicy } from './policy.ts'

/** What the queues of all channels work with, and who listens to what happens. */
export interface QueueParts {
  store: Store
  clock: Clock
  random: () => number
  policy: RetryPolicy
  render: (what: ToRender) => Message
  /** What is new in a story, for the thread of its message: the alerts with these ids. */
  renderFollowUp: (what: Omit<ToRender, 'againAt'> & { ids: readonly string[] }) => Message
  /** Says how many alerts a channel missed since when, before they follow. */
  renderSummary: (about: MissedSummary) => Message
  /** The picture of an alert, or none; never rejects. Absent if no channel asks for any. */
  picture?: ((alert: AlertEvent, wanted: { channel: string; look: Look }) => PendingPicture) | undefined
  onEvent: (event: DeliveryEvent) => void
}

/** What happens while notifications are sent. */
export type DeliveryEvent =
  /** This process sends on the channel from now on; another process may have done so until now. */
  | { type: 'lane-acquired'; channel: string }
  | ({ type: 'settled' } & SettledTry)
  /**
   * A message that was sent was edited, or will not be: see `unedited`. With `again`, it could not be edited yet: why, and
   * when it is tried again, milliseconds since the epoch.
   */
  | { type: 'edited'; channel: string; eventId: string; outcome: Sent; again?: { why: string; at: number } }
  /** The message about this entry will not be edited again. */
  | { type: 'closed'; eventId: string }
  | ({ type: 'pictured' } & PictureResult)
  /** A try has been under way for so many milliseconds, without an answer yet. */
  | { type: 'slow'; channel: string; eventId: string; forMs: number }
  | ({ type: 'failed' } & QueueFailure)

/** A picture that is being made; none if there is nothing to show. */
type PendingPicture = Promise<Picture | undefined>

/** Makes the picture of an alert, with words in a language that is loaded; never rejects. */
export type Pictures = (alert: AlertEvent, look: Look, language: Language) => PendingPicture

/** A message about an event for a channel, by what is known now. */
export interface ToRender {
  entry: Entry
  channel: string
  /** When a person asked for it to be sent again. */
  againAt: string | undefined
  /** If it came here because nobody acknowledged it elsewhere. */
  escalated?: Escalation | undefined
  later: FollowUps
}

/** What waited while a channel let nothing through, or what polling missed. */
export interface MissedSummary {
  channel: string
  waiting: number
  /** Milliseconds since the epoch. */
  since: number
  out: 'channel' | 'polling'
}

export interface SettledTry {
  channel: string
  notification: DueNotification
  result: SendResult
  outcome: Outcome
  /** For how long nothing has got through on this channel, milliseconds; undefined while something does. */
  outageMs: number | undefined
  /** For how long the channel now rests, milliseconds. */
  backoffMs: number
}

/** A picture was added to a message, or could not be: then why. */
export interface PictureResult {
  channel: string
  eventId: string
  why?: string
}

/** Something unexpected, and the channel and event that it happened to, if there is one. */
export interface QueueFailure {
  channel?: string
  eventId?: string
  error: unknown
  /** How often it has happened by now, if it is tried again until it succeeds. */
  times?: number
}

/** Why a channel rests, for how long, and until when; milliseconds, since the epoch. */
export interface ChannelBackoff {
  until: number
  pauseMs: number
  why: string
}
