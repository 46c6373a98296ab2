import type { Channel, Picture } from '../channels/channel.ts'
import type { Entry } from '../event/event.ts'
import type { Sent } from '../event/outcome.ts'
import { isStill } from './edit.ts'
import type { QueueParts } from './parts.ts'
import type { ChannelSending } from './sending.ts'

/**
 * Pictures for messages that stand in one channel. The text went first; what a picture lacks is no reason to try anything
 * again later. Kept in memory alone: a process that ends leaves a message without one.
 */
export interface Picturing {
  /** This message was just sent: its picture is made while others are sent. */
  sent(entry: Entry, sent: Sent): void
  /** When the next is due, milliseconds since the epoch; infinity where none is. */
  nextDue(): number
  /** Adds the first that is due. */
  turn(now: number): Promise<void>
  /** Something is to be sent: what is under way is broken off. */
  giveWay(): void
  /** The clock may have been set back. */
  noLater(now: number): void
}

interface ReadyPicture {
  eventId: string
  sent: Sent
  picture: Picture
  attempts: number
  dueAt: number
}

interface PicturingParts {
  channel: Channel
  parts: QueueParts
  tryNow: ChannelSending['tryNow']
  /** A picture is ready. */
  onReady: () => void
}

/** What breaks off the try, or asks for a wait, may do so this often; the longest wait, in milliseconds. */
const mostTries = 4
const againMs = 5_000
const longestMs = 60_000
/** While text is sent without a pause, no more wait than these: they are some 70 kB each. */
const mostReady = 10

export function createPicturing({ channel, parts, tryNow, onReady }: PicturingParts): Picturing {
  const { store, clock } = parts
  const ready: ReadyPicture[] = []
  let way = new AbortController()

  async function make(entry: Entry, sent: Sent): Promise<void> {
    if (entry.kind !== 'alert' || channel.pictures === undefined) return
    const picture = await parts.picture?.(entry, { channel: channel.name, look: channel.pictures })
    if (picture === undefined) return
    ready.push({ eventId: entry.id, sent, picture, attempts: 0, dueAt: clock.now() })
    if (ready.length > mostReady) ready.shift()
    onReady()
  }

  async function turn(now: number): Promise<void> {
    const index = ready.findIndex(({ dueAt }) => dueAt <= now)
    const [one] = index < 0 ? [] : ready.splice(index, 1)
    if (one === undefined) return
    way = new AbortController()
    if (one.attempts === 0 && !(await begin(one))) return
    const { result } = await tryNow({
      eventId: one.eventId,
      make: () => one.picture,
      send: async (picture, signal) =>
        (await channel.addPicture?.(picture, one.sent.receipt, signal)) ?? cannotAdd,
      cut: way.signal,
    })
    const attempts = one.attempts + 1
    if (result.result === 'retry' && !result.uncertain && attempts < mostTries) {
      const wait = Math.min(result.afterMs ?? againMs, longestMs)
      ready.push({ ...one, attempts, dueAt: clock.now() + wait })
      return
    }
    await note(one, result.result === 'sent' ? {} : { why: result.why })
  }

  /** Before anything leaves: a process that ends in the middle leaves no second picture behind. */
  function begin({ eventId, sent }: ReadyPicture): Promise<boolean> {
    return store.alter(eventId, channel.name, (known) => {
      if (!isStill(known, sent) || known.picture !== undefined) return undefined
      return { ...known, picture: { begun: new Date(clock.now()).toISOString(), why: cutOff } }
    })
  }

  async function note({ eventId, sent, picture }: ReadyPicture, end: { why?: string }): Promise<void> {
    await store.alter(eventId, channel.name, (known) => {
      if (!isStill(known, sent) || known.picture === undefined) return undefined
      const noted = { ...known, picture: { begun: known.picture.begun, ...end } }
      if (end.why !== undefined || known.message === undefined) return noted
      return { ...noted, message: { ...known.message, picture: picture.alt } }
    })
    parts.onEvent({ type: 'pictured', channel: channel.name, eventId, ...end })
  }

  return {
    sent(entry, sent) {
      if (channel.addPicture === undefined) return
      make(entry, sent).catch((error: unknown) =>
        parts.onEvent({ type: 'failed', channel: channel.name, eventId: entry.id, error }),
      )
    },
    nextDue: () => ready.reduce((first, { dueAt }) => Math.min(first, dueAt), Number.POSITIVE_INFINITY),
    turn,
    giveWay: () => way.abort(),
    noLater(now) {
      for (const one of ready) one.dueAt = Math.min(one.dueAt, now + longestMs)
    },
  }
}

const cutOff = 'it was begun, and its end was not noted'
const cannotAdd = { result: 'permanent', why: 'nothing can be added to messages on this channel' } as const
