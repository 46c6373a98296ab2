/** Why a channel gets no message about an event. The closed set that `explain` prints. */
export const rules = [
  'models',
  'events',
  'categories',
  'minDelta',
  'direction',
  'stale',
  'operators-only',
  'channel-removed',
  'same-change',
  'nothing-new',
  'unsubscribed',
  'not-escalated',
] as const
export type RoutingRule = (typeof rules)[number]

/**
 * What became of one event on one channel. Every event has exactly one for every channel that was configured
 * when it was accepted. Times are ISO 8601, UTC, with milliseconds.
 */
export type Outcome = Waiting | Sent | Failed | NotSent | Held | Merged

/** What was decided and tried before a person asked for it to be sent again. */
export interface ResendHistory {
  /** Oldest first; the newest twenty. */
  earlier?: PreviousAttempt[]
  /** How many older ones are no longer kept. */
  earlierDropped?: number
  /** It came here because nobody acknowledged it elsewhere. Its message says so. */
  escalated?: Escalation
}

/** From which channel an alert went to another, and from when to when nobody had it. */
export interface Escalation {
  from: string
  /** ISO 8601, UTC. */
  since: string
  at: string
  /** It was never sent there. */
  isUnsent?: true
}

/** What ends the wait of an alert that goes to another channel unless somebody acknowledges it: see `Held.by`. */
export const escalationBy = 'escalation'

/** How it stood when a person asked for it to be sent again, and when that was. */
type PreviousAttempt = WithoutResendHistory<Outcome> & { replacedAt: string }
type WithoutResendHistory<One> = One extends unknown ? Omit<One, keyof ResendHistory> : never

export interface Waiting extends ResendHistory {
  state: 'waiting'
  /** Not sent before this. */
  dueAt: string
  /** Sentence for people: why it has not gone yet. */
  why: string
  /** How often it was tried. */
  attempts: number
  /** When it was first tried. */
  firstAttemptAt?: string
  /** For how long it will have been tried when it is due, even if the clock was set meanwhile; milliseconds. */
  triedMs?: number
  /** An earlier attempt may have reached the reader: it timed out, or the connection was cut. */
  uncertain?: boolean
  /** When the current attempt began. If it is still there at a start, or after a lease has ended, that attempt was cut off. */
  begun?: string
  /**
   * How many attempts got no answer, on channels that cannot verify delivery, such as mail. Each may have delivered a copy.
   * Counts the current part only: one recipient, or the whole message if it has no parts.
   */
  unanswered?: number
  /** The sum of `unanswered` over the parts that are done. With 1 here and `unanswered: 2`, three attempts may have delivered a copy. */
  unansweredOfDone?: number
  /**
   * What is left of a long wait after `dueAt`, milliseconds. After `unanswered` attempts the waits grow to eight hours. Bluepencil
   * waits an hour at a time, so a clock that is set skips an hour at most. A wait of eight hours is stored as one until `dueAt` and seven here.
   * Such an alert is not `Held`. The name stays because it is stored.
   */
  holdMs?: number
  /** Which parts are done, in the channel's own form. For mail: the recipients that have their copy. */
  progress?: string[]
  /**
   * The progress to go on with if Bluepencil gives up the current part. If Ann has her copy and the server never answers for Bob, `progress`
   * has Ann and `without` has both, Bob as unanswered. Once Bob is given up, the next recipient follows.
   */
  without?: string[]
  /** The provider asked for this wait, of all messages to it. */
  asked?: true
  /** When a person asked for it to be sent again; copies from before do not count. */
  againAt?: string
}

/** Where a message is, as its provider names it. */
export interface Receipt {
  /** Slack's conversation, Discord's channel. Absent if the provider does not say. */
  place?: string
  /** What it is called there: Slack's `ts`, Discord's id, the Message-ID. */
  id?: string
  /** The thread that it stands in. */
  thread?: string
  /** All of it for people, with what they should know besides: refused recipients. */
  text: string
}

export interface Sent extends ResendHistory {
  state: 'sent'
  at: string
  attempts: number
  receipt: Receipt
  /** Tries before it that ended without an answer and may have arrived too. */
  unanswered?: number
  /** When a person asked for it to be sent again. */
  againAt?: string
  /**
   * The hash of the message as it is there now (`shownHash`). If it should read otherwise, an edit is pending. Absent if the
   * message cannot be edited, or if it is uncertain which try's message is there.
   */
  shows?: string
  /** Other events in the message, by their ids: about the same change, or what corrects or withdraws it. */
  alsoTells?: string[]
  /** As it was first sent. Absent in what was stored before messages were kept. */
  message?: SentMessage
  /** How it reads since; the newest ten. */
  edits?: SentEdit[]
  /** If a picture was added: when that began, and why there is none after all. It is never begun a second time. */
  picture?: { begun: string; why?: string }
  /** When it was last edited. */
  editedAt?: string
  unedited?: AbandonedEdit
}

