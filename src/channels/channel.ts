import type { Receipt } from '../event/outcome.ts'
import type { Message } from '../message/message.ts'

export interface Attempt {
  /** An earlier try may have reached the reader: search for it before sending, if the provider lets us. */
  uncertain: boolean
  /** Send it although an earlier copy may be there and cannot be searched for. */
  repeat?: boolean
  /** To be shown inside the message, by a channel that asks for pictures and cannot add them later. */
  picture?: Picture
  /** What earlier tries finished, as this channel reported it. */
  progress: string[]
  /** Aborts when the process must stop. An aborted try answers `retry`, `uncertain` unless it surely was not sent. */
  signal: AbortSignal
}

/**
 * How one try ended. A channel tries once and never retries: the retry policy decides. `why` is one sentence for people, without secrets.
 *
 * - The provider accepted it: `sent`, with `remark` if a recipient was refused.
 * - One recipient has a copy and others follow: `more`, with `progress`.
 * - Every reader has unsubscribed: `unwanted`.
 * - A limit, an outage, a refused connection: `retry` with `uncertain: false`.
 * - A time-out or a cut connection after the request left: `retry` with `uncertain: true` and `unanswered: true`.
 * - The provider rejects this message, not others: `permanent`.
 * - A revoked token, a deleted channel: `blocked`.
 */
export type SendResult =
  /** The provider has it. `remark` is what a person should know all the same: a refused recipient. */
  | { result: 'sent'; receipt: Receipt; remark?: string }
  /** A part of it is done, for good: a recipient has a copy. The next part may follow at once, with this as its progress. */
  | { result: 'more'; why: string; progress: string[] }
  /** All readers of the channel have unsubscribed. */
  | { result: 'unwanted'; why: string }
  | {
      /** Not now. */
      result: 'retry'
      why: string
      /** What the provider asked for (Retry-After), as given; the policy bounds it. */
      afterMs?: number
      /** It may have arrived all the same. */
      uncertain: boolean
      /** That is so because nothing was answered. */
      unanswered?: boolean
      progress?: string[]
      /** The progress with which the other parts go on if this one is given up; absent if there are no others. */
      without?: string[]
      /** Some of its readers have it. */
      arrived?: true
    }
  /** The provider will never accept this message, but may accept others. */
  | { result: 'permanent'; why: string }
  /** The channel accepts nothing at all until a person acts: revoked token, deleted channel, wrong password. */
  | { result: 'blocked'; why: string }

/** Every end of a try but `sent`. */
export type SendFailure = Exclude<SendResult, { result: 'sent' }>

/** One row of `check`: would it work, and what to do if not. */
export interface CheckRow {
  /** `warn`: it works, and less surely or less fully than it could. `fail`: it would not work. */
  level: 'ok' | 'warn' | 'fail'
  /** "token", "channel", "permission", … */
  what: string
  /** What was found. */
  text: string
  /** What to do, if the text does not say it. */
  hint?: string
}

export interface Channel {
  readonly name: string
  readonly type: string
  /** Least time between two messages, in milliseconds. */
  readonly paceMs: number
  /** The longest that one try may take, in milliseconds; it outlasts every time-out of the channel's own. */
  readonly tryMs?: number
  /** Nobody can be asked whether a message arrived: each try without an answer may be another copy. */
  readonly cannotVerifyDelivery?: boolean
  /** Names the place that messages go to, and holds no secret: channels of one kind that go there share its pace. */
  readonly destination?: string | undefined
  /** People can act at its messages: see `Message.actions`. */
  readonly isHeard?: boolean
  /** Where its messages go: the provider's id of it, or its name until that is known. */
  readonly place?: string | undefined
  /** Alerts get a picture, in this look: after the text if the channel can add one, else inside the message. */
  readonly pictures?: Look | undefined
  /** Tries once. Never throws. */
  send(message: Message, attempt: Attempt): Promise<SendResult>
  /**
   * Edits what was sent, by its receipt, so that it reads as the message; absent if the provider cannot. Tries once,
   * sends nothing anew, notifies nobody, and a repeat changes nothing. `since` is when what stands there was put there, ISO 8601:
   * the same on all tries of one edit. Never throws.
   */
  edit?(message: Message, receipt: Receipt, signal: AbortSignal, since?: string): Promise<SendResult>
  /**
   * Adds a picture to what was sent, by its receipt. Tries once, and sends no text. It may be tried again if the answer is
   * `retry` and not `uncertain`: there is never a second picture. Never throws.
   */
  addPicture?(picture: Picture, receipt: Receipt, signal: AbortSignal): Promise<SendResult>
  /**
   * Says something in the thread of what was sent, by its receipt, and not to the channel; absent if there are no threads. Tries
   * once; what may have arrived is not tried again. Never throws.
   */
  reply?(message: Message, receipt: Receipt, signal: AbortSignal): Promise<SendResult>
  /**
   * The address at which people open what was sent, by its receipt; undefined if the provider has none. Absent if messages have no
   * address. Rejects if the provider does not answer.
   */
  linkTo?(receipt: Receipt, signal: AbortSignal): Promise<string | undefined>
  /** Whether it would work; no reader gets anything. Never throws. */
  check(): Promise<CheckRow[]>
  close(): Promise<void>
}

/** A picture that belongs to an alert. */
export interface Picture {
  png: Uint8Array
  /** "The last 90 days". */
  title: string
  /** What it shows, in one paragraph of plain text. */
  alt: string
}

/** Light for pages, dark if most readers have a dark screen; either has a background of its own. */
export type Look = 'light' | 'dark'

/** Sends all parts of a message, one after the other, if progress is not stored between them. Tries each once. */
export async function sendWhole(
  channel: Pick<Channel, 'send'>,
  message: Message,
  attempt: Attempt,
): Promise<SendResult> {
  let result = await channel.send(message, attempt)
  while (result.result === 'more') {
    result = await channel.send(message, { ...attempt, progress: result.progress })
  }
  return result
}
