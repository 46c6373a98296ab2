import { type AlertEvent, type Entry, isFinding, noFigures } from '../event/event.ts'
import type { Shown } from '../event/levels.ts'

/** What the published figures show of a step; `unknown` where that cannot be asked now. */
export type Seen = (step: Pick<AlertEvent, 'model' | 'category' | 'delta' | 'detectedAt'>) => Shown

/** What the service reports, with what its own published figures say of it. */
export function withFigures(entry: Entry, seen: Seen): Entry {
  if (entry.kind !== 'alert' || isFinding(entry)) return entry
  const shown = seen(entry)
  const { state } = shown
  if (state === 'unknown') return entry
  const levels = shown.state === 'visible' ? shown.levels : null
  return { ...entry, figures: { ...noFigures, state, ...(levels !== null && { levels }) } }
}