/** An edit that is not tried again: the provider refuses it, or it has failed too often. */
interface AbandonedEdit {
  why: string
  /** The hash of what was to stand there: something else is tried. */
  shows: string
}

export interface Failed extends ResendHistory {
  state: 'failed'
  at: string
  attempts: number
  why: string
  /** Tries that ended without an answer: it may be there all the same. */
  unanswered?: number
  /** What was done of it all the same, as in `Waiting`. */
  progress?: string[]
}

export interface NotSent extends ResendHistory {
  state: 'not_sent'
  rule: RoutingRule
  why: string
}

/** The rest of a flood is held for so long at the most; milliseconds. */
export const longestFloodMs = 10 * 60_000

/** It is not sent at once, by somebody's wish: neither late nor a backlog. It goes out when the wait ends. */
export interface Held extends ResendHistory {
  state: 'held'
  /** When the wait ends, unless it is ended before. */
  until: string
  /** What ends it: `quiet` hours, the time of a `digest`, of a `story` or of a flood (`burst`), an `escalation`, or an act, by its id (`act_…`): a silence. */
  by: string
  /** Of an escalation: the channel on which nobody may have acknowledged it. */
  from?: string
  /** Of an escalation: from when on people can acknowledge it there, and how long they have; milliseconds. */
  since?: string
  after?: number
  why: string
}

/** It has no message of its own: it is, or will be, in the message about another event. */
interface Merged extends ResendHistory {
  state: 'merged'
  /** That event, by its id. */
  in: string
}

/** Whether a channel got no message, and gets none by itself. */
export function isUnreached(outcome: Pick<Outcome, 'state'> | undefined): boolean {
  return outcome === undefined || outcome.state === 'failed' || outcome.state === 'not_sent'
}

/** Somebody who replays a thousand times must not make the store grow with each. */
const mostKept = 20

/** What an outcome says of the time before it was sent again; every later outcome carries it along. */
export function beforeOf({ earlier, earlierDropped, escalated }: ResendHistory): ResendHistory {
  return {
    ...(earlier !== undefined && { earlier }),
    ...(earlierDropped !== undefined && { earlierDropped }),
    ...(escalated !== undefined && { escalated }),
  }
}

/** The same with how it stood when it was sent again, `replacedAt` (ISO 8601, UTC). What was never tried adds nothing. */
export function addedTo(outcome: Outcome | undefined, replacedAt: string): ResendHistory {
  if (outcome === undefined || isUntried(outcome)) return beforeOf(outcome ?? {})
  const { earlier = [], earlierDropped = 0, escalated, ...stood } = outcome
  const all: PreviousAttempt[] = [...earlier, { ...stood, replacedAt }]
  const dropped = earlierDropped + Math.max(0, all.length - mostKept)
  return {
    earlier: all.slice(-mostKept),
    ...(dropped > 0 && { earlierDropped: dropped }),
    ...(escalated !== undefined && { escalated }),
  }
}

function isUntried(outcome: Outcome): boolean {
  return outcome.state === 'waiting' && outcome.attempts === 0 && outcome.begun === undefined
}

interface MessageWords {
  tone: string
  kicker: string
  headline: string
  source: string
}

interface MoreWords {
  /** Absent if it is English. */
  language?: string
  text?: string[]
  facts?: { label: string; value: string }[]
  links?: { label: string; url: string }[]
  caveats?: string[]
}

/** What readers were sent, before any provider's form: plain text. Lists that are empty are left out. */
export interface SentMessage extends MessageWords, MoreWords {
  /** Whom it rang, as the channel's configuration names them. */
  mentions?: string[]
  /** What its picture shows, in words. The picture itself is not kept. */
  picture?: string
  /** Nobody knows which try arrived: an earlier one may have read otherwise. */
  unsure?: true
}

/** What of a message reads otherwise since an edit, beside how it was first sent. An empty list: no such part any more. */
export interface SentEdit extends Partial<MessageWords>, MoreWords {
  /** ISO 8601, UTC. */
  at: string
}
