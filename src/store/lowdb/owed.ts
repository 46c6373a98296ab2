import { dayMs } from '../../durations.ts'
import type { Waiting } from '../../event/outcome.ts'
import type { Backlog, DueNotification, Pending } from '../store.ts'
import { createHeap, type Heap, type Placed } from './heap.ts'
import type { Kept } from './kept.ts'

/** What is not told of its neighbours yet. */
type Leased = Omit<DueNotification, 'later'>

/** Every notification that is owed, by channel, with its lease. In memory alone: a lease ends with its process. */
export interface OwedNotifications {
  /** Brings the channel's part in line with the event's outcome: owed anew, or no longer, and not leased. */
  update(kept: Kept, channel: string): void
  take(channel: string, when: { now: number; limit: number; leaseMs: number }): Leased[]
  leaseOf(id: string, channel: string): string | undefined
  /** The try did not begin: it falls due again, unless something else became of it. */
  release(id: string, channel: string, lease: string): void
  pending(channel: string): Pending[]
  nextDue(channel: string): number | undefined
  backlog(): Backlog[]
}

interface Item extends Placed {
  kept: Kept
  /** When it falls due or its lease ends; milliseconds since the epoch. */
  at: number
  lease: string | undefined
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
  let leases = 0

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

  /** Nobody has it: it is due by its outcome. */
  function place(channel: Channel, item: Item, waiting: Waiting): void {
    item.at = dueTime(waiting.dueAt, now())
    item.lease = undefined
    if (item.at <= now()) channel.due.add(item)
    else channel.later.add(item)
  }

  function lease(item: Item, channel: string, until: number): Leased[] {
    const { kept } = item
    const outcome = kept.outcomes[channel]
    if (outcome?.state !== 'waiting') return []
    const { begun, ...waiting } = outcome
    item.at = until
    leases += 1
    item.lease = String(leases)
    return [
      {
        ...pendingOf(kept, channel, waiting),
        lease: item.lease,
        uncertain: begun !== undefined || waiting.uncertain === true,
        ...(begun !== undefined && { interrupted: begun }),
      },
    ]
  }

  return {
    update(kept, name) {
      forget(name, kept.id)
      const outcome = kept.outcomes[name]
      if (outcome?.state !== 'waiting') return
      const channel = channelOf(name)
      const item: Item = { kept, at: 0, lease: undefined, place: -1 }
      channel.items.set(kept.id, item)
      place(channel, item, outcome)
    },

    leaseOf: (id, name) => channels.get(name)?.items.get(id)?.lease,

    release(id, name, held) {
      const channel = channels.get(name)
      const item = channel?.items.get(id)
      const outcome = item?.kept.outcomes[name]
      if (channel === undefined || item?.lease !== held || outcome?.state !== 'waiting') return
      channel.due.remove(item)
      channel.later.remove(item)
      place(channel, item, outcome)
    },

    pending(name) {
      const items = [...(channels.get(name)?.items.values() ?? [])]
      return items
        .toSorted((one, other) => one.kept.seq - other.kept.seq)
        .flatMap(({ kept }) => {
          const outcome = kept.outcomes[name]
          if (outcome?.state !== 'waiting') return []
          const { begun: _, ...waiting } = outcome
          return [pendingOf(kept, name, waiting)]
        })
    },

    take(name, when) {
      const channel = channels.get(name)
      if (channel === undefined) return []
      for (let item = channel.later.first(); item !== undefined && item.at <= when.now; ) {
        channel.later.remove(item)
        channel.due.add(item)
        item = channel.later.first()
      }
      const taken: Leased[] = []
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

function pendingOf({ id, seq, entry }: Kept, channel: string, waiting: Waiting): Pending {
  return { eventId: id, channel, seq, entry, waiting }
}

function oldest(items: Iterable<Item>): string {
  let first: Kept | undefined
  for (const { kept } of items) if (first === undefined || kept.seq < first.seq) first = kept
  return first?.entry.receivedAt ?? ''
}

/** Nothing is put off for so long: our clock was ahead then, or is behind now. */
const longestWaitMs = 2 * dayMs

/** A time that cannot be read, or that is years away, is due at once: late is better than never. */
function dueTime(time: string, now: number): number {
  const at = Date.parse(time)
  if (Number.isNaN(at)) return 0
  return at > now + longestWaitMs ? now : at
}
