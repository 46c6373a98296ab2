import { escalationBy } from '../event/outcome.ts'
import { isoTime } from '../platform/clock.ts'
import type { HeldNotification } from './store.ts'

/** Alerts that one wait holds for one channel. */
export interface HeldAlerts {
  count: number
  /** When the wait ends; ISO 8601, UTC. */
  until: string
  /** What ends it: see `Held`. */
  by: string
}

/** What is held, by channel; what goes out first stands first. What may never go there is not: an escalation. */
export function heldByChannel(held: readonly HeldNotification[]): Map<string, HeldAlerts[]> {
  const channels = new Map<string, HeldAlerts[]>()
  const waits = Map.groupBy(
    held.filter(({ by }) => by !== escalationBy),
    ({ channel, by, until }) => JSON.stringify([channel, until, by]),
  )
  for (const [first, ...others] of waits.values()) {
    if (first === undefined) continue
    const wait = { count: others.length + 1, until: isoTime(first.until), by: first.by }
    channels.set(first.channel, [...(channels.get(first.channel) ?? []), wait])
  }
  for (const all of channels.values()) all.sort((one, other) => one.until.localeCompare(other.until))
  return channels
}
