import { dayMs } from '../../platform/durations.ts'
import type { UsableReading } from './observation.ts'
import type { DetectorState } from './state.ts'

/** A label that did not stand for so long says nothing by its going. */
const standsMs = 7 * dayMs
/** Changes of the label are counted for about so long, */
const countedMs = 60 * dayMs
/** and so many are no versions: a build number, or two servers in turn. */
const tooMany = 2.5

/**
 * The version label, and whether it is another one that says something. A missing label says nothing; nor does other
 * case or spacing.
 */
export function withVersion(state: DetectorState, { version, time }: UsableReading): DetectorState {
  const { label } = state
  if (version === null) return state
  if (state.version === null) return { ...state, version, label: { since: time, changes: 0 } }
  if (plain(version) === plain(state.version)) return state
  const changes = label.changes * Math.exp(-Math.max(0, time - label.since) / countedMs) + 1
  const next = { ...state, version, label: { since: time, changes } }
  const isBack = state.versionChange?.from === version
  const isRare = changes < tooMany && (isBack || time - label.since >= standsMs)
  return isRare ? { ...next, versionChange: { from: state.version, to: version, at: time } } : next
}

/** Whether the label changes too often to be a version. */
export function isRestless({ label }: DetectorState): boolean {
  return label.changes >= tooMany
}

function plain(version: string): string {
  return version.toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
