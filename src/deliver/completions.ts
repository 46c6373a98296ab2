import type { Channel } from '../channels/channel.ts'
import type { Clock } from '../clock.ts'
import type { Store } from '../store/store.ts'
import { oweCompletion } from './completion.ts'
import type { Delivery } from './deliver.ts'
import type { QueueFailure } from './queue.ts'

interface CompletionParts {
  store: Pick<Store, 'alter'>
  clock: Clock
  delivery: Pick<Delivery, 'idle' | 'wake'>
  onError: (failure: QueueFailure) => void
}

/** Has messages that were sent completed, when another event tells of the same change. */
export interface Completions {
  /** The messages about the first event are to tell of the second too. What cannot be owed now is owed at the next start. */
  owe(first: string, second: string): void
  /** Resolves when nothing of it asks the store any more. Delivery has stopped before. */
  stop(): Promise<void>
}

export function startCompletions(channels: readonly Channel[], parts: CompletionParts): Completions {
  const running = new Set<Promise<void>>()

  async function oweOn(channel: string, eventId: string, other: string): Promise<void> {
    try {
      // A message that is on its way may have been written before the second event came.
      await parts.delivery.idle(channel, eventId)
      const now = parts.clock.now()
      const isOwed = await oweCompletion(parts.store, { eventId, other, channel, now })
      if (isOwed) parts.delivery.wake([channel])
    } catch (error) {
      parts.onError({ channel, eventId, error })
    }
  }

  return {
    owe(first, second) {
      for (const { name, complete } of channels) {
        if (complete === undefined) continue
        const done = oweOn(name, first, second).finally(() => running.delete(done))
        running.add(done)
      }
    },
    stop: async () => void (await Promise.all(running)),
  }
}
