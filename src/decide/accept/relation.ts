import { type AlertEvent, isFinding } from '../../event/event.ts'
import type { NearAlert, RecentAlerts, RelatedAlert } from '../../store/near.ts'
import type { StoredEntry } from '../../store/store.ts'
import {
  changeOf,
  isOfOneCategory,
  type ReportedChange,
  reportedAlertOf,
  sameChange,
  stepBefore,
} from './correlate.ts'
import { type AffectedMessages, placesOf } from './other-content.ts'

/**
 * How a new event relates to what came the other way. A change reaches us in two ways: the service reports it by webhook or list
 * (`by: 'service'`), or polling finds it (`by: 'figures'`). For each, the other one is the other way.
 */
export interface EventRelation {
  /** The earlier event about the same change. */
  first: RelatedAlert | undefined
  /** The earlier, smaller step, if this one goes further. */
  before: ReportedChange | undefined
}

/** Pure. */
export function relationOf(event: NearAlert, near: RecentAlerts): EventRelation {
  // A new version is no change of a rate: what is reported beside it is another alert.
  if (event.model === null || event.version !== undefined) return { first: undefined, before: undefined }
  const reported = near.of(event.model, isFinding(event) ? 'service' : 'figures')
  if (reported.length === 0) return { first: undefined, before: undefined }
  const change = changeOf(event)
  const others = reported
    .filter((other) => other.entry.version === undefined && stands(other, near))
    .map((neighbour) => ({ ...changeOf(neighbour.entry), neighbour }))
  const free = others.filter(({ neighbour }) => takenBy(neighbour, near) === undefined)
  const less = others.filter((other) => isOfOneCategory(other, change) && isTakenByLess(other, near))
  const first = (sameChange(change, free) ?? sameChange(change, less))?.neighbour
  return { first, before: first === undefined ? stepBefore(change, others) : undefined }
}

/** Whether it is paired with reports of other rates alone, as of the overall one: one of its own category is the same change, too. */
function isTakenByLess(change: ReportedChange, near: RecentAlerts): boolean {
  const takers = near.about(change.id).filter(({ entry }) => entry.sameAs === change.id)
  return takers.length > 0 && takers.every(({ entry }) => !isOfOneCategory(changeOf(entry), change))
}

/** Whether another event is the same change as this one. */
function isPaired(id: string, near: RecentAlerts): boolean {
  return near.about(id).some(({ entry }) => entry.sameAs === id)
}

/**
 * Whether it stands for a change of its own. Repeats don't, nor do events that withdraw or confirm a finding. A correction
 * replaces the event that it corrects, unless that change also came by the other way: then nothing changes.
 */
function stands({ entry }: RelatedAlert, near: RecentAlerts): boolean {
  if (entry.confirms !== undefined) return false
  if (entry.revises === undefined) return true
  if (entry.before === undefined || isFinding(entry)) return false
  const corrected = near.find(entry.revises)
  return corrected !== undefined && stands(corrected, near) && takenBy(corrected, near) === entry.id
}

/** The event that is already paired with this one, or that corrected it. */
function takenBy({ entry: { id, sameAs } }: RelatedAlert, near: RecentAlerts): string | undefined {
  if (sameAs !== null) return sameAs
  const taker = near
    .about(id)
    .find(({ entry }) => entry.sameAs === id || (entry.revises === id && entry.before !== undefined))
  return taker?.entry.id
}

/** The event with which a finding withdraws an earlier one, and the channels that have the earlier one. */
interface Withdrawal {
  event: AlertEvent
  withdraws: AffectedMessages
}

/**
 * A finding that nothing changed, in place of the one that it `revises`. Undefined if there is nothing to withdraw: the other is no
 * finding, or the service confirmed it. Pure.
 */
export function withdrawal(
  event: AlertEvent,
  { entry, outcomes }: Pick<StoredEntry, 'entry' | 'outcomes'>,
  near: RecentAlerts,
): Withdrawal | undefined {
  const withdraws = whereFound({ entry, outcomes }, near)
  if (withdraws === undefined || entry.kind !== 'alert') return undefined
  return { event: { ...event, before: reportedAlertOf(entry) }, withdraws }
}

/**
 * Where a finding is, or will be. Undefined if it is none, or does not stand by itself: the service
 * reports the same change. Pure.
 */
export function whereFound(
  { entry, outcomes }: Pick<StoredEntry, 'entry' | 'outcomes'>,
  near: RecentAlerts,
): AffectedMessages | undefined {
  if (entry.kind !== 'alert' || entry.sameAs !== null || isPaired(entry.id, near)) return undefined
  const now = near.find(entry.id)?.outcomes ?? outcomes
  return placesOf(entry.id, [{ outcomes: now }], near)
}
