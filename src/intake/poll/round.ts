import type { AlertEvent } from '../../event/event.ts'
import { dayMs, hourMs } from '../../platform/durations.ts'
import type { HistoryPoint, HistoryQuery } from '../../service/client/endpoints/history.ts'
import type { ModelMetrics } from '../../service/client/endpoints/metrics.ts'
import type { RateUnit } from '../../service/client/readers/rates.ts'
import type { Remark } from '../detect/detect.ts'
import type { Finding } from '../detect/finding.ts'
import { noveltyOf } from '../detect/measurement.ts'
import { type Absence, type Observation, readObservation } from '../detect/observation.ts'
import {
  contradicts,
  type FetchedMetrics,
  fetchAside,
  fetchFigures,
  fetchHistory,
  type PollClient,
  pastRatesOf,
  pastReadingOf,
  ratesOf,
  readingOf,
  withRates,
} from './fetch.ts'
import { alertOf, isNews, isVerdict, withoutTakenBack } from './finding-event.ts'
import { follow, lacksSocial } from './follow.ts'
import { type ModelFinding, withoutSharedMoves } from './shared-moves.ts'
import { type KnownFigures, type KnownModel, knownModel } from './state.ts'

export interface RoundParts {
  client: PollClient
  models: readonly string[]
  /** `monitor.rates`. */
  rates: 'auto' | RateUnit
  /** A model's history is asked for at most this often; milliseconds. */
  historyMs: number
  /** Whose turn it is, if models are read in turn; else that of the one that was read longest ago. */
  model?: string | undefined
}

/** What one look at the figures brought. */
export interface PollRound {
  figures: KnownFigures
  events: AlertEvent[]
  /** By model, of those that were looked at. */
  remarks: Map<string, Remark[]>
}

/** To learn from so many takes a second, in which nothing else is answered; eight a day are no more in a year. */
const mostPoints = 3_000
/** Readings without a time of day of which it is remembered when they were first read: those that may be single. */
const mostFirstRead = 14
/** After so long without a look, what is found may be many and old. */
const awayMs = hourMs

/**
 * One look at the newest figures, and at the history of those models whose reading is new. Rejects with a
 * `MonitorError` where no figures came; what is known does not change then.
 */
