import type { AlertEvent } from '../../event/event.ts'
import { isoTime } from '../../platform/clock.ts'
import { dayMs, hourMs } from '../../platform/durations.ts'
import type { HistoryPoint, HistoryQuery } from '../../service/client/endpoints/history.ts'
import type { RateUnit } from '../../service/client/readers/rates.ts'
import type { Remark } from '../detect/detect.ts'
import { noveltyOf } from '../detect/measurement.ts'
import { type Absence, type Observation, readObservation } from '../detect/observation.ts'
import {
  contradicts,
  type FetchedFigures,
  type FetchedMetrics,
  fetchAside,
  fetchFigures,
  fetchHistory,
  isOtherUnit,
  type PollClient,
  pastReadingOf,
  type ReadMoment,
  ratesOf,
  readingOf,
  withoutRates,
  withRates,
} from './fetch.ts'
import { alertOf, isAlert, isVerdict, withoutWithdrawn } from './finding-event.ts'
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

/** What one round brought. */
export interface PollRound {
  figures: KnownFigures
  events: AlertEvent[]
  /** By model, of those that were read. */
  remarks: Map<string, Remark[]>
}

/** To learn from so many takes a second, in which nothing else is answered; eight a day are no more in a year. */
const mostPoints = 3_000
/** Of so many readings without a time of day it is remembered when they were first read: those that may be single. */
const mostFirstRead = 14
/** After so long without a reading, findings may be many and old. */
const awayMs = hourMs

/**
 * Reads the newest figures, and the history of each model whose reading is new. Rejects with a `MonitorError` if no figures
 * came; what is known does not change then.
 */
export async function readRound(
  parts: RoundParts,
  before: KnownFigures,
  moment: ReadMoment,
): Promise<PollRound> {
  const { client, models } = parts
  const turn = parts.model ?? longestAgo(models, before)
  const { metrics, compare } = await fetchFigures(client, models, before, { turn, ...moment })
  const first = await judgeFigures(parts, { ...before, compare }, metrics, moment)
  // What one model shows may be a change of the measurement. If models are read in turn, the others are read now.
  const others = models.filter((model) => !metrics.has(model) && first.figures.models[model]?.detector)
  const aside = first.found.length === 0 ? new Map() : await fetchAside(client, others, moment.signal)
  const { figures, ...more } = await judgeFigures(parts, first.figures, aside, moment)
  const detectors = new Map(
    models.flatMap((model) => {
      const detector = figures.models[model]?.detector
      return detector ? [[model, detector] as const] : []
    }),
  )
  const findings = [...first.found, ...more.found]
  const { found: alerts, measurement } = withoutSharedMoves(findings, detectors, before.measurement)
  const eventOf = ({ model, finding }: ModelFinding) =>
    alertOf(model, finding, isoTime(moment.now), knownModel(figures, model).firstRead)
  const events = alerts.flatMap((one) =>
    asMissed([eventOf(one)], before.models[one.model]?.askedAt ?? null, moment.now),
  )
  const verdicts = [...first.verdicts, ...more.verdicts].map(eventOf)
  return {
    figures: { ...figures, measurement },
    events: withoutWithdrawn([...events, ...verdicts]),
    remarks: new Map([...first.remarks, ...more.remarks]),
  }
}

interface JudgedFigures extends Omit<PollRound, 'events'> {
  found: ModelFinding[]
  /** Earlier findings that were confirmed or withdrawn. */
  verdicts: ModelFinding[]
}

