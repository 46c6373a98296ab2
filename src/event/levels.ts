/** A refusal rate over some readings. */
export interface Level {
  /** Percent. */
  rate: number
  /** Prompts that count, of all its readings together; null if the service does not say how many it asks. */
  prompts: number | null
  readings: number
}

/** What the published figures show on both sides of a change, and how sure that is, with all that recomputing it takes. */
export interface Levels {
  /** The refusal rate: `overall`, `political`, … */
  category: string
  /** First reading after the change; ISO 8601, UTC. */
  since: string
  /** When that was first read, if it has a date and no time of day; ISO 8601, UTC. */
  firstRead?: string
  before: Level
  now: Level
  /** The change, and its interval of 95 percent; percentage points, signed. Less than the difference if it was chosen. */
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

/** How often chance alone makes a difference as large as this one, in words that a reader may print. */
export type ChanceOfNothing = 'very-unlikely' | 'unlikely' | 'possible'

/**
 * Steps of standard errors, with the part of comparisons without any change that reach each by chance (two-sided normal):
 * of 3.9, one in 10,000; of 2.6, one in 100.
 */
export const chanceSteps = [
  { is: 'very-unlikely', standardErrors: 3.9, oneIn: 10_000 },
  { is: 'unlikely', standardErrors: 2.6, oneIn: 100 },
] as const satisfies readonly { is: ChanceOfNothing; standardErrors: number; oneIn: number }[]

export function chanceOf(standardErrors: number): ChanceOfNothing {
  return chanceSteps.find((step) => Math.abs(standardErrors) >= step.standardErrors)?.is ?? 'possible'
}

/**
 * After how many model-years without any change there is one alert, by how often readings come. Measured on simulated models with
 * `npm run bench:signal` (docs/internals/detection.md).
 */
export function calmYearsPerAlert(readingsPerYear: number): number {
  // Independent readings each hour: 0.2 a year.
  if (readingsPerYear > 2_000) return 5
  // Daily ones: 0.047 over 2,000 years; rarer ones: 0.029 over 1,946 years of all worlds.
  return readingsPerYear > 180 ? 21 : 34
}

/** For readers, in a sentence: what `chanceOf` answers. */
export const chanceInWords: Readonly<Record<ChanceOfNothing, string>> = {
  'very-unlikely': 'very unlikely to be chance',
  unlikely: 'unlikely to be chance',
  possible: 'may be chance',
}
