import type { Channel } from '../channels/channel.ts'
import { after } from '../clock.ts'
import { sharedPaces } from './pace.ts'
import type { Backoff, QueueParts } from './parts.ts'
import { startQueue } from './queue.ts'

export interface Delivery {
  /** Something new may be due on these channels; on all where none is named. */
  wake(channels?: readonly string[]): void
  /** A person asked for it: the channel is tried now, also while it rests after a failure. */
  tryNow(channel: string): void
  /** The channel's message about this event may have to read otherwise: it is edited when nothing is to be sent. */
  edit(channel: string, eventId: string): void
  /** Resolves when the channel is not in the middle of sending this event. */
  idle(channel: string, eventId: string): Promise<void>
  backoff(channel: string): Backoff | undefined
  /** Takes nothing more, and gives what is in flight so many milliseconds to end. */
  stop(graceMs: number): Promise<void>
}

/** One queue for each channel, so that none waits for another. */
export function startDelivery(channels: readonly Channel[], parts: QueueParts): Delivery {
  const paceOf = sharedPaces()
  const queues = new Map(
    channels.map((channel) => [channel.name, startQueue(channel, parts, () => paceOf(channel))]),
  )
  return {
    wake(names = [...queues.keys()]) {
      for (const name of names) queues.get(name)?.wake()
    },
    tryNow: (channel) => queues.get(channel)?.wake(true),
    edit: (channel, eventId) => queues.get(channel)?.edit(eventId),
    idle: async (channel, eventId) => queues.get(channel)?.idle(eventId),
    backoff: (channel) => queues.get(channel)?.backoff(),
    async stop(graceMs) {
      const cutOff = new AbortController()
      const ended = after(parts.clock, graceMs, () => cutOff.abort())
      await Promise.all([...queues.values()].map((queue) => queue.stop(cutOff.signal)))
      ended()
    },
  }
}
