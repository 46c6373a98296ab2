import type { Outcome } from '../event/outcome.ts'
import { dayMs } from '../platform/durations.ts'
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
  /** The rest of a flood, which is held there. */
  flooded: readonly Flooded[]
}

interface Flooded {
  alert?: NearAlert
  /** Milliseconds since the epoch. */
  until: number
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
  flooded: Map<string, Flooded>
}

export function createNearMessages(): NearMessages {
  const channels = new Map<string, OfChannel>()

  function of(channel: string): OfChannel {
    const known = channels.get(channel) ?? { messages: new Map(), flooded: new Map() }
    channels.set(channel, known)
    return known
  }

  /** What is settled keeps its place. */
  function note(id: string, channel: string, outcome: Outcome, alert: NearAlert | undefined): () => void {
    const { messages, flooded } = of(channel)
    const [message, rest] = [messages.get(id), flooded.get(id)]
    put(messages, id, messageOf(id, outcome, alert))
    const isRest = outcome.state === 'held' && outcome.by === 'burst'
    put(flooded, id, isRest ? { until: Date.parse(outcome.until), ...withAlert(alert) } : undefined)
    return () => {
      put(messages, id, message)
      put(flooded, id, rest)
    }
  }

  function forgetOld({ messages }: OfChannel, now: number): void {
    for (const [id, { at }] of messages) {
      if (at > now - keptMs) return
      messages.delete(id)
    }
  }

  function remove(id: string): void {
    for (const { messages, flooded } of channels.values()) {
      messages.delete(id)
      flooded.delete(id)
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
      const there = channels.get(channel)
      return {
        messages: [...(there?.messages.values() ?? [])],
        flooded: [...(there?.flooded.values() ?? [])],
      }
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
  return { id, at, isOpen, ...withAlert(alert) }
}

function withAlert(alert: NearAlert | undefined): { alert?: NearAlert } {
  return alert === undefined ? {} : { alert }
}
