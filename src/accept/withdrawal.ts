import type { AlertEvent } from '../event/event.ts'
import type { Outcome } from '../event/outcome.ts'
import type { Near } from '../store/near.ts'
import type { StoredEntry } from '../store/store.ts'
import { saidBy } from './correlate.ts'
import { isThere } from './other-content.ts'
import { isPaired } from './relation.ts'

/** What a finding takes back, and the channels that have it or will have it. */
export interface Withdrawal {
  event: AlertEvent
  withdraws: { id: string; channels: readonly string[] }
}

/**
 * A finding that says that nothing changed, in place of the one that it `revises`. Undefined where there is nothing to take
 * back: that one is none, or the service reports the same change. Pure.
 */
export function withdrawal(
  event: AlertEvent,
  { entry, outcomes }: Pick<StoredEntry, 'entry' | 'outcomes'>,
  near: Near,
): Withdrawal | undefined {
  const channels = whereFound({ entry, outcomes }, near)
  if (channels === undefined || entry.kind !== 'alert') return undefined
  return { event: { ...event, before: saidBy(entry) }, withdraws: { id: entry.id, channels } }
}

/**
 * The channels that have a finding, or will have it. Undefined where it is none, or does not stand by itself: the service
 * reports the same change. Pure.
 */
export function whereFound(
  { entry, outcomes }: Pick<StoredEntry, 'entry' | 'outcomes'>,
  near: Near,
): string[] | undefined {
  if (entry.kind !== 'alert' || entry.sameAs !== null || isPaired(entry.id, near)) return undefined
  const now = near.find(entry.id)?.outcomes ?? outcomes
  return Object.entries(now).flatMap(([channel, outcome]: [string, Outcome]) =>
    isThere(outcome) ? [channel] : [],
  )
}
