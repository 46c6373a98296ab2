import * as z from 'zod'
import { isoTime } from '../../platform/clock.ts'
import { DetectorState } from '../detect/state.ts'

// All times are milliseconds since the epoch.

/** A reading that has a date and no time of day, by the time that stands for it, and when it was first read. */
const FirstRead = z.object({ time: z.number(), at: z.number() })

const KnownModel = z.object({
  /** What is known of its figures; null until its history was read. One of an older format is learnt anew. */
  detector: DetectorState.nullable().catch(null),
  /** When its figures and its history were last asked for. */
  askedAt: z.number().nullable(),
  historyAt: z.number().nullable(),
  /** What was found until then is no news: since when the model is followed, then its last reading. */
  newsFrom: z.number(),
  /** The newest such readings, oldest first. */
  firstRead: z.array(FirstRead).default(() => []),
})

const ListedAlert = z.object({ id: z.string(), shown: z.string().nullable() })

const PolledAlerts = z.object({
  /** Null if none was found. */
  path: z.string().nullable(),
  /** From when what it shows is new: when it was found, or last read before it was gone. Without a path, when it was not found. */
  since: z.number(),
  /** When it was last read, maybe at another path; null before the first time. */
  readAt: z.number().nullable(),
  /** Whether it takes a `since` in its query. */
  takesSince: z.boolean(),
  /** What it showed, the newest last: ids, and what readers are shown of each, as a hash; null if only the id is known. */
  ids: z.array(z.union([z.string().transform((id) => ({ id, shown: null })), ListedAlert])),
})

/** A change that all models showed at the same time: since when, and which way. */
const Measurement = z.object({ since: z.number(), rises: z.boolean() })

/** What was asked of the service, and what came of it. */
const KnownFigures = z.object({
  /** Whether GET /monitoring/compare answers, and when to try it again if it does not. */
  compare: z.object({ serves: z.boolean(), againAt: z.number() }).nullable(),
  alerts: PolledAlerts.nullable(),
  /** In which unit the service writes its rates, and the newest rates of any model and category, as written. */
  units: z.object({ unit: z.enum(['fraction', 'percent']).nullable(), sample: z.array(z.number()) }),
  models: z.record(z.string(), KnownModel),
  measurement: Measurement.nullable().default(null),
})

/** A change as it is compared with others: by model, direction and time. */
const ComparedChange = z.object({
  id: z.string(),
  model: z.string().nullable(),
  rises: z.boolean().nullable(),
  at: z.number(),
})

/** What came by webhook, and what should have come. */
const WebhookDeliveries = z.object({
  deliveredAt: z.number().nullable(),
  refused: z.object({ forged: z.number(), unsigned: z.number(), noSecret: z.number(), at: z.number() }),
  /** Changes that were delivered, and changes that polling found and that were not delivered yet. */
  delivered: z.array(ComparedChange),
  found: z.array(ComparedChange),
})

const ModeDecision = z.object({
  /** `full`: as fast as the plan allows. `slow`: a cross-check of the webhooks. */
  mode: z.enum(['full', 'slow', 'off']),
  /** Sentence for people. */
  reason: z.string(),
  /** Whether something is wrong, rather than set so. */
  trouble: z.boolean(),
  since: z.number(),
  /** Since when there is no reason for the full rate, while it is kept up all the same. */
  calmSince: z.number().nullable(),
})

/** What polling remembers between runs: some ten kilobytes. */
const PollingState = z.object({
  format: z.literal(1),
  /** When polling first began. */
  begunAt: z.number(),
  /** The last look, and the last that brought something. */
  lookedAt: z.number().nullable(),
  succeededAt: z.number().nullable(),
  decision: ModeDecision.nullable(),
  figures: KnownFigures,
  webhooks: WebhookDeliveries,
})

