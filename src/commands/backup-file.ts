import * as z from 'zod'
import type { StoreTally } from '../store/copy.ts'

/** A backup is a gzipped tar of a store in a folder, with this file before it. */
export const manifestName = 'backup.json'

/** What is in the archive, by its names. */
export const archived = /^(backup\.json|bluepencil\.sqlite|settings\.json)$/

export const Manifest = z.object({
  format: z.literal('bluepencil-backup'),
  version: z.literal(1),
  /** When it was asked for; ISO 8601, UTC. */
  at: z.string(),
  tally: z.object({
    entries: z.int(),
    outcomes: z.int(),
    batches: z.int(),
    figures: z.int(),
    state: z.int(),
    hash: z.string(),
  }) satisfies z.ZodType<StoreTally>,
})
export type Manifest = z.infer<typeof Manifest>
