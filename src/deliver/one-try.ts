import type { Channel, SendResult } from '../channels/channel.ts'
import type { Message } from '../message/message.ts'
import { after, type Clock } from '../platform/clock.ts'

/** For a channel that names no limit of its own. */
const usualTryMs = 150_000
/** What a channel gets to say how a try ended that was cut off. */
const heedMs = 500

/** No try of the channel takes longer, in milliseconds: then it is cut off, and its end is uncertain. */
export function longestTryMs({ tryMs = usualTryMs }: Pick<Channel, 'tryMs'>): number {
  return tryMs + heedMs
}

/** How a try ended, and what it tried to send, if that could be made. */
export interface FinishedTry<Made = Message> {
  result: SendResult
  message?: Made
  /** What a picture inside it shows, in words. */
  picture?: string
}

interface TryParts<Made> {
  clock: Clock
  channel: Pick<Channel, 'tryMs'>
  /** Aborts when the process must end. */
  cutting: AbortSignal
  make: () => Made
  send: (message: Made, signal: AbortSignal) => Promise<SendResult>
  onError: (error: unknown) => void
}

/** The last try of each channel. */
const lastTries = new WeakMap<Pick<Channel, 'tryMs'>, Promise<unknown>>()

/**
 * Makes a message and gives it to a channel, until that ends, takes too long or is cut off. Never rejects. Tries of one
 * channel come one after the other. A provider's library may queue them. A try that waits there behind one that hangs would
 * be cut off just when it is sent.
 */
export function tryInTurn<Made>(parts: TryParts<Made>): Promise<FinishedTry<Made>> {
  const before = lastTries.get(parts.channel)
  const tried = before === undefined ? tryBounded(parts) : before.then(() => tryBounded(parts))
  lastTries.set(parts.channel, tried)
  return tried
}

async function tryBounded<Made>({
  clock,
  channel,
  cutting,
  make,
  send,
  onError,
}: TryParts<Made>): Promise<FinishedTry<Made>> {
  let message: Made
  try {
    message = make()
  } catch (error) {
    onError(error)
    return {
      result: { result: 'permanent', why: 'the message could not be composed; see the log' },
    }
  }
  const cut = new AbortController()
  const done = new AbortController()
  if (cutting.aborted) cut.abort()
  else cutting.addEventListener('abort', () => cut.abort(), { once: true, signal: done.signal })
  const ended = after(clock, longestTryMs(channel) - heedMs, () => cut.abort())
  try {
    const answer = send(message, cut.signal)
    return { result: await Promise.race([answer, noAnswer(clock, cut.signal, done.signal)]), message }
  } catch (error) {
    onError(error)
    return { result: unanswered('an unexpected error; see the log'), message }
  } finally {
    ended()
    done.abort()
  }
}

/** For a channel that does not heed the signal: it must not hold up a stop. */
async function noAnswer(clock: Clock, cut: AbortSignal, done: AbortSignal): Promise<SendResult> {
  if (!cut.aborted) {
    await new Promise((resolve) => cut.addEventListener('abort', resolve, { once: true, signal: done }))
  }
  await clock.sleep(heedMs, done)
  return unanswered('no answer in time')
}

/** The end of a try without any answer. */
export function unanswered(why: string): SendResult {
  return { result: 'retry', why, uncertain: true, unanswered: true }
}
