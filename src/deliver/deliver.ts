import type { Channel } from '../channels/channel.ts'
import { after } from '../platform/clock.ts'
import type { Hold } from '../store/store.ts'
import { sharedPaces } from './pace.ts'
import type { ChannelBackoff, QueueParts } from './parts.ts'
import { type Queue, startQueue } from './queue.ts'

export interface Delivery {
  /** Something new may be due on these channels; on all where none is named. */
  wake(channels?: readonly string[]): void
  /** A person asked for it: the channel is tried now, also while it rests after a failure. */
  tryNow(channel: string): void
  /** The channel's message about this event may have to read otherwise: it is edited when nothing is to be sent. */
  edit(channel: string, eventId: string): void
  /** Resolves when the channel is not in the middle of sending this event. */
  idle(channel: string, eventId: string): Promise<void>
  backoff(channel: string): ChannelBackoff | undefined
  /** Takes nothing more, and gives what is in flight so many milliseconds to end. */
  stop(graceMs: number): Promise<void>
}

/** Between two tries to have a lane. */
const holdAgainMs = 1_000

/** One queue for each channel, so that none waits for another. One process at a time has a lane, and sends there. */
export function startDelivery(channels: readonly Channel[], parts: QueueParts): Delivery {
  const { store, clock } = parts
  const paceOf = sharedPaces()
  const queues = new Map<string, Queue>()
  const stopping = new AbortController()
  const cutOff = new AbortController()

  async function keepLane(lane: string, there: readonly Channel[]): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const hold = await store.hold(lane, stopping.signal)
        if (hold !== undefined) await sendWhile(hold, there)
      } catch (error) {
        for (const { name } of there) parts.onEvent({ type: 'failed', channel: name, error })
        await clock.sleep(holdAgainMs, stopping.signal)
      }
    }
  }

  async function sendWhile(hold: Hold, there: readonly Channel[]): Promise<void> {
    const ended = AbortSignal.any([hold.signal, stopping.signal])
    if (!ended.aborted) {
      for (const channel of there) {
        // When the other sent last is not known.
        if (hold.takenOver) paceOf(channel).last = clock.now()
        queues.set(
          channel.name,
          startQueue(channel, parts, () => paceOf(channel)),
        )
        parts.onEvent({ type: 'lane-acquired', channel: channel.name })
      }
      await new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }))
      const cut = AbortSignal.any([hold.signal, cutOff.signal])
      await Promise.all(there.map(async ({ name }) => queues.get(name)?.stop(cut)))
      for (const { name } of there) queues.delete(name)
    }
    hold.release()
  }

  const lanes = [...Map.groupBy(channels, laneOf)].map(([lane, there]) => keepLane(lane, there))
  return {
    wake(names = [...queues.keys()]) {
      for (const name of names) queues.get(name)?.wake()
    },
    tryNow: (channel) => queues.get(channel)?.wake(true),
    edit: (channel, eventId) => queues.get(channel)?.edit(eventId),
    idle: async (channel, eventId) => queues.get(channel)?.idle(eventId),
    backoff: (channel) => queues.get(channel)?.backoff(),
    async stop(graceMs) {
      const ended = after(clock, graceMs, () => cutOff.abort())
      stopping.abort()
      await Promise.all(lanes)
      ended()
    },
  }
}

/** Channels of one place have one lane, where the configuration says which place it is: all processes must agree. */
function laneOf({ name, type, destination }: Channel): string {
  return `lane:${JSON.stringify(destination === undefined ? [name] : [type, destination])}`
}
