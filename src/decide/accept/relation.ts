import { isFinding } from '../../event/event.ts'
import type { NearAlert, RecentAlerts, RelatedAlert } from '../../store/near.ts'
import { changeOf, type ReportedChange, sameChange, stepBefore } from './correlate.ts'

/** How a new event stands to what came by the other way. */
export interface EventRelation {
  /** The event that told of the same change before. No event is the same change as two others. */
  first: RelatedAlert | undefined
  /** The smaller step before it, where it goes further. */
  before: ReportedChange | undefined
}

/** Pure. */
export function relationOf(event: NearAlert, near: RecentAlerts): EventRelation {
  // A new version is no change of a rate: what is reported beside it is another alert.
  if (event.model === null || event.version !== undefined) return { first: undefined, before: undefined }
  const known = near.of(event.model, isFinding(event) ? 'service' : 'figures')
  if (known.length === 0) return { first: undefined, before: undefined }
  const change = changeOf(event)
  const others = known
    .filter((other) => other.entry.version === undefined && stands(other, near))
    .map((neighbour) => ({ ...changeOf(neighbour.entry), neighbour }))
  const free = others.filter(({ neighbour }) => takenBy(neighbour, near) === undefined)
  const first = sameChange(change, free)?.neighbour
  return { first, before: first === undefined ? stepBefore(change, others) : undefined }
}

/** Whether another event is the same change as this one. */
export function isPaired(id: string, near: RecentAlerts): boolean {
  return near.about(id).some(({ entry }) => entry.sameAs === id)
}

/**
 * Whether it stands for a change of its own. What says nothing new does not, nor what withdraws or confirms a finding. A
 * correction stands for the change in place of what it corrects, unless that one is known to have come by the other way
 * too: then the two stay what they are.
 */
function stands({ entry }: RelatedAlert, near: RecentAlerts): boolean {
  if (entry.confirms !== undefined) return false
  if (entry.revises === undefined) return true
  if (entry.before === undefined || isFinding(entry)) return false
  const corrected = near.find(entry.revises)
  return corrected !== undefined && stands(corrected, near) && takenBy(corrected, near) === entry.id
}

/** The id of the event that made it one of two first, or took its place. */
function takenBy({ entry: { id, sameAs } }: RelatedAlert, near: RecentAlerts): string | undefined {
  if (sameAs !== null) return sameAs
  const taker = near
    .about(id)
    .find(({ entry }) => entry.sameAs === id || (entry.revises === id && entry.before !== undefined))
  return taker?.entry.id
}
