import { hourMs, minuteMs } from '../../platform/durations.ts'
import { rateOf } from '../../service/client/bucket.ts'
import { askedToWait } from '../../service/client/errors.ts'

/** What is asked when, so that the tier is never exceeded. All times in milliseconds. */
export interface PollingPlan {
  /** All models in one request, or one model after the other. */
  by: 'compare' | 'metrics'
  /** Between two readings of the same model's figures, at full rate and as a cross-check. */
  figuresMs: { full: number; slow: number }
  /** Between two readings of the alerts; null if the service has no list of them. */
  alertsMs: { full: number; slow: number } | null
  /** A model's history is read at most this often, and only if a reading is new or its `social` is missing. */
  historyMs: number
  /** Requests in an hour at full rate, with all that may come beside the looks; and those that polling has. */
  requestsPerHour: number
  perHour: number
}

/** Faster would show nothing new: what is measured with 500 prompts is not measured by the minute. */
const fastest = minuteMs
/** As a cross-check of webhooks, which are the faster way. */
const slow = 15 * minuteMs
/** The subscription is checked every five minutes while it is missing, and with a tenth of the plan while nothing is delivered. */
const keeperPerHour = 12
/** Share for histories: on the free tier one of each model in an hour. The next line limits it on a large tier. */
const forHistories = 0.085
const mostHistories = 4
/** Of what is left, a seventh stays for tries that are repeated. */
const kept = 6 / 7
/** Where the service lists its alerts, its figures corroborate them: each fifth time. */
const alertsPerFigures = 5

/**
 * The plan for a tier. The client's budget gives the service's share (three quarters of the tier) as a small store and
 * a steady flow; the plan spends the flow only. Pure.
 */
export function planFor({
  tier,
  models,
  compare,
  alerts,
  fastestMs = fastest,
}: {
  /** Requests per hour ("Limits"). */
  tier: number
  /** How many are watched. */
  models: number
  /** Whether GET /monitoring/compare answers for all of them in one request, and whether there is an endpoint for alerts. */
  compare: boolean
  alerts: boolean
  /** No faster than this, in milliseconds (`polling.interval`). */
  fastestMs?: number | undefined
}): PollingPlan {
  const { perHour } = rateOf(tier, 'service')
  const keeper = Math.min(keeperPerHour, perHour / 5)
  const histories = Math.min(models * mostHistories, perHour * forHistories)
  const left = (perHour - keeper - histories) * kept
  const cost = compare ? 1 : models
  const perRound = alerts ? 1 + cost / alertsPerFigures : cost
  const round = Math.max(Math.ceil((hourMs * perRound) / left / 1_000) * 1_000, fastestMs)
  const figures = alerts ? round * alertsPerFigures : round
  return {
    by: compare ? 'compare' : 'metrics',
    figuresMs: { full: figures, slow: Math.max(slow, figures) },
    alertsMs: alerts ? { full: round, slow: Math.max(slow, round) } : null,
    historyMs: Math.ceil((hourMs * models) / histories / minuteMs) * minuteMs,
    requestsPerHour: (hourMs / round) * perRound + keeper + histories,
    perHour,
  }
}

/**
 * The plan for people, a sentence for each row of `check`: how long after the service publishes it a figure is read at worst, answers
 * aside.
 */
export function planInWords(plan: PollingPlan, models: readonly string[]): string[] {
  const { full, slow } = plan.figuresMs
  const way = plan.by === 'compare' ? 'by compare' : 'by metrics, model by model'
  const social = Math.max(full, plan.historyMs)
  const alerts =
    plan.alertsMs === null ? '' : `; the service’s list of alerts within ${inWords(plan.alertsMs.full)}`
  return [
    `at full rate up to ${Math.ceil(plan.requestsPerHour)} of ${Math.floor(plan.perHour)} requests an hour; as a cross-check each model every ${inWords(slow)}`,
    `${models.join(', ')}: at full rate a new figure is read within ${inWords(full)}, ${way}; social within ${inWords(social)}, by history${alerts}`,
  ]
}

/** "1 min 40 s", "1 h". */
export function inWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000)
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ') || '0 s'
}

/** What makes the subscription goes first; and a process that ends at once again and again asks nothing. */
const startMs = 15_000
/** After a round that failed; doubles with each, up to the plan's interval. */
const firstPauseMs = 15_000

/** When nothing is asked: for a moment after the start, and for longer with each round that fails. */
export function createBackoff(now: number) {
  let failures = 0
  let failingSince: number | undefined
  let pause = { until: now + startMs, lengthMs: startMs }

  return {
    /** Nothing is asked before; milliseconds since the epoch. A clock that is set back makes no pause longer. */
    until(now: number): number {
      pause = { ...pause, until: Math.min(pause.until, now + pause.lengthMs) }
      return pause.until
    },
    succeeded(): void {
      failures = 0
      failingSince = undefined
      pause = { until: 0, lengthMs: 0 }
    },
    /** For how long rounds fail, from the first to when the service may be asked again; milliseconds. */
    failed(error: unknown, now: number, longestMs: number): number {
      failures += 1
      failingSince ??= now
      const doubled = Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 10), longestMs)
      const askedMs = askedToWait(error)
      const lengthMs = Math.max(doubled, askedMs)
      pause = { until: now + lengthMs, lengthMs }
      return now + askedMs - failingSince
    },
  }
}
