import { type Attempt, type Channel, type Picture, type SendResult, sendWhole } from '../channels/channel.ts'
import { withoutMentions } from '../channels/mentions.ts'
import type { Entry } from '../event/event.ts'
import type { Message } from '../message/message.ts'
import { after } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'
import type { DueNotification, Store } from '../store/store.ts'
import { type FinishedTry, tryInTurn, unanswered } from './one-try.ts'
import type { Outage } from './outage.ts'
import type { Pace } from './pace.ts'
import type { MissedSummary, QueueParts } from './parts.ts'
import { catchUpPace } from './policy.ts'
import { asRepeat } from './sent-message.ts'

/** A try that has had no answer for so long is reported, though it may end well. */
const slowMs = 5 * minuteMs
/** A message that has its picture inside waits for it no longer. */
const pictureMs = 3_000
/** Among so many of the newest events, what polling missed is searched for. */
const newestEvents = 500

export type ChannelSending = ReturnType<typeof createSending>

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

/** Every try of one channel, to send or to edit, at its pace. */
export function createSending({ channel, parts, outage, pace, cutting }: SendingParts) {
  const { store, clock, policy } = parts
  let { paceMs } = channel
  /** A part of a message is sent, and the next follows at once: the pace is that of messages. */
  let isMidway = false
  /** Changes that polling missed since then were announced. */
  let announcedSince: string | undefined
  /** The summary of what was missed since then ended without an answer: another copy may be there. */
  let unansweredSince: number | undefined

  /** Tries once to send what is due. If the channel missed much, a summary goes first. Never rejects. */
  async function send(pending: DueNotification): Promise<FinishedTry> {
    // A process that ended in the middle of a try left one without an answer.
    if (pending.interrupted !== undefined && channel.cannotVerifyDelivery === true) {
      return { result: unanswered('Bluepencil stopped while it was being sent') }
    }
    const tried = (await sendSummary(pending)) ?? (await sendMessage(pending))
    isMidway = tried.result.result === 'more'
    return tried
  }

  /** Undefined if the message may follow. */
  async function sendSummary(pending: DueNotification): Promise<FinishedTry | undefined> {
    const about = (await missedInOutage(pending, clock.now())) ?? (await missedByPolling(pending))
    if (about === undefined) return undefined
    const attempt = { uncertain: true, repeat: true, progress: [] }
    const tried = await handOver({
      eventId: pending.eventId,
      make: () => parts.renderSummary(about),
      send: (message, signal) => sendWhole(channel, message, { ...attempt, signal }),
    })
    const { result } = tried
    if (result.result === 'blocked') return tried
    // Those who have it get no other, even if the rest cannot be reached.
    if (result.result === 'retry' && result.arrived !== true) {
      // There would be as many copies of it as messages behind it.
      if (result.unanswered === true && channel.cannotVerifyDelivery === true) unansweredSince = about.since
      // The message itself was not sent.
      return { result: { ...result, uncertain: false, unanswered: false } }
    }
    if (about.out === 'channel') outage.ends()
    announcedSince = missedSinceOf(pending)
    paceMs = catchUpPace(about.waiting, channel.paceMs)
    return undefined
  }

  async function missedInOutage(pending: DueNotification, now: number): Promise<MissedSummary | undefined> {
    const since = outage.sinceOf(pending)
    if (since === undefined || since === unansweredSince) return undefined
    if (now - since < policy.summaryAfterMs) return undefined
    const waiting = (await store.backlog()).find((row) => row.channel === channel.name)?.waiting ?? 0
    return waiting < policy.summaryFrom
      ? undefined
      : { channel: channel.name, waiting, since, out: 'channel' }
  }

  async function missedByPolling(pending: DueNotification): Promise<MissedSummary | undefined> {
    const missedSince = missedSinceOf(pending)
    if (missedSince === undefined || missedSince === announcedSince) return undefined
    const since = Date.parse(missedSince)
    if (since === unansweredSince) return undefined
    const waiting = await countMissed(store, channel.name, missedSince)
    return waiting < policy.missedFrom ? undefined : { channel: channel.name, waiting, since, out: 'polling' }
  }

  async function sendMessage(pending: DueNotification): Promise<FinishedTry> {
    const { eventId, entry, waiting, uncertain, later } = pending
    const picture = await pictureInside(entry)
    const isRepeat = (waiting.unanswered ?? 0) > 0
    const attempt: Omit<Attempt, 'signal'> = {
      uncertain,
      repeat: isRepeat,
      progress: waiting.progress ?? [],
      ...(picture && { picture }),
    }
    const tried = await handOver<Message>({
      eventId,
      make() {
        const message = parts.render({
          entry,
          channel: channel.name,
          againAt: waiting.againAt,
          escalated: waiting.escalated,
          later,
        })
        if (isRepeat) return asRepeat(message)
        // An earlier try may have notified the people it mentions, and nobody can be asked.
        return uncertain && channel.cannotVerifyDelivery === true ? withoutMentions(message) : message
      },
      send: (message, signal) => channel.send(message, { ...attempt, signal }),
    })
    return { ...tried, ...(picture && { picture: picture.alt }) }
  }

  /** What cannot be added later must be there now, or soon. */
  async function pictureInside(entry: Entry): Promise<Picture | undefined> {
    const { pictures, addPicture } = channel
    if (pictures === undefined || addPicture !== undefined || entry.kind !== 'alert') return undefined
    const made = parts.picture?.(entry, { channel: channel.name, look: pictures })
    const inTime = new AbortController()
    const noPicture = clock.sleep(pictureMs, inTime.signal).then(() => undefined)
    return Promise.race([made, noPicture]).finally(() => inTime.abort())
  }

  /** Tries once to hand something to the channel: a message, an edit or a picture. Never rejects. */
  async function handOver<Made>(input: TryInput<Made>): Promise<FinishedTry<Made>> {
    const { eventId, make, send: hand, cut = cutting } = input
    pace().last = clock.now()
    const onError = (error: unknown) =>
      parts.onEvent({ type: 'failed', channel: channel.name, eventId, error })
    const ended = after(clock, slowMs, () =>
      parts.onEvent({ type: 'slow', channel: channel.name, eventId, forMs: slowMs }),
    )
    const broken = AbortSignal.any([cutting, cut])
    const tried = await tryInTurn({ clock, channel, cutting: broken, make, send: hand, onError })
    ended()
    return tried
  }

  return {
    send,
    handOver,
    /** The channel's own pace, or slower while it catches up; milliseconds. */
    paceMs: () => (isMidway ? 0 : paceMs),
    /** Nothing more is due. */
    caughtUp() {
      paceMs = channel.paceMs
    },
  }
}

/** Since when polling had seen nothing, if it found this when it caught up. A person who asks again knows of it. */
function missedSinceOf({ entry, waiting }: DueNotification): string | undefined {
  return entry.kind === 'alert' && waiting.againAt === undefined ? entry.missedSince : undefined
}

/** How many changes that polling missed since then wait for a channel; 0 if the first of them has been sent. */
async function countMissed(store: Store, channel: string, missedSince: string): Promise<number> {
  const rows = await store.list({ kind: 'alert', channel, from: missedSince, limit: newestEvents })
  const states = rows.flatMap(({ entry, outcomes }) => {
    const isMissed = entry.kind === 'alert' && entry.missedSince === missedSince
    const outcome = isMissed && Object.hasOwn(outcomes, channel) ? outcomes[channel] : undefined
    return outcome === undefined ? [] : [outcome.state]
  })
  return states.includes('sent') ? 0 : states.filter((state) => state === 'waiting').length
}