export type ModeDecision = z.infer<typeof ModeDecision>
export type PollingState = z.infer<typeof PollingState>
export type KnownFigures = z.infer<typeof KnownFigures>
export type KnownModel = z.infer<typeof KnownModel>
export type FirstRead = z.infer<typeof FirstRead>
export type Measurement = z.infer<typeof Measurement>
export type PolledAlerts = z.infer<typeof PolledAlerts>
export type WebhookDeliveries = z.infer<typeof WebhookDeliveries>
export type ComparedChange = z.infer<typeof ComparedChange>

const noUnits = { unit: null, sample: [] }
export const noneRefused: WebhookDeliveries['refused'] = { forged: 0, unsigned: 0, noSecret: 0, at: 0 }

/** What was stored, or a first start if nothing can be read. */
export function pollingStateFrom(stored: unknown, now: number): PollingState {
  const parsed = PollingState.safeParse(stored)
  if (parsed.success) return parsed.data
  return {
    format: 1,
    begunAt: now,
    lookedAt: null,
    succeededAt: null,
    decision: null,
    figures: { compare: null, alerts: null, units: noUnits, models: {}, measurement: null },
    webhooks: { deliveredAt: null, refused: noneRefused, delivered: [], found: [] },
  }
}

/** Whether something was stored that cannot be read: changes since the last round are then not known. */
export function isUnreadable(stored: unknown): boolean {
  return stored !== undefined && stored !== null && !PollingState.safeParse(stored).success
}

/** Moves times in the future to now. After a clock was set back, nothing would be done before them. */
export function noLater(state: PollingState, now: number): PollingState {
  const { figures, webhooks } = state
  const times = [state.lookedAt, figures.alerts?.readAt, webhooks.deliveredAt, webhooks.refused.at]
  if (times.every((time) => (time ?? 0) <= now)) return state
  const past = (time: number | null) => (time === null ? null : Math.min(time, now))
  const models = Object.entries(figures.models).map(([model, known]) => {
    return [model, { ...known, askedAt: past(known.askedAt), historyAt: past(known.historyAt) }] as const
  })
  return {
    ...state,
    lookedAt: past(state.lookedAt),
    succeededAt: past(state.succeededAt),
    figures: {
      ...figures,
      compare: figures.compare && { ...figures.compare, againAt: Math.min(figures.compare.againAt, now) },
      alerts: figures.alerts && {
        ...figures.alerts,
        since: Math.min(figures.alerts.since, now),
        readAt: past(figures.alerts.readAt),
      },
      models: Object.fromEntries(models),
    },
    webhooks: {
      ...webhooks,
      deliveredAt: past(webhooks.deliveredAt),
      refused: { ...webhooks.refused, at: Math.min(webhooks.refused.at, now) },
    },
  }
}

/** When the figures were last asked for, and last read (ISO 8601), and whether they were both; undefined before the first time. */
export function lastLook(
  stored: unknown,
): { at: string; readAt: string | null; isRead: boolean } | undefined {
  const { lookedAt, succeededAt } = pollingStateFrom(stored, 0)
  if (lookedAt === null) return undefined
  const isRead = succeededAt !== null && succeededAt >= lookedAt
  return { at: isoTime(lookedAt), readAt: succeededAt === null ? null : isoTime(succeededAt), isRead }
}

/** What the service has, as far as is known. A comparison is taken to be there until it is not. */
export function served({ compare, alerts }: KnownFigures): { compare: boolean; alerts: boolean } {
  return { compare: compare?.serves ?? true, alerts: alerts !== null && alerts.path !== null }
}

/** What is known of a model; nothing at first. */
export function knownModel({ models }: KnownFigures, model: string): KnownModel {
  return models[model] ?? followedFrom(Number.POSITIVE_INFINITY)
}

/** Exactly these models. Earlier changes of a new one, or of one that no channel had for a while, are no alerts. */
export function following(figures: KnownFigures, models: readonly string[], now: number): KnownFigures {
  const entries = models.map((model) => [model, figures.models[model] ?? followedFrom(now)] as const)
  return { ...figures, models: Object.fromEntries(entries) }
}

function followedFrom(newsFrom: number): KnownModel {
  return { detector: null, askedAt: null, historyAt: null, newsFrom, firstRead: [] }
}
