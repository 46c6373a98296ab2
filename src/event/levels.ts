/** A refusal rate over some readings. */
export interface Level {
  /** Percent. */
  rate: number
  /** Prompts that count, of all its readings together; null where the service does not say how many it asks. */
  prompts: number | null
  readings: number
}

/** What the published figures show on both sides of a change, and how sure that is, with all that recomputing it takes. */
export interface Levels {
  /** Of which refusal rate: `overall`, `political`, … */
  category: string
  /** First reading after the change; ISO 8601, UTC. */
  since: string
  /** When that was first read, if it has a date and no time of day; ISO 8601, UTC. */
  firstRead?: string
  before: Level
  now: Level
  /** The change, and its interval of 95 percent; percentage points, signed. Less than the difference where it was chosen. */
  size: number
  interval: [number, number]
  standardErrors: number
  /** Variance of a reading as a multiple of the binomial. */
  noise: number
  /** What else the change may be wrong by, and what of the difference a drift explains; percentage points. */
  besides: number
  drift: number
  /** It is no step but a drift, since then; ISO 8601, UTC. */
  driftSince?: string
  /** The version that came with it. */
  version?: { from: string; to: string }
  /** Other models that moved as this one did, of how many, and their median; percentage points. */
  alike?: { moved: number; others: number; points: number }
}

/** What the published figures say of a change that the service reports. */
export type ShownByFigures =
  | { state: 'visible'; levels: Levels | null }
  | { state: 'not-yet' | 'not-shown' | 'not-read' | 'unknown' }
