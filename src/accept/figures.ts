import { type AlertEvent, type Entry, isFinding, type PublishedFigures } from '../event/event.ts'

/** Whether the published figures show a step; `unknown` where nobody has looked since. */
export type Seen = (
  step: Pick<AlertEvent, 'model' | 'category' | 'delta' | 'detectedAt'>,
) => 'visible' | 'not-yet' | 'unknown'

/** What the service reports, with what its own published figures say of it. */
export function withFigures(entry: Entry, seen: Seen): Entry {
  if (entry.kind === 'notice' || isFinding(entry)) return entry
  const state = seen(entry)
  return state === 'unknown' ? entry : { ...entry, figures: { ...noFigures, state } }
}

const noFigures: Omit<PublishedFigures, 'state'> = {
  sentence: null,
  rate: null,
  sampleSize: null,
  baseline: null,
  baselineDays: null,
  standardErrors: null,
  readAt: null,
}
