import type { Channel } from '../channels/channel.ts'
import { after } from '../platform/clock.ts'
import type { Lease } from '../store/store.ts'
import { sharedPaces } from './pace.ts'
import type { ChannelBackoff, QueueParts } from './parts.ts'
import { type Queue, startQueue } from './queue.ts'

export type Delivery = ReturnType<typeof startDelivery>

/** Between two tries to have a lane. */
const holdAgainMs = 1_000

/** One queue for each channel: channels don't wait for each other. One process at a time has a lane, and sends there. */
export function startDelivery(channels: readonly Channel[], parts: QueueParts) {
  const { store, clock } = parts
  const paceOf = sharedPaces()
  const queues = new Map<string, Queue>()
  const stopping = new AbortController()
  const cutOff = new AbortController()

  async function keepLane(lane: string, members: readonly Channel[]): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const lease = await store.acquireLease(lane, stopping.signal)
        if (lease !== undefined) await sendWhile(lease, members)
      } catch (error) {
        for (const { name } of members) parts.onEvent({ type: 'failed', channel: name, error })
        await clock.sleep(holdAgainMs, stopping.signal)
      }
    }
  }

  async function sendWhile(lease: Lease, members: readonly Channel[]): Promise<void> {
    const ended = AbortSignal.any([lease.signal, stopping.signal])
    if (!ended.aborted) {
      for (const channel of members) {
        // When the other process sent last is not known.
        if (lease.takenOver) paceOf(channel).last = clock.now()
        queues.set(
          channel.name,
          startQueue(channel, parts, () => paceOf(channel)),
        )
        parts.onEvent({ type: 'lane-acquired', channel: channel.name })
      }
      await new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }))
      const cut = AbortSignal.any([lease.signal, cutOff.signal])
      await Promise.all(members.map(async ({ name }) => queues.get(name)?.stop(cut)))
      for (const { name } of members) queues.delete(name)
    }
    lease.release()
  }

  const lanes = [...Map.groupBy(channels, laneOf)].map(([lane, members]) => keepLane(lane, members))
  return {
    /** Something new may be due on these channels; on all if none is named. */
    wake(names: readonly string[] = [...queues.keys()]) {
      for (const name of names) queues.get(name)?.wake()
    },
    /** A person asked for it: the channel is tried now, also while it rests after a failure. */
    wakeOnRequest: (channel: string) => queues.get(channel)?.wake(true),
    /** The channel's message about this event may have to be edited, which is done when nothing is due. */
    edit: (channel: string, eventId: string) => queues.get(channel)?.edit(eventId),
    /** Resolves when the channel is not in the middle of sending this event. */
    idle: async (channel: string, eventId: string) => queues.get(channel)?.idle(eventId),
    backoff: (channel: string): ChannelBackoff | undefined => queues.get(channel)?.backoff(),
    /** Begins nothing more, and gives what is in flight so many milliseconds to end. */
    async stop(graceMs: number) {
      const ended = after(clock, graceMs, () => cutOff.abort())
      stopping.abort()
      await Promise.all(lanes)
      ended()
    },
  }
}

/** Channels of one place have one lane, if the configuration names the place: all processes must agree. */
function laneOf({ name, type, destination }: Channel): string {
  return `lane:${JSON.stringify(destination === undefined ? [name] : [type, destination])}`
}
