import { type AlertEvent, type Entry, noFigures } from '../../event/event.ts'
import type { ShownByFigures } from '../../event/levels.ts'

/** What the published figures show of a step; `unknown` if that cannot be asked now. Never rejects. */
export type CompareWithFigures = (
  step: Pick<AlertEvent, 'model' | 'category' | 'delta' | 'detectedAt'>,
) => ShownByFigures | Promise<ShownByFigures>

/** What the service reports, with what its own published figures say of it; undefined if they were not asked. */
export function withFigures(entry: Entry, shown: ShownByFigures | undefined): Entry {
  if (entry.kind !== 'alert' || shown === undefined || shown.state === 'unknown') return entry
  const levels = shown.state === 'visible' ? shown.levels : null
  return { ...entry, figures: { ...noFigures, state: shown.state, ...(levels !== null && { levels }) } }
}