export async function readRound(
  { client, models, rates, historyMs, model }: RoundParts,
  before: KnownFigures,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<PollRound> {
  const turn = model ?? longestAgo(models, before)
  const answered = await fetchFigures(client, models, before, { turn, now, signal })
  const asked = { client, models, rates, historyMs }
  const first = await lookAt(asked, { ...before, compare: answered.compare }, answered.metrics, {
    now,
    signal,
  })
  // What one model shows may be a change of the measurement: where models are asked in turn, the others are asked now.
  const others = models.filter(
    (model) => !answered.metrics.has(model) && first.figures.models[model]?.detector,
  )
  const metrics = first.found.length === 0 ? new Map() : await fetchAside(client, others, signal)
  const then = await lookAt(asked, first.figures, metrics, { now, signal })
  const found = [...first.found, ...then.found]
  const detectors = new Map(
    models.flatMap((model) => {
      const detector = then.figures.models[model]?.detector
      return detector ? [[model, detector] as const] : []
    }),
  )
  const told = withoutSharedMoves(found, detectors, before.measurement)
  const judged = [...first.judged, ...then.judged]
  const eventOf = (model: string, finding: Finding) =>
    alertOf(model, finding, iso(now), knownModel(then.figures, model).firstRead)
  const news = told.found.flatMap(({ model, finding }) =>
    asMissed([eventOf(model, finding)], before.models[model]?.askedAt ?? null, now),
  )
  const verdicts = judged.map(({ model, finding }) => eventOf(model, finding))
  return {
    figures: { ...then.figures, measurement: told.measurement },
    events: withoutTakenBack([...news, ...verdicts]),
    remarks: new Map([...first.remarks, ...then.remarks]),
  }
}

/** What the figures of some models brought, by themselves. */
async function lookAt(
  { client, models, rates, historyMs }: RoundParts,
  before: KnownFigures,
  metrics: FetchedMetrics['metrics'],
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<{
  figures: KnownFigures
  found: ModelFinding[]
  /** What earlier ones turned out to be: confirmed or withdrawn. */
  judged: ModelFinding[]
  remarks: PollRound['remarks']
}> {
  const asked = models.filter((model) => metrics.has(model))
  const histories = new Map<string, HistoryPoint[]>()
  const historyAt = new Map<string, number>()
  let units = withRates(before.units, allRates(metrics), rates)

  for (const model of asked) {
    const one = knownModel(before, model)
    const isDue = one.historyAt === null || now - one.historyAt >= historyMs
    if (!isDue || !wantsHistory(one, metrics.get(model), units.unit, now)) continue
    const points = await fetchHistory(client, model, periodFor(one.detector, now), signal)
    historyAt.set(model, now)
    if (points === undefined) continue
    histories.set(model, points.slice(-mostPoints))
    units = withRates(units, pastRatesOf(points), rates)
  }

  const { unit } = units
  const remarks: PollRound['remarks'] = new Map()
  const found: ModelFinding[] = []
  const judged: ModelFinding[] = []
  const next: Record<string, KnownModel> = { ...before.models }
  const isDoubtful = rates === 'auto' && unit !== null && contradicts(unit, allRates(metrics))
  for (const model of asked) {
    const one = knownModel(before, model)
    next[model] = { ...one, askedAt: now, historyAt: historyAt.get(model) ?? one.historyAt }
    const reading = observationOf(metrics.get(model), isDoubtful ? null : unit, now)
    if (unit === null || reading === null) continue
    const history = histories.get(model)?.map((point) => pastReadingOf(point, unit)) ?? null
    const followed = follow(one.detector, { reading, history }, one.newsFrom)
    const { detector } = followed
    const newsFrom = detector?.last ? detector.last.time + 1 : one.newsFrom
    next[model] = {
      ...next[model],
      detector,
      newsFrom,
      firstRead: firstReadOf(one, detector, metrics.get(model), now),
    }
    remarks.set(model, followed.remarks)
    found.push(...followed.findings.filter(isNews).map((finding) => ({ model, finding })))
    judged.push(...followed.findings.filter(isVerdict).map((finding) => ({ model, finding })))
  }
  return { figures: { ...before, units, models: next }, found, judged, remarks }
}

function longestAgo(models: readonly string[], figures: KnownFigures): string {
  const askedAt = (model: string) => knownModel(figures, model).askedAt ?? 0
  const [first, ...others] = models
  return others.reduce((one, other) => (askedAt(other) < askedAt(one) ? other : one), first ?? '')
}

/** With when the newest reading was first read, if it has a date and no time of day. */
function firstReadOf(
  { detector: before, firstRead }: KnownModel,
  detector: KnownModel['detector'],
  metrics: ModelMetrics | 'gone' | undefined,
  now: number,
): KnownModel['firstRead'] {
  const time = detector?.last?.time
  if (time === undefined || time === before?.last?.time) return firstRead
  if (metrics === undefined || metrics === 'gone' || metrics.isDateOnly !== true) return firstRead
  return [...firstRead, { time, at: now }].slice(-mostFirstRead)
}

/** Marks what came of a look after a long time without one. */
export function asMissed(events: readonly AlertEvent[], lookedAt: number | null, now: number): AlertEvent[] {
  if (lookedAt === null || now - lookedAt <= awayMs) return [...events]
  return events.map((event) => ({ ...event, missedSince: iso(lookedAt) }))
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

/** A history is for a model that is not known yet, for a reading that is new, and for one without its rate for social. */
function wantsHistory(
  { detector }: KnownModel,
  metrics: ModelMetrics | 'gone' | undefined,
  unit: RateUnit | null,
  now: number,
): boolean {
  if (metrics === undefined || metrics === 'gone') return false
  if (detector === null || unit === null || lacksSocial(detector)) return true
  const { reading } = readObservation(readingOf(metrics, unit, new Date(now).toISOString()))
  return reading !== null && ['new', 'part'].includes(noveltyOf(detector, reading, now))
}

/** As far back as something may have been missed; to learn from, a year. */
function periodFor(detector: KnownModel['detector'], now: number): NonNullable<HistoryQuery['period']> {
  const last = detector?.last?.time
  if (last === undefined) return '1y'
  const days = (now - last) / dayMs
  return days < 6 ? '7d' : days < 28 ? '30d' : '90d'
}

/** Null where it cannot be read: in a unit that is not known. */
function observationOf(
  metrics: ModelMetrics | 'gone' | undefined,
  unit: RateUnit | null,
  now: number,
): Observation | Absence | null {
  const at = new Date(now).toISOString()
  if (metrics === 'gone') return { at, gone: true }
  return metrics === undefined || unit === null ? null : readingOf(metrics, unit, at)
}

function allRates(metrics: Map<string, ModelMetrics | 'gone'>): number[] {
  return [...metrics.values()].flatMap((one) => (one === 'gone' ? [] : ratesOf(one)))
}
