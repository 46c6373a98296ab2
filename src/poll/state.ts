import * as z from 'zod'
import { DetectorState } from './detect/state.ts'
import { noUnits } from './units.ts'

const Known = z.object({
  /** What is known of the model's figures; null until its history was read, or where it must be read again. */
  detector: DetectorState.nullable().catch(null),
  /** When its figures and its history were last asked for; milliseconds since the epoch, as all times here. */
  askedAt: z.number().nullable(),
  historyAt: z.number().nullable(),
})

const Decided = z.object({
  mode: z.enum(['full', 'slow', 'off']),
  reason: z.string(),
  trouble: z.boolean(),
  since: z.number(),
  calmSince: z.number().nullable(),
})

/** A change that was found and should have been told by a delivery too. */
const Found = z.object({
  id: z.string(),
  model: z.string(),
  rises: z.boolean().nullable(),
  at: z.number(),
})

/** What polling remembers between runs: some ten kilobytes. */
export const PollingState = z.object({
  format: z.literal(1),
  /** When polling first began: changes of before are no news. */
  begunAt: z.number(),
  /** The last look, and the last that brought something. */
  lookedAt: z.number().nullable(),
  succeededAt: z.number().nullable(),
  decision: Decided.nullable(),
  /** Whether GET /monitoring/compare answers, as last tried. */
  compare: z.object({ serves: z.boolean(), at: z.number() }).nullable(),
  alerts: z
    .object({
      /** Null where none was found. */
      path: z.string().nullable(),
      /** When it was found, or not found. */
      since: z.number(),
      /** When it was last read. */
      readAt: z.number().nullable(),
      /** Ids that it showed, the newest last. */
      ids: z.array(z.string()),
    })
    .nullable(),
  units: z.object({ unit: z.enum(['fraction', 'percent']).nullable(), sample: z.array(z.number()) }),
  models: z.record(z.string(), Known),
  deliveredAt: z.number().nullable(),
  refused: z.object({ forged: z.number(), unsigned: z.number(), noSecret: z.number(), at: z.number() }),
  /** Found, and not told by a delivery yet. */
  found: z.array(Found),
})

export type PollingState = z.infer<typeof PollingState>
export type KnownModel = z.infer<typeof Known>
export type Found = z.infer<typeof Found>

export const noneRefused: PollingState['refused'] = { forged: 0, unsigned: 0, noSecret: 0, at: 0 }

/** What was stored, or a first start where there is nothing that reads. */
export function pollingStateFrom(stored: unknown, now: number): PollingState {
  const parsed = PollingState.safeParse(stored)
  if (parsed.success) return parsed.data
  return {
    format: 1,
    begunAt: now,
    lookedAt: null,
    succeededAt: null,
    decision: null,
    compare: null,
    alerts: null,
    units: noUnits,
    models: {},
    deliveredAt: null,
    refused: noneRefused,
    found: [],
  }
}

/** What is known of a model; nothing at first. */
export function knownModel(state: PollingState, model: string): KnownModel {
  return state.models[model] ?? { detector: null, askedAt: null, historyAt: null }
}
