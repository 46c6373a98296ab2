import { type Attempt, type Channel, type Picture, type SendResult, sendWhole } from '../channels/channel.ts'
import { withoutMentions } from '../channels/mentions.ts'
import type { Entry } from '../event/event.ts'
import type { Message } from '../message/message.ts'
import { after } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'
import type { DueNotification } from '../store/store.ts'
import { type FinishedTry, oneTry, unanswered } from './one-try.ts'
import type { Outage } from './outage.ts'
import type { Pace } from './pace.ts'
import type { QueueParts } from './parts.ts'
import { catchUpPace } from './policy.ts'
import { asRepeat } from './repeat.ts'
import { createSummaries } from './summary.ts'

/** A try of which nothing has been heard for so long is reported, though it may end well. */
const slowMs = 5 * minuteMs
/** A message that has its picture inside waits for it no longer. */
const pictureMs = 3_000

/** Every try of one channel, to send or to edit, at its pace. */
export interface ChannelSending {
  /** Tries once to send what is due, and before it, where that is called for, how much the channel missed. Never rejects. */
  send(owed: DueNotification): Promise<FinishedTry>
  /** Tries once to hand something to the channel, in whichever way. Never rejects. */
  tryNow<Made>(one: TryInput<Made>): Promise<FinishedTry<Made>>
  /** The channel's own pace, or slower while it catches up; milliseconds. */
  paceMs(): number
  /** Nothing more is due. */
  caughtUp(): void
}

interface TryInput<Made> {
  eventId: string
  make: () => Made
  send: (message: Made, signal: AbortSignal) => Promise<SendResult>
  /** Breaks it off. */
  cut?: AbortSignal
}

interface SendingParts {
  channel: Channel
  parts: QueueParts
  outage: Outage
  pace: () => Pace
  /** Aborts when nothing may take any longer: the process must end. */
  cutting: AbortSignal
}

export function createSending({ channel, parts, outage, pace, cutting }: SendingParts): ChannelSending {
  const { store, clock, policy } = parts
  const summaries = createSummaries({ channel: channel.name, store, outage, policy })
  let { paceMs } = channel
  /** A part of a message is sent, and the next follows at once: the pace is that of messages. */
  let isMidway = false

  async function send(owed: DueNotification): Promise<FinishedTry> {
    // A process that ended in the middle of a try left one without an answer.
    if (owed.interrupted !== undefined && channel.cannotVerifyDelivery === true) {
      return { result: unanswered('its process ended while it was being sent') }
    }
    const tried = (await sendSummary(owed)) ?? (await sendMessage(owed))
    isMidway = tried.result.result === 'more'
    return tried
  }

  /** A channel that comes back after long is first told how much is to come. Undefined where the message may follow. */
  async function sendSummary(owed: DueNotification): Promise<FinishedTry | undefined> {
    const about = await summaries.before(owed, clock.now())
    if (about === undefined) return undefined
    const attempt = { uncertain: true, repeat: true, progress: [] }
    const tried = await tryNow({
      eventId: owed.eventId,
      make: () => parts.renderSummary(about),
      send: (message, signal) => sendWhole(channel, message, { ...attempt, signal }),
    })
    const { result } = tried
    if (result.result === 'blocked') return tried
    // Those who have it get no other, where the rest cannot be reached.
    if (result.result === 'retry' && result.arrived !== true) {
      if (result.unanswered === true && channel.cannotVerifyDelivery === true) summaries.unanswered(about)
      // The message itself was not sent.
      return { result: { ...result, uncertain: false, unanswered: false } }
    }
    summaries.told(about, owed)
    paceMs = catchUpPace(about.waiting, channel.paceMs)
    return undefined
  }

  async function sendMessage(owed: DueNotification): Promise<FinishedTry> {
    const { entry, waiting, uncertain } = owed
    const picture = await pictureInside(entry)
    const isRepeat = (waiting.unanswered ?? 0) > 0
    const make = () => {
      const message = parts.render({
        entry,
        channel: channel.name,
        againAt: waiting.againAt,
        later: owed.later,
      })
      if (isRepeat) return asRepeat(message)
      // An earlier try may have rung, and nobody can be asked.
      return uncertain && channel.cannotVerifyDelivery === true ? withoutMentions(message) : message
    }
    const attempt = { uncertain, repeat: isRepeat, progress: waiting.progress ?? [] }
    if (picture === undefined) return sendNow(owed, make, attempt)
    return { ...(await sendNow(owed, make, { ...attempt, picture })), picture: picture.alt }
  }

  /** What cannot be added later must be there now, or soon. */
  async function pictureInside(entry: Entry): Promise<Picture | undefined> {
    const { pictures, addPicture } = channel
    if (pictures === undefined || addPicture !== undefined || entry.kind !== 'alert') return undefined
    const found = parts.picture?.(entry, { channel: channel.name, look: pictures })
    const inTime = new AbortController()
    const noPicture = clock.sleep(pictureMs, inTime.signal).then(() => undefined)
    return Promise.race([found, noPicture]).finally(() => inTime.abort())
  }

  function sendNow(
    { eventId }: DueNotification,
    make: () => Message,
    attempt: Omit<Attempt, 'signal'>,
  ): Promise<FinishedTry> {
    return tryNow({
      eventId,
      make,
      send: (message, signal) => channel.send(message, { ...attempt, signal }),
    })
  }

  async function tryNow<Made>({
    eventId,
    make,
    send,
    cut = cutting,
  }: TryInput<Made>): Promise<FinishedTry<Made>> {
    pace().last = clock.now()
    const onError = (error: unknown) =>
      parts.onEvent({ type: 'failed', channel: channel.name, eventId, error })
    const ended = after(clock, slowMs, () =>
      parts.onEvent({ type: 'slow', channel: channel.name, eventId, forMs: slowMs }),
    )
    const broken = AbortSignal.any([cutting, cut])
    const tried = await oneTry({ clock, channel, cutting: broken, make, send, onError })
    ended()
    return tried
  }

  return {
    send,
    tryNow,
    paceMs: () => (isMidway ? 0 : paceMs),
    caughtUp() {
      paceMs = channel.paceMs
    },
  }
}
