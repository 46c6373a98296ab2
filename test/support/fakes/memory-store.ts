import type { Entry } from '../../../src/event/event.ts'
import type {
  Backlog,
  ChangeOutcome,
  DueNotification,
  Pending,
  StateKey,
  Store,
  StoredEntry,
} from '../../../src/store/store.ts'

/** The store's contract in memory: for tests of what stands on it. Nothing outlives it. */
export function createMemoryStore(): Store {
  const entries = new Map<string, StoredEntry>()
  const leases = new Map<string, { name: string; until: number }>()
  let leased = 0
  const state = new Map<StateKey, unknown>()
  const key = (eventId: string, channel: string) => `${channel}\n${eventId}`

  function pending(channel: string): Pending[] {
    return [...entries.values()].flatMap(({ seq, entry, outcomes }) => {
      const outcome = outcomes[channel]
      if (outcome?.state !== 'waiting') return []
      const { begun: _, ...waiting } = outcome
      return [{ eventId: entry.id, channel, seq, entry, waiting }]
    })
  }

  function readyAt(one: Pending): number {
    return Math.max(Date.parse(one.waiting.dueAt), leases.get(key(one.eventId, one.channel))?.until ?? 0)
  }

  function lease(one: Pending, now: number, leaseMs: number): DueNotification {
    const { eventId, channel } = one
    const stored = entries.get(eventId)
    const before = stored?.outcomes[channel]
    const interrupted = before?.state === 'waiting' ? before.begun : undefined
    const uncertain = interrupted !== undefined || one.waiting.uncertain === true
    leased += 1
    const name = String(leased)
    leases.set(key(eventId, channel), { name, until: now + leaseMs })
    if (stored !== undefined) {
      const begun = new Date(now).toISOString()
      stored.outcomes[channel] = { ...one.waiting, begun, ...(uncertain && { uncertain }) }
    }
    return { ...one, lease: name, uncertain, ...(interrupted !== undefined && { interrupted }) }
  }

  async function alter(
    eventId: string,
    channel: string,
    change: ChangeOutcome,
    held?: string,
  ): Promise<boolean> {
    const stored = entries.get(eventId)
    if (stored === undefined) return false
    const place = key(eventId, channel)
    if (held !== undefined && leases.get(place)?.name !== held) return false
    const before = Object.hasOwn(stored.outcomes, channel) ? stored.outcomes[channel] : undefined
    const outcome = change(before)
    if (outcome === undefined) return false
    stored.outcomes[channel] = outcome
    leases.delete(place)
    return true
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
    async lease(channel, { now, limit, leaseMs }) {
      const due = pending(channel).filter((one) => readyAt(one) <= now)
      return due.slice(0, limit).map((one) => lease(one, now, leaseMs))
    },
    async nextDue(channel) {
      const times = pending(channel).map(readyAt)
      return times.length === 0 ? undefined : Math.min(...times)
    },
    pending: async (channel) => pending(channel),
    settle: (eventId, channel, outcome, held) => alter(eventId, channel, () => outcome, held),
    alter: (eventId, channel, change) => alter(eventId, channel, change),
    find: async (eventId) => structuredClone(entries.get(eventId)),
    async list({ limit, before }) {
      const newestFirst = [...entries.values()].reverse()
      return newestFirst.filter(({ seq }) => before === undefined || seq < before).slice(0, limit)
    },
    async backlog() {
      const channels = new Set([...entries.values()].flatMap(({ outcomes }) => Object.keys(outcomes)))
      return [...channels].flatMap((channel): Backlog[] => {
        const [oldest, ...rest] = pending(channel)
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
