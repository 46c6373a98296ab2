import * as z from 'zod'
import { perRate, rateNames } from './observation.ts'

const Numbers = z.record(z.enum(rateNames), z.number())
const Rate = z.enum(rateNames)
const Rates = z.record(Rate, z.number().nullable())

/** One measurement, or the measurements of one day once they are older. */
const Bin = z.object({
  /** First and last measurement in it; milliseconds since the epoch. */
  from: z.number(),
  to: z.number(),
  readings: z.number(),
  /** Bins of different epochs are never merged: between them a change was found. */
  epoch: z.number(),
  /** Prompts; 0 if there was no rate, or if it belongs to a spike that is over. */
  weight: Numbers,
  /** Sum of the stabilised rates, each as often as it had prompts. */
  sum: Numbers,
})

const RateChart = z.object({
  /** The baseline begins here: at the first reading, or at the last change found. */
  from: z.number(),
  /**
   * How much means of 1, 2, 4, 8 … readings have differed from the baseline before them: the sum of the squared differences,
   * and how many there are. Their mean is 1 for independent binomial noise.
   */
  squares: z.array(z.number()),
  counts: z.array(z.number()),
  /** The same of the newest measurement, which counts when the next begins and no change was found. */
  pending: z.array(z.number().nullable()),
  /** The sums and counts before readings that wait for others to bear out a step. Null when none wait. */
  beforeWait: z
    .object({ squares: z.array(z.number()), counts: z.array(z.number()) })
    .nullable()
    .default(null),
  /** Prompts behind the rate, as last given, and the number on which its noise was learnt. */
  n: z.number().nullable(),
  learntOn: z.number().nullable(),
})

/** A step that was found. */
const OpenChange = z.object({
  kind: z.enum(['spike', 'policy_change']),
  rate: Rate,
  /** Rates that moved with it, `rate` among them; each with the start of the baseline that it had before. */
  covers: z.partialRecord(Rate, z.number()),
  direction: z.literal([1, -1]),
  /** First reading that shows it, and the one at which it was found. */
  since: z.number(),
  foundAt: z.number(),
  /** Stabilised rate before and after, and what it stood on, as found. */
  before: z.number(),
  after: z.number(),
  baselineReadings: z.number(),
  baselinePrompts: z.number(),
  baselineFrom: z.number(),
  drift: z.number(),
  noise: z.number(),
  /** Whether it is decided that it stays, */
  settled: z.boolean(),
  /** or when it was over; null until then. */
  over: z.number().nullable(),
  /** Found on one reading: the next confirms or withdraws it. */
  provisional: z.boolean(),
  /** A drift explains it better than a step. */
  drifts: z.boolean(),
})

const VersionChange = z.object({ from: z.string(), to: z.string(), at: z.number() })

/** All that the detector remembers of one model: some kilobytes of JSON, to be kept between polls. */
export const DetectorState = z.object({
  /** Of this schema. A state of another format is not read; `learn` makes a new one from the history. */
  format: z.literal(2),
  /** Oldest first. */
  bins: z.array(Bin),
  charts: z.record(Rate, RateChart),
  changes: z.array(OpenChange),
  version: z.string().nullable(),
  versionChange: VersionChange.nullable(),
  /** Since when the label stands, and how often it changed lately: a count that fades. */
  label: z.object({ since: z.number(), changes: z.number() }),
  last: z
    .object({
      time: z.number(),
      updated: z.number().nullable(),
      rates: Rates,
    })
    .nullable(),
  /** When the newest measurement began, and its rates as they first came; more of it may have come since. */
  begun: z.number(),
  first: Rates.nullable(),
  /** Of the last measurements, oldest first, how far each was from complete at first: squared standard errors. */
  parts: z.array(z.number()),
  /** When the last of what was no repetition came, parts of a measurement among it; milliseconds since the epoch. */
  arrivals: z.array(z.number()).default(() => []),
  /** Rates are rounded to multiples of this; 0 if that is not known to be coarse. */
  grid: Numbers,
  /** Single readings far off that the next did not bear out: a count that fades within a year. */
  glitches: z.number(),
  /** Measurements since the history ended. */
  live: z.number(),
  /** What is amiss with the readings, since when (milliseconds since the epoch) and how many times in a row. */
  troubles: z.record(z.string(), z.object({ since: z.number(), times: z.number() })),
})

export type DetectorState = z.infer<typeof DetectorState>
export type Bin = z.infer<typeof Bin>
export type RateChart = z.infer<typeof RateChart>
export type OpenChange = z.infer<typeof OpenChange>
export type VersionChange = z.infer<typeof VersionChange>

export function emptyState(): DetectorState {
  return {
    format: 2,
    bins: [],
    charts: perRate(() => ({
      from: 0,
      squares: [],
      counts: [],
      pending: [],
      beforeWait: null,
      n: null,
      learntOn: null,
    })),
    changes: [],
    version: null,
    versionChange: null,
    label: { since: 0, changes: 0 },
    last: null,
    begun: 0,
    first: null,
    parts: [],
    arrivals: [],
    grid: perRate(() => 0),
    glitches: 0,
    live: 0,
    troubles: {},
  }
}
