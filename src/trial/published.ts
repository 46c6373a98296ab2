import type { AlertEvent } from '../event/event.ts'
import type { PollClient } from '../intake/poll/fetch.ts'
import { readRound } from '../intake/poll/round.ts'
import { following, pollingStateFrom } from '../intake/poll/state.ts'
import { dayMs } from '../platform/durations.ts'
import type { HistoryPoint, HistoryQuery } from '../service/client/endpoints/history.ts'
import type { ModelMetrics } from '../service/client/endpoints/metrics.ts'
import { NotFound } from '../service/client/errors.ts'
import { type RateUnit, rateNames } from '../service/client/readers/rates.ts'

/**
 * What polling would have found from `from` to `to` (milliseconds since the epoch) if it had read each point of the histories
 * at its time. It learns from the points before, with polling's own rounds. Oldest first.
 */
export async function foundIn(
  histories: Histories,
  { from, to, rates }: { from: number; to: number; rates: 'auto' | RateUnit },
): Promise<AlertEvent[]> {
  const models = [...histories.keys()]
  let now = from
  const client = pastService(histories, () => now)
  const { signal } = new AbortController()
  let figures = following(pollingStateFrom(undefined, now).figures, models, now)
  const events: AlertEvent[] = []
  for (const time of [from, ...timesOf(histories).filter((at) => at > from && at <= to)]) {
    now = time
    const round = await readRound({ client, models, rates, historyMs: 0 }, figures, { now, signal })
    figures = round.figures
    events.push(...round.events.map(asInTime))
  }
  return events
}

function timesOf(histories: Histories): number[] {
  const times = [...histories.values()].flatMap((points) => points.map(({ at }) => Date.parse(at)))
  return [...new Set(times)].toSorted((one, other) => one - other)
}

/** Between two readings it would have asked often, and missed nothing. */
function asInTime(event: AlertEvent): AlertEvent {
  const { missedSince: _, ...inTime } = event
  return inTime
}

/** By model, what the service says that it read, oldest first. */
export type Histories = ReadonlyMap<string, readonly HistoryPoint[]>

const days: Record<NonNullable<HistoryQuery['period']>, number> = { '7d': 7, '30d': 30, '90d': 90, '1y': 366 }
const noSizes = { overall: null, political: null, safety: null, social: null }
const nothingElse = { sampleSize: null, sampleSizes: noSizes, lastUpdated: null, unread: 0 }

/** The monitoring service as it answered at another time (`now`, milliseconds since the epoch), from its history alone. */
export function pastService(histories: Histories, now: () => number): PollClient {
  /** What had been read by then, at most so long ago. */
  function read(model: string, withinMs = Number.POSITIVE_INFINITY): HistoryPoint[] {
    return (histories.get(model) ?? []).filter(({ at }) => {
      const time = Date.parse(at)
      return time <= now() && time > now() - withinMs
    })
  }

  function newest(model: string): ModelMetrics[] {
    const point = read(model).at(-1)
    return point === undefined ? [] : [metricsOf(model, point)]
  }

  return {
    compare: async (models) => ({
      ...nothingElse,
      models: models.flatMap(newest),
      missing: models.filter((model) => newest(model).length === 0),
    }),
    async metrics(model) {
      const [one] = newest(model)
      if (one === undefined) throw new NotFound(`no figures of ${model} had been read`)
      return one
    },
    async history(model, { period = '1y' } = {}) {
      const points = read(model, days[period] * dayMs)
      const categories = rateNames.filter((name) => points.some(({ rates }) => rates[name] !== null))
      return { ...nothingElse, model, points, categories }
    },
    alerts() {
      throw new NotFound('no list of alerts')
    },
  }
}

function metricsOf(
  model: string,
  { at, version, rates, sampleSize, sampleSizes }: HistoryPoint,
): ModelMetrics {
  return {
    model,
    version,
    overallRefusalRate: rates.overall,
    politicalRefusalRate: rates.political,
    safetyRefusalRate: rates.safety,
    biasScore: null,
    trend: null,
    lastUpdated: at,
    sampleSize,
    sampleSizes,
  }
}