/** What the figures of some models show, each by itself. */
async function judgeFigures(
  { client, models, rates, historyMs }: RoundParts,
  before: KnownFigures,
  metrics: FetchedMetrics,
  { now, signal }: ReadMoment,
): Promise<JudgedFigures> {
  const read = models.filter((model) => metrics.has(model))
  const written = numbersIn(
    [...metrics.values()].flatMap((one) => (typeof one === 'string' ? [] : ratesOf(one))),
  )
  const histories = new Map<string, HistoryPoint[]>()
  const historyAt = new Map<string, number>()
  let units = withRates(before.units, written, rates)
  for (const model of read) {
    const state = knownModel(before, model)
    const isDue = state.historyAt === null || now - state.historyAt >= historyMs
    if (!isDue || !wantsHistory(state, metrics.get(model), units.unit, now)) continue
    const points = await fetchHistory(client, model, periodFor(state.detector, now), signal)
    historyAt.set(model, now)
    if (points === undefined) continue
    histories.set(model, points.slice(-mostPoints))
    units = withRates(units, numbersIn(points.map((point) => point.rates)), rates)
  }

  const { unit } = units
  const isDoubtful = rates === 'auto' && unit !== null && contradicts(unit, written)
  const after: Record<string, KnownModel> = { ...before.models }
  const judged: JudgedFigures = {
    figures: { ...before, units, models: after },
    found: [],
    verdicts: [],
    remarks: new Map(),
  }
  for (const model of read) {
    const state = knownModel(before, model)
    const updated = { ...state, askedAt: now, historyAt: historyAt.get(model) ?? state.historyAt }
    after[model] = updated
    if (unit === null) continue
    const isOther = (written: HistoryPoint['rates'] | undefined) =>
      rates === 'auto' && written !== undefined && isOtherUnit(unit, written, state.detector)
    const fetched = metrics.get(model)
    const isUnreadable = typeof fetched === 'object' && isOther(ratesOf(fetched))
    const reading = isUnreadable
      ? withoutRates(readingOf(fetched, unit, isoTime(now)))
      : observationOf(fetched, isDoubtful ? null : unit, now)
    if (reading === null) continue
    const points = histories.get(model)
    const isLeftOut = points === undefined || isUnreadable || isOther(points.at(-1)?.rates)
    const history = isLeftOut ? null : points.map((point) => pastReadingOf(point, unit))
    const { detector, findings, remarks } = follow(state.detector, { reading, history }, state.newsFrom)
    after[model] = {
      ...updated,
      detector,
      newsFrom: detector?.last ? detector.last.time + 1 : state.newsFrom,
      firstRead: firstReadOf(state, detector, fetched, now),
    }
    judged.remarks.set(model, remarks)
    judged.found.push(...findings.filter(isAlert).map((finding) => ({ model, finding })))
    judged.verdicts.push(...findings.filter(isVerdict).map((finding) => ({ model, finding })))
  }
  return judged
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
  metrics: FetchedFigures | undefined,
  now: number,
): KnownModel['firstRead'] {
  const time = detector?.last?.time
  if (time === undefined || time === before?.last?.time) return firstRead
  if (metrics === undefined || typeof metrics === 'string' || metrics.isDateOnly !== true) return firstRead
  return [...firstRead, { time, at: now }].slice(-mostFirstRead)
}

/** Marks what was found after a long time without a reading. */
export function asMissed(events: readonly AlertEvent[], readAt: number | null, now: number): AlertEvent[] {
  if (readAt === null || now - readAt <= awayMs) return [...events]
  return events.map((event) => ({ ...event, missedSince: isoTime(readAt) }))
}

/** A history is read of a model that is not known yet, after a new reading, and if a reading lacks its rate for social. */
function wantsHistory(
  { detector }: KnownModel,
  metrics: FetchedFigures | undefined,
  unit: RateUnit | null,
  now: number,
): boolean {
  if (metrics === undefined || typeof metrics === 'string') return false
  if (detector === null || unit === null || lacksSocial(detector)) return true
  const { reading } = readObservation(readingOf(metrics, unit, isoTime(now)))
  return reading !== null && ['new', 'part'].includes(noveltyOf(detector, reading, now))
}

/** As far back as something may have been missed; to learn from, a year. */
function periodFor(detector: KnownModel['detector'], now: number): NonNullable<HistoryQuery['period']> {
  const last = detector?.last?.time
  if (last === undefined) return '1y'
  const days = (now - last) / dayMs
  return days < 6 ? '7d' : days < 28 ? '30d' : '90d'
}

/** Null if the unit is not known. */
function observationOf(
  metrics: FetchedFigures | undefined,
  unit: RateUnit | null,
  now: number,
): Observation | Absence | null {
  const at = isoTime(now)
  if (metrics === 'gone') return { at, gone: true }
  if (metrics === 'misnamed') return { at, gone: true, misnamed: true }
  return metrics === undefined || unit === null ? null : readingOf(metrics, unit, at)
}

function numbersIn(rates: readonly HistoryPoint['rates'][]): number[] {
  return rates.flatMap((one) => Object.values(one).filter((rate) => rate !== null))
}
