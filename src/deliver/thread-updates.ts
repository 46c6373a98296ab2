import type { Channel } from '../channels/channel.ts'
import type { Entry } from '../event/event.ts'
import type { Sent } from '../event/outcome.ts'
import { minuteMs } from '../platform/durations.ts'
import type { FollowUps } from '../store/near.ts'
import type { QueueParts } from './parts.ts'
import type { ChannelSending } from './sending.ts'

/**
 * What a story's message has come to tell of, said once more in its thread, where a channel has threads: an edit alone is
 * easily overlooked. The edit has said it already, so it is sent once at the most. Kept in memory alone: a process that ends
 * leaves it unsaid.
 */
export interface ThreadUpdates {
  /** This message was just edited, and tells of more than it did before. */
  edited(grown: GrownMessage): void
  /** When the next is due, milliseconds since the epoch; infinity where none is. */
  nextDue(): number
  /** Sends the first that is due. */
  turn(now: number): Promise<void>
  /** Something is to be sent: what is under way is broken off. */
  giveWay(): void
  /** The clock may have been set back. */
  noLater(now: number): void
}

interface GrownMessage {
  entry: Entry
  later: FollowUps
  before: Sent
  after: Sent
}

interface ReadyUpdate extends Omit<GrownMessage, 'before'> {
  /** The alerts that are new in it, by their ids. */
  ids: string[]
  attempts: number
  dueAt: number
}

interface ThreadUpdatesParts {
  channel: Channel
  parts: QueueParts
  tryNow: ChannelSending['tryNow']
}

/** What comes to one story within so long is said at once, milliseconds. */
const togetherMs = minuteMs
const mostTries = 4
const againMs = 5_000

export function createFollowing({ channel, parts, tryNow }: ThreadUpdatesParts): ThreadUpdates {
  const { clock } = parts
  const ready = new Map<string, ReadyUpdate>()
  /** When something was last said of a story. */
  const last = new Map<string, number>()
  let way = new AbortController()

  function first(): [string, ReadyUpdate] | undefined {
    return [...ready].toSorted(([, one], [, other]) => one.dueAt - other.dueAt)[0]
  }

  async function turn(now: number): Promise<void> {
    const [id, one] = first() ?? []
    if (id === undefined || one === undefined || one.dueAt > now) return
    ready.delete(id)
    last.delete(id)
    last.set(id, now)
    for (const [old, at] of last) if (at < now - togetherMs) last.delete(old)
    way = new AbortController()
    const { entry, later, ids, after } = one
    const { result } = await tryNow({
      eventId: id,
      make: () => parts.renderFollowUp({ entry, channel: channel.name, later, ids }),
      send: async (message, signal) => (await channel.reply?.(message, after.receipt, signal)) ?? cannotReply,
      cut: way.signal,
    })
    if (result.result !== 'retry' || result.uncertain || one.attempts + 1 >= mostTries) return
    const since = ready.get(id)
    const all = [...new Set([...ids, ...(since?.ids ?? [])])]
    const wait = Math.min(result.afterMs ?? againMs, togetherMs)
    ready.set(id, { ...one, ...since, ids: all, attempts: one.attempts + 1, dueAt: clock.now() + wait })
  }

  return {
    edited({ entry, later, before, after }) {
      if (channel.reply === undefined) return
      const members = new Set(later.members?.map(({ alert }) => alert.id))
      const fresh = (after.alsoTells ?? []).filter(
        (id) => members.has(id) && before.alsoTells?.includes(id) !== true,
      )
      if (fresh.length === 0) return
      const waiting = ready.get(entry.id)
      const dueAt = waiting?.dueAt ?? (last.get(entry.id) ?? Number.NEGATIVE_INFINITY) + togetherMs
      const ids = [...(waiting?.ids ?? []), ...fresh]
      ready.set(entry.id, { entry, later, after, ids, attempts: 0, dueAt })
    },
    nextDue: () => first()?.[1].dueAt ?? Number.POSITIVE_INFINITY,
    turn,
    giveWay: () => way.abort(),
    noLater(now) {
      for (const one of ready.values()) one.dueAt = Math.min(one.dueAt, now + togetherMs)
    },
  }
}

const cannotReply = { result: 'permanent', why: 'there are no threads on this channel' } as const
