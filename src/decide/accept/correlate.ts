import { type AlertEvent, isFinding, type ReportedAlert } from '../../event/event.ts'
import { dayMs } from '../../platform/durations.ts'
import type { NearAlert } from '../../store/near.ts'

/** The fields of an event that identify its change. */
export interface ReportedChange extends ReportedAlert {
  /** When the change was detected, else when it reached us; milliseconds since the epoch. */
  at: number
  figures: AlertEvent['figures']
}

/**
 * The longest gap between two dates of one change. The interface does not specify how often the service measures. With daily
 * readings a step may show a day late, and the date of a small step may be a reading or two off.
 */
export const sameChangeMs = 3 * dayMs

/** A report and a finding are one step if their sizes differ by at most this, in percentage points: the service writes whole points. */
const equalPoints = 1
/** They are also one step if their sizes differ by at most this many standard errors of the step that polling measured. */
const equalErrors = 3
/** They are also one step if the smaller size is at least this share of the larger: their baselines may differ. */
const equalShare = 0.5
/** A later step goes further only if it is larger by at least this many percentage points, however small the noise. */
const leastFurther = 3
/** It must also be dated later than the first by more than this: daily readings may date one step a day apart. */
const laterMs = dayMs
/** The standard error if the figures have none, in percentage points: a step between two readings of 100 prompts at 20%. */
const usualError = 5.7

export function changeOf(event: NearAlert): ReportedChange {
  const at = Date.parse(event.detectedAt ?? event.receivedAt)
  return { ...reportedAlertOf(event), at, figures: event.figures }
}

/** What a reader is shown of an event beside another. */
export function reportedAlertOf(event: NearAlert): ReportedAlert {
  const { id, type, model, category, delta, detectedAt } = event
  return { id, by: isFinding(event) ? 'figures' : 'service', type, model, category, delta, detectedAt }
}

/** Only the fields of a change that readers see beside another change. */
export function reportOf({ id, by, type, model, category, delta, detectedAt }: ReportedAlert): ReportedAlert {
  return { id, by, type, model, category, delta, detectedAt }
}

/**
 * The change among `known` that `change` reports again, by the other way: the nearest in category, then in time. The type
 * may differ: one way may call it a spike, and the other a policy change if it stays. Pure.
 */
export function sameChange<T extends ReportedChange>(
  change: ReportedChange,
  known: readonly T[],
): T | undefined {
  const fitting = known.filter((first) => isSame(first, change))
  return fitting.toSorted((one, other) => distance(one, change) - distance(other, change))[0]
}

function isSame(first: ReportedChange, second: ReportedChange): boolean {
  return (
    first.by !== second.by &&
    first.model !== null &&
    first.model === second.model &&
    Math.abs(first.at - second.at) <= sameChangeMs &&
    isOneCategory(first, second) &&
    isOneStep(first, second) &&
    !isFurther(first, second) &&
    !isFurther(second, first)
  )
}

/**
 * The change among `known`, from the other way, that `change` exceeds. `change` is dated clearly later, in the same category
 * and direction, and larger by more than the noise explains. The newest of several. Pure.
 */
export function stepBefore<T extends ReportedChange>(
  change: ReportedChange,
  known: readonly T[],
): T | undefined {
  return known
    .filter(
      (first) =>
        first.by !== change.by &&
        first.model !== null &&
        first.model === change.model &&
        change.at - first.at <= sameChangeMs &&
        isFurther(first, change),
    )
    .toSorted((one, other) => other.at - one.at)[0]
}

function isFurther(first: ReportedChange, second: ReportedChange): boolean {
  if (!hasSize(first) || !hasSize(second)) return false
  if (first.delta > 0 !== second.delta > 0 || categoryOf(first) !== categoryOf(second)) return false
  if (second.at - first.at <= laterMs) return false
  const step = sizeOf(second) - sizeOf(first)
  return step > Math.max(leastFurther, equalErrors * errorOf(first, second))
}

/** The overall rate moves with each of its categories. */
function isOneCategory(one: ReportedChange, other: ReportedChange): boolean {
  const [a, b] = [categoryOf(one), categoryOf(other)]
  return a === b || a === undefined || b === undefined
}

/** Whether both are about one category, or both about the whole. */
export function isOfOneCategory(one: ReportedChange, other: ReportedChange): boolean {
  return categoryOf(one) === categoryOf(other)
}

/** Undefined if it is the whole, or not known. */
function categoryOf({ category }: ReportedChange): string | undefined {
  const name = category?.toLowerCase()
  return name === 'all' || name === 'overall' ? undefined : name
}

/** An event without a readable size may be the step that came before it. None with a size is that of an earlier one without. */
function isOneStep(first: ReportedChange, second: ReportedChange): boolean {
  if (!hasSize(second)) return hasSize(first) || first.type === second.type
  if (!hasSize(first)) return false
  if (first.delta > 0 !== second.delta > 0) return false
  const [one, other] = [sizeOf(first), sizeOf(second)]
  const gap = Math.abs(one - other)
  if (gap <= Math.max(equalPoints, equalErrors * errorOf(first, second))) return true
  if (Math.min(one, other) >= equalShare * Math.max(one, other)) return true
  // A step in one category is a smaller one in the overall rate, by a share that is not known.
  const [a, b] = [categoryOf(first), categoryOf(second)]
  if (a === b) return false
  return a === undefined ? one <= other : other <= one
}

function hasSize(change: ReportedChange): change is ReportedChange & { delta: number } {
  return change.delta !== null && change.delta !== 0
}

/** In percentage points, without its sign. */
function sizeOf({ delta }: ReportedChange): number {
  return Math.abs(delta ?? 0)
}

/** The standard error of the step that the figures show, in percentage points. */
function errorOf(...changes: readonly ReportedChange[]): number {
  const finding = changes.find(({ by }) => by === 'figures')
  if (!finding || !hasSize(finding) || !finding.figures?.standardErrors) return usualError
  return sizeOf(finding) / Math.abs(finding.figures.standardErrors)
}

/** The same category is always nearer, however far apart the times are. */
function distance(one: ReportedChange, other: ReportedChange): number {
  const otherCategory = categoryOf(one) === categoryOf(other) ? 0 : 2 * sameChangeMs
  return otherCategory + Math.abs(one.at - other.at)
}
