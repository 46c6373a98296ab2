import type { Backlog, Owed } from '../store.ts'
import { createHeap, type Heap, type Placed } from './heap.ts'
import type { Kept } from './kept.ts'

/** Every notification that is owed, by channel, with its lease. In memory alone: a lease ends with its process. */
export interface OwedNotifications {
  /** Brings the channel's part in line with the event's outcome: owed anew, or no longer, and not leased. */
  update(kept: Kept, channel: string, inherited: boolean): void
  take(channel: string, when: { now: number; limit: number; leaseMs: number }): Owed[]
  nextDue(channel: string): number | undefined
  backlog(): Backlog[]
}

interface Item extends Placed {
  kept: Kept
  /** When it falls due or its lease ends; milliseconds since the epoch. */
  at: number
  /** It was owed when this process opened the store, or was taken and never settled: it may have been sent. */
  mayBeSent: boolean
}

interface Channel {
  items: Map<string, Item>
  /** Those that fell due, lowest `seq` first. */
  due: Heap<Item>
  /** Those that are not due or are leased, soonest first. Each moves to `due` once, so that no take looks at all. */
  later: Heap<Item>
}

/** `now` only sorts what is due already into its place at once; `take` decides by the time that it is given. */
export function createOwed(now: () => number): OwedNotifications {
  const channels = new Map<string, Channel>()

  function channelOf(name: string): Channel {
    const known = channels.get(name)
    if (known !== undefined) return known
    const channel: Channel = {
      items: new Map(),
      due: createHeap((a, b) => a.kept.seq < b.kept.seq),
      later: createHeap((a, b) => a.at < b.at || (a.at === b.at && a.kept.seq < b.kept.seq)),
    }
    channels.set(name, channel)
    return channel
  }

  function forget(name: string, id: string): void {
    const channel = channels.get(name)
    const item = channel?.items.get(id)
    if (channel === undefined || item === undefined) return
    channel.due.remove(item)
    channel.later.remove(item)
    channel.items.delete(id)
    if (channel.items.size === 0) channels.delete(name)
  }

  return {
    update(kept, name, inherited) {
      forget(name, kept.id)
      const outcome = kept.outcomes[name]
      if (outcome?.state !== 'waiting') return
      const channel = channelOf(name)
      const item = { kept, at: dueTime(outcome.dueAt, now()), mayBeSent: inherited, place: -1 }
      channel.items.set(kept.id, item)
      if (item.at <= now()) channel.due.add(item)
      else channel.later.add(item)
    },

    take(name, when) {
      const channel = channels.get(name)
      if (channel === undefined) return []
      for (let item = channel.later.first(); item !== undefined && item.at <= when.now; ) {
        channel.later.remove(item)
        channel.due.add(item)
        item = channel.later.first()
      }
      const taken: Owed[] = []
      while (taken.length < when.limit) {
        const item = channel.due.first()
        if (item === undefined) break
        channel.due.remove(item)
        // Only where the clock went back.
        if (item.at <= when.now) taken.push(...lease(item, name, when.now + when.leaseMs))
        channel.later.add(item)
      }
      return taken
    },

    nextDue(name) {
      const channel = channels.get(name)
      const times = [channel?.due.first()?.at, channel?.later.first()?.at].filter((at) => at !== undefined)
      return times.length === 0 ? undefined : Math.min(...times)
    },

    backlog() {
      return [...channels].map(([channel, { items }]) => ({
        channel,
        waiting: items.size,
        oldest: oldest(items.values()),
      }))
    },
  }
}

function lease(item: Item, channel: string, until: number): Owed[] {
  const { id, entry, seq, outcomes } = item.kept
  const waiting = outcomes[channel]
  if (waiting?.state !== 'waiting') return []
  const uncertain = item.mayBeSent || waiting.uncertain === true
  item.at = until
  item.mayBeSent = true
  return [{ eventId: id, channel, seq, entry, waiting, uncertain }]
}

function oldest(items: Iterable<Item>): string {
  let first: Kept | undefined
  for (const { kept } of items) if (first === undefined || kept.seq < first.seq) first = kept
  return first?.entry.receivedAt ?? ''
}

/** Nothing is put off for so long: our clock was ahead then, or is behind now. */
const longestWaitMs = 2 * 24 * 60 * 60_000

/** A time that cannot be read, or that is years away, is due at once: late is better than never. */
function dueTime(time: string, now: number): number {
  const at = Date.parse(time)
  if (Number.isNaN(at)) return 0
  return at > now + longestWaitMs ? now : at
}
