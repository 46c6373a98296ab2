import * as z from 'zod'

/** The orders to the desk. */
export const Order = z.discriminatedUnion('do', [
  /** Time passes, in milliseconds. */
  z.object({ do: z.literal('hop'), milliseconds: z.number() }),
  z.object({ do: z.literal('reload') }),
  z.object({ do: z.literal('sample') }),
  z.object({ do: z.literal('stop') }),
])
export type Order = z.infer<typeof Order>

/** What must stay flat. */
export const Sample = z.object({
  /** After a collection; MB. */
  heap: z.number(),
  /** Buffers and what else V8 knows outside its heap; MB. */
  outside: z.number(),
  /** Open files and sockets of the process. */
  handles: z.number(),
  /** Who sleeps on the clock. */
  sleepers: z.number(),
  /** Timers, requests and handles that keep the process alive. */
  resources: z.number(),
  /** Files in the store's folder. */
  files: z.number(),
  /** Time series of /metrics. */
  series: z.number(),
})
export type Sample = z.infer<typeof Sample>

/** The answer to an order. */
export const Answer = z.object({
  /** The desk's time, milliseconds since the epoch. */
  now: z.number(),
  port: z.int(),
  sample: Sample.optional(),
})
export type Answer = z.infer<typeof Answer>
