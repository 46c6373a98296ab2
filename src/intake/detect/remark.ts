import type { DetectorState } from './state.ts'

/** Something amiss with the readings, for operators where it lasts. Never an alarm. */
export interface Remark {
  kind: RemarkKind
  /** "political, safety", or what else the trouble is about; empty where it is about the whole. */
  about: string
  /** Since when without interruption, ISO 8601 UTC, and in how many observations. */
  since: string
  times: number
}

export type RemarkKind =
  /** A rate that is not a number from 0 to 1, or a time that is no date or ahead of the clock. */
  | 'unreadable'
  /** A rate that the last reading had is missing. */
  | 'missing'
  /** No rate at all. */
  | 'empty'
  /** `last_updated` is before that of an earlier reading; nothing of the observation is used. */
  | 'backward'
  /** The same reading again; it counts once. */
  | 'repeated'
  /** Other rates under the same `last_updated`; they count as a reading of their own. */
  | 'revised'
  /** The version label changes too often to say anything. */
  | 'labels'
  /** A change that matters would not be found; `about` says why. */
  | 'unjudged'
  /** The service no longer knows the model. */
  | 'gone'

/**
 * The remarks on one observation, and the troubles to remember: those that it does not have are over. `time` in
 * milliseconds since the epoch, null where the observation has none.
 */
export function remember(
  state: DetectorState,
  troubles: ReadonlyMap<RemarkKind, string>,
  time: number | null,
): { troubles: DetectorState['troubles']; remarks: Remark[] } {
  const remembered: DetectorState['troubles'] = {}
  const remarks: Remark[] = []
  for (const [kind, about] of troubles) {
    const before = state.troubles[kind]
    const now = { since: before?.since ?? time ?? state.last?.time ?? 0, times: (before?.times ?? 0) + 1 }
    remembered[kind] = now
    remarks.push({ kind, about, since: new Date(now.since).toISOString(), times: now.times })
  }
  return { troubles: remembered, remarks }
}
