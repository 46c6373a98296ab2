import * as z from 'zod'
import { perRate, rateNames } from './observation.ts'

const Numbers = z.record(z.enum(rateNames), z.number())
const Rate = z.enum(rateNames)

/** One reading, or the readings of one day once they are older. */
const Bin = z.object({
  /** First and last reading in it; milliseconds since the epoch. */
  from: z.number(),
  to: z.number(),
  readings: z.number(),
  /** Bins of different epochs are never merged: between them a change was found. */
  epoch: z.number(),
  /** Prompts asked; 0 where there was no rate, or where it belongs to a spike that is over. */
  weight: Numbers,
  /** Sum of the stabilised rates, each as often as it had prompts. */
  sum: Numbers,
})

const Chart = z.object({
  /** The baseline begins here: at the first reading, or at the last change found. */
  from: z.number(),
  /** Squared differences of neighbouring readings, where binomial noise has the mean 1; and how many. */
  squares: z.number(),
  differences: z.number(),
  /** Prompts behind the rate, as last given. */
  n: z.number().nullable(),
})

/** A step that was found. */
const Change = z.object({
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
  /** Whether it is decided that it stays. */
  settled: z.boolean(),
})

const VersionChange = z.object({ from: z.string(), to: z.string(), at: z.number() })

/** All that the detector remembers of one model: some kilobytes of JSON, to be kept between polls. */
export const DetectorState = z.object({
  /** Of this schema. A state of another format is not read; `learn` makes a new one from the history. */
  format: z.literal(1),
  /** Oldest first. */
  bins: z.array(Bin),
  charts: z.record(Rate, Chart),
  changes: z.array(Change),
  version: z.string().nullable(),
  versionChange: VersionChange.nullable(),
  last: z
    .object({
      time: z.number(),
      updated: z.number().nullable(),
      rates: z.record(Rate, z.number().nullable()),
    })
    .nullable(),
  /** What is amiss with the readings, since when (milliseconds since the epoch) and how many times in a row. */
  troubles: z.record(z.string(), z.object({ since: z.number(), times: z.number() })),
})

export type DetectorState = z.infer<typeof DetectorState>
export type Bin = z.infer<typeof Bin>
export type Chart = z.infer<typeof Chart>
export type Change = z.infer<typeof Change>
export type VersionChange = z.infer<typeof VersionChange>

export function emptyState(): DetectorState {
  return {
    format: 1,
    bins: [],
    charts: perRate(() => ({ from: 0, squares: 0, differences: 0, n: null })),
    changes: [],
    version: null,
    versionChange: null,
    last: null,
    troubles: {},
  }
}
