import * as z from 'zod'
import { kinds } from './requests.ts'

/** What the generator is to do; one JSON argument. */
export const Job = z.object({
  kind: z.enum(kinds),
  port: z.int(),
  connections: z.int(),
  /** Begins the ids of this run's events, which nobody has seen before. */
  run: z.string(),
  /** Requests that come first and are not counted, */
  warmUp: z.int(),
  /** and how often they come again: the code is compiled by then, and the store is no larger. */
  repeats: z.int(),
  requests: z.int(),
  /** The only status that is an answer, and the one for a repeat. */
  expect: z.int(),
  expectAgain: z.int(),
})
export type Job = z.infer<typeof Job>

/** What it saw; one line of JSON on standard output. Times in milliseconds. */
export const Load = z.object({
  /** Answers a second. */
  rate: z.number(),
  p50: z.number(),
  p99: z.number(),
  /** Of the first requests to a server that has just started. */
  coldP99: z.number(),
  /** Part of one core that this process used. Near 1, it would be the generator that was measured. */
  busy: z.number(),
  /** Part of all processors' time that the host withheld. */
  stolen: z.number(),
})
export type Load = z.infer<typeof Load>
