import type { Entry } from '../../src/event/event.ts'
import type { Backlog, Owed, StateKey, Store, StoredEntry } from '../../src/store/store.ts'

/** The store's contract in memory: for tests of what stands on it. Nothing outlives it. */
export function createMemoryStore(): Store {
  const entries = new Map<string, StoredEntry>()
  const leases = new Map<string, number>()
  const state = new Map<StateKey, unknown>()
  const key = (eventId: string, channel: string) => `${channel}\n${eventId}`

  function owed(channel: string): Owed[] {
    return [...entries.values()].flatMap(({ seq, entry, outcomes }) => {
      const waiting = outcomes[channel]
      if (waiting?.state !== 'waiting') return []
      return [{ eventId: entry.id, channel, seq, entry, waiting, uncertain: waiting.uncertain === true }]
    })
  }

  function readyAt(one: Owed): number {
    return Math.max(Date.parse(one.waiting.dueAt), leases.get(key(one.eventId, one.channel)) ?? 0)
  }

  return {
    async accept(batch) {
      return batch.map(({ entry, outcomes }) => {
        const known = entries.get(entry.id)?.entry
        if (known !== undefined) return isChanged(known, entry) ? 'changed' : 'duplicate'
        entries.set(entry.id, { seq: entries.size + 1, entry, outcomes: { ...outcomes } })
        return 'new'
      })
    },
    async take(channel, { now, limit, leaseMs }) {
      const due = owed(channel).filter((one) => readyAt(one) <= now)
      const taken = due.slice(0, limit)
      for (const one of taken) leases.set(key(one.eventId, channel), now + leaseMs)
      return taken
    },
    async nextDue(channel) {
      const times = owed(channel).map(readyAt)
      return times.length === 0 ? undefined : Math.min(...times)
    },
    async settle(eventId, channel, outcome) {
      const stored = entries.get(eventId)
      if (stored === undefined) return false
      stored.outcomes[channel] = outcome
      leases.delete(key(eventId, channel))
      return true
    },
    find: async (eventId) => structuredClone(entries.get(eventId)),
    async list({ limit, before }) {
      const newestFirst = [...entries.values()].reverse()
      return newestFirst.filter(({ seq }) => before === undefined || seq < before).slice(0, limit)
    },
    async backlog() {
      const channels = new Set([...entries.values()].flatMap(({ outcomes }) => Object.keys(outcomes)))
      return [...channels].flatMap((channel): Backlog[] => {
        const [oldest, ...rest] = owed(channel)
        if (oldest === undefined) return []
        return [{ channel, waiting: 1 + rest.length, oldest: oldest.entry.receivedAt }]
      })
    },
    retain: async () => 0,
    horizon: async () => undefined,
    readState: async (name) => state.get(name),
    writeState: async (name, value) => void state.set(name, structuredClone(value)),
    probe: async () => {},
    close: async () => {},
  }
}

function isChanged(known: Entry, entry: Entry): boolean {
  if (entry.kind !== 'alert' || entry.content === undefined) return false
  return known.kind !== 'alert' || known.content !== entry.content
}
