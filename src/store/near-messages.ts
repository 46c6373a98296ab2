import { dayMs } from '../durations.ts'
import type { Outcome } from '../event/outcome.ts'
import type { NearAlert } from './near.ts'

/** A message that a channel was sent lately, or that waits for it. */
export interface NearMessage {
  /** What it is about, by its id. */
  id: string
  /** When it was sent, or else was to be; milliseconds since the epoch. */
  at: number
  /** Where it is about an alert. */
  alert?: NearAlert
  /** Whether it can be edited still, as far as that was tried: then it may come to tell of more. */
  isOpen: boolean
}

export interface OnChannel {
  /** In the order in which they were decided. Notices to operators are none of them. */
  messages: readonly NearMessage[]
  /** Until when alerts are held there since too many came at once, milliseconds since the epoch; undefined where none are. */
  heldUntil: number | undefined
}

/** The messages of the last day, by the channel that they go to. What is tried is undone by what it answers. */
export interface NearMessages {
  add(id: string, outcomes: Readonly<Record<string, Outcome>>, alert?: NearAlert): () => void
  settle(id: string, channel: string, outcome: Outcome, alert?: NearAlert): () => void
  remove(id: string): void
  on(channel: string): OnChannel
}

/** No story is longer. */
const keptMs = dayMs

interface OfChannel {
  messages: Map<string, NearMessage>
  /** Those that are held since too many came at once, with the end of their wait. */
  held: Map<string, number>
}

export function createNearMessages(): NearMessages {
  const channels = new Map<string, OfChannel>()

  function of(channel: string): OfChannel {
    const known = channels.get(channel) ?? { messages: new Map(), held: new Map() }
    channels.set(channel, known)
    return known
  }

  /** What is settled keeps its place. */
  function note(id: string, channel: string, outcome: Outcome, alert: NearAlert | undefined): () => void {
    const { messages, held } = of(channel)
    const [message, until] = [messages.get(id), held.get(id)]
    put(messages, id, messageOf(id, outcome, alert))
    put(held, id, outcome.state === 'held' && outcome.by === 'burst' ? Date.parse(outcome.until) : undefined)
    return () => {
      put(messages, id, message)
      put(held, id, until)
    }
  }

  function forgetOld({ messages }: OfChannel, now: number): void {
    for (const [id, { at }] of messages) {
      if (at > now - keptMs) return
      messages.delete(id)
    }
  }

  function remove(id: string): void {
    for (const { messages, held } of channels.values()) {
      messages.delete(id)
      held.delete(id)
    }
  }

  return {
    add(id, outcomes, alert) {
      for (const [channel, outcome] of Object.entries(outcomes)) {
        note(id, channel, outcome, alert)
        const at = of(channel).messages.get(id)?.at
        if (at !== undefined) forgetOld(of(channel), at)
      }
      return () => remove(id)
    },
    settle(id, channel, outcome, alert) {
      // A notice to operators is none.
      if (alert === undefined && channels.get(channel)?.messages.has(id) !== true) return () => undefined
      return note(id, channel, outcome, alert)
    },
    remove,
    on(channel) {
      const { messages = new Map<string, NearMessage>(), held = new Map<string, number>() } =
        channels.get(channel) ?? {}
      const heldUntil = held.size === 0 ? undefined : Math.max(...held.values())
      return { messages: [...messages.values()], heldUntil }
    },
  }
}

function put<Value>(map: Map<string, Value>, id: string, value: Value | undefined): void {
  if (value === undefined) map.delete(id)
  else map.set(id, value)
}

function messageOf(id: string, outcome: Outcome, alert: NearAlert | undefined): NearMessage | undefined {
  if (outcome.state !== 'waiting' && outcome.state !== 'sent') return undefined
  const at = Date.parse(outcome.state === 'sent' ? outcome.at : (outcome.firstAttemptAt ?? outcome.dueAt))
  const isOpen = outcome.state === 'waiting' || outcome.unedited === undefined
  return { id, at, isOpen, ...(alert !== undefined && { alert }) }
}
