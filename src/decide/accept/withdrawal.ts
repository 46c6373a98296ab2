import type { AlertEvent } from '../../event/event.ts'
import type { RecentAlerts } from '../../store/near.ts'
import type { StoredEntry } from '../../store/store.ts'
import { saidBy } from './correlate.ts'
import { type CorrectedEvent, placesOf } from './other-content.ts'
import { isPaired } from './relation.ts'

/** What a finding takes back, and where that is. */
export interface Withdrawal {
  event: AlertEvent
  withdraws: CorrectedEvent
}

/**
 * A finding that says that nothing changed, in place of the one that it `revises`. Undefined where there is nothing to take
 * back: that one is none, or the service reports the same change. Pure.
 */
export function withdrawal(
  event: AlertEvent,
  { entry, outcomes }: Pick<StoredEntry, 'entry' | 'outcomes'>,
  near: RecentAlerts,
): Withdrawal | undefined {
  const withdraws = whereFound({ entry, outcomes }, near)
  if (withdraws === undefined || entry.kind !== 'alert') return undefined
  return { event: { ...event, before: saidBy(entry) }, withdraws }
}

/**
 * Where a finding is, or will be. Undefined where it is none, or does not stand by itself: the service
 * reports the same change. Pure.
 */
export function whereFound(
  { entry, outcomes }: Pick<StoredEntry, 'entry' | 'outcomes'>,
  near: RecentAlerts,
): CorrectedEvent | undefined {
  if (entry.kind !== 'alert' || entry.sameAs !== null || isPaired(entry.id, near)) return undefined
  const now = near.find(entry.id)?.outcomes ?? outcomes
  return placesOf(entry.id, [{ outcomes: now }])
}
