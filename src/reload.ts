import type { Prepared } from './configured.ts'
import type { Entry } from './event/event.ts'
import type { Pipeline } from './pipeline.ts'
import type { Poller } from './poll/poll.ts'

/** The configuration in force, which another can take the place of while events come in. */
export interface Reloadable {
  current(): Prepared
  take(entry: Entry): Promise<'new' | 'duplicate'>
  replay(eventId: string, channel: string): Promise<boolean>
  /** Channels that rest after a failure, and until when (ISO 8601). */
  resting(): { channel: string; until: string; why: string }[]
  /** Begins to look after the subscription and to poll; once the webhook listens. */
  subscribe(): void
  polling(): Poller | undefined
  /**
   * Puts `next` in force. What is in flight is finished first, so that no notification is sent by both, and the
   * order within each channel stays: what is owed is in the store and waits there.
   */
  reload(next: Prepared): Promise<void>
  stop(graceMs: number): Promise<void>
}

/** What is in flight gets this long to end before a new configuration begins to send. */
const swapGraceMs = 8_000

export function startReloadable(first: Prepared): Reloadable {
  let current = first
  let pipeline: Pipeline = first.start()
  let subscribed = false
  let polling: Poller | undefined
  let turn: Promise<void> = Promise.resolve()
  const taking = new Set<Promise<unknown>>()

  /** An event that was routed by the configuration before is owed by it, and woken in the one that is. */
  async function take(entry: Entry): Promise<'new' | 'duplicate'> {
    const taker = pipeline
    const taken = taker.take(entry)
    taking.add(taken)
    try {
      return await taken
    } finally {
      taking.delete(taken)
      if (taker !== pipeline) pipeline.wake()
    }
  }

  function begin(): void {
    current.keeper?.start()
    polling = current.poll(take)
  }

  async function swap(before: Promise<void>, next: Prepared): Promise<void> {
    await before.catch(() => undefined)
    const old = current
    await Promise.all([old.keeper?.stop(), polling?.stop()])
    await pipeline.stop(swapGraceMs)
    current = next
    pipeline = next.start()
    if (subscribed) begin()
    await Promise.allSettled(taking)
    await next.forgetRemoved()
    next.speakUp()
    await old.close()
  }

  return {
    current: () => current,
    take,
    replay: (eventId, channel) => pipeline.replay(eventId, channel),
    resting: () =>
      current.channels.flatMap(({ name }) => {
        const rest = pipeline.rest(name)
        if (rest === undefined) return []
        return [{ channel: name, until: new Date(rest.until).toISOString(), why: rest.why }]
      }),
    subscribe() {
      subscribed = true
      begin()
    },
    polling: () => polling,
    reload(next) {
      turn = swap(turn, next)
      return turn
    },
    async stop(graceMs) {
      await turn.catch(() => undefined)
      await Promise.all([current.keeper?.stop(), polling?.stop(), pipeline.stop(graceMs)])
      await current.close()
    },
  }
}
