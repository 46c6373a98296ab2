import { dayMs, hourMs } from '../../platform/durations.ts'
import type { MonitorClient } from '../../service/client/client.ts'
import type { HistoryPoint, HistoryQuery } from '../../service/client/endpoints/history.ts'
import type { ModelMetrics } from '../../service/client/endpoints/metrics.ts'
import {
  BadRequest,
  BudgetSpent,
  MissingScope,
  MonitorError,
  NotFound,
  OtherModel,
  ServiceFailed,
  Unintelligible,
} from '../../service/client/errors.ts'
import { inferUnit, type RateUnit, toPercent } from '../../service/client/readers/rates.ts'
import { pooled, promptsBehind } from '../detect/bins.ts'
import { type Observation, type ObservedRate, perRate, rateNames } from '../detect/observation.ts'
import { rateAt } from '../detect/scale.ts'
import type { DetectorState } from '../detect/state.ts'
import { type KnownFigures, knownModel } from './state.ts'

export type PollClient = Pick<MonitorClient, 'compare' | 'metrics' | 'history' | 'alerts'>

export interface ReadMoment {
  /** Milliseconds since the epoch. */
  now: number
  signal: AbortSignal
}

/** `gone` if the service does not know the model, `misnamed` if it answers with those of another. */
export type FetchedFigures = ModelMetrics | 'gone' | 'misnamed'

/** By model. Only those that were asked for. */
export type FetchedMetrics = Map<string, FetchedFigures>

/** GET /monitoring/compare is tried again so long after it was not there, and after it failed or named no model. */
const absentMs = dayMs
const failedMs = hourMs
/** A model that the comparison leaves out is asked for by itself, at most so often. */
const leftOutMs = hourMs / 4

/**
 * The newest figures of all models by one request, if the service answers it; else those of the model whose turn it is.
 * Rejects with a `MonitorError` if neither comes.
 */
export async function fetchFigures(
  client: PollClient,
  models: readonly string[],
  figures: KnownFigures,
  { turn, now, signal }: ReadMoment & { turn: string },
): Promise<{ metrics: FetchedMetrics; compare: KnownFigures['compare'] }> {
  const { compare } = figures
  const inTurn = async (): Promise<FetchedMetrics> => new Map([[turn, await fetchOne(client, turn, signal)]])
  if (compare !== null && !compare.serves && now < compare.againAt) {
    return { metrics: await inTurn(), compare }
  }
  let pauseMs = failedMs
  try {
    const answer = await client.compare(models, signal)
    if (answer.models.length > 0) {
      const metrics: FetchedMetrics = new Map(answer.models.map((one) => [one.model.toLowerCase(), one]))
      const isDue = (model: string) => now - (knownModel(figures, model).askedAt ?? 0) >= leftOutMs
      for (const model of answer.missing.filter(isDue)) {
        metrics.set(model, await fetchOne(client, model, signal))
      }
      return { metrics, compare: { serves: true, againAt: 0 } }
    }
  } catch (error) {
    if (isAbsent(error)) pauseMs = absentMs
    else if (!(error instanceof ServiceFailed)) throw error
  }
  return { metrics: await inTurn(), compare: { serves: false, againAt: now + pauseMs } }
}

/** The newest figures of these models, as many as come. */
export async function fetchAside(
  client: PollClient,
  models: readonly string[],
  signal: AbortSignal,
): Promise<FetchedMetrics> {
  const metrics: FetchedMetrics = new Map()
  try {
    for (const model of models) metrics.set(model, await fetchOne(client, model, signal))
  } catch (error) {
    if (!(error instanceof BudgetSpent || error instanceof MonitorError)) throw error
  }
  return metrics
}

async function fetchOne(client: PollClient, model: string, signal: AbortSignal): Promise<FetchedFigures> {
  try {
    return await client.metrics(model, signal)
  } catch (error) {
    if (error instanceof NotFound) return 'gone'
    if (error instanceof OtherModel) return 'misnamed'
    throw error
  }
}

/** A model's history with the rate for social; empty if the service has none. Undefined if it did not come this time. */
export async function fetchHistory(
  client: PollClient,
  model: string,
  period: NonNullable<HistoryQuery['period']>,
  signal: AbortSignal,
): Promise<HistoryPoint[] | undefined> {
  try {
    const all = await client.history(model, { period, category: 'all' }, signal)
    if (all.categories.includes('social')) return all.points
    // To `all` a service may answer with the overall rate alone.
    const social = await client.history(model, { period, category: 'social' }, signal)
    const byTime = new Map(social.points.map((point) => [point.at, point]))
    return all.points.map((point) => {
      const aside = byTime.get(point.at)
      if (aside === undefined) return point
      const sizes = { ...point.sampleSizes, social: aside.sampleSizes.social ?? aside.sampleSize }
      return { ...point, rates: { ...point.rates, social: aside.rates.social }, sampleSizes: sizes }
    })
  } catch (error) {
    if (isAbsent(error) && !(error instanceof OtherModel)) return []
    if (error instanceof BudgetSpent || error instanceof MonitorError) return undefined
    throw error
  }
}

/** Whether the service does not have it, or not for this key: asking again soon would not help. */
export function isAbsent(error: unknown): boolean {
  return (
    error instanceof NotFound ||
    error instanceof BadRequest ||
    error instanceof MissingScope ||
    error instanceof Unintelligible
  )
}

/** A model's metrics as one reading; `at` (ISO 8601) is when they were asked for. */
export function readingOf(metrics: ModelMetrics, unit: RateUnit, at: string): Observation {
  const { version, lastUpdated, sampleSizes, sampleSize } = metrics
  const counts = { ...sampleSizes, overall: sampleSizes.overall ?? sampleSize }
  return { at, version, lastUpdated, rates: inFractions(ratesOf(metrics), unit), counts }
}

/** A point of a history as a reading. A sample size of the point itself is of the overall rate, if it has one. */
export function pastReadingOf(
  { at, version, rates, sampleSizes, sampleSize }: HistoryPoint,
  unit: RateUnit,
): Observation {
  const overall = sampleSizes.overall ?? (rates.overall === null ? null : sampleSize)
  const counts = { ...sampleSizes, overall }
  return { at, version, lastUpdated: null, rates: inFractions(rates, unit), counts }
}

function inFractions(rates: HistoryPoint['rates'], unit: RateUnit): Observation['rates'] {
  return perRate((name) => toFraction(rates[name], unit))
}

/** The rates as they were written. Metrics have none for social. */
export function ratesOf(metrics: ModelMetrics): HistoryPoint['rates'] {
  return {
    overall: metrics.overallRefusalRate,
    political: metrics.politicalRefusalRate,
    safety: metrics.safetyRefusalRate,
    social: null,
  }
}

/** About six readings of five models with three rates. That is enough, and a change of the service soon replaces them. */
const sampled = 100
/** Never from one reading: of so many rates the unit is inferred. */
const least = 10
/** Percent are above 1 nearly all; up to this part of the rates, what is above 1 is taken for a mistake. */
const mistaken = 0.1

/** What is known after more rates, as the service wrote them. A unit that is pinned (`monitor.rates`) stays. */
export function withRates(
  units: KnownFigures['units'],
  rates: readonly number[],
  pinned: 'auto' | RateUnit,
): KnownFigures['units'] {
  const usable = rates.filter((rate) => rate > 0 && rate <= 100)
  const sample = [...units.sample, ...usable].slice(-sampled)
  if (pinned !== 'auto') return { unit: pinned, sample }
  return { unit: inferred([...units.sample, ...usable]) ?? units.unit, sample }
}

/** A rate as a fraction from 0 to 1. What cannot be in this unit becomes NaN, which the detector remarks upon and does not judge. */
export function toFraction(rate: number | null, unit: RateUnit): number | null {
  if (rate === null) return null
  const fraction = Number((toPercent(rate, unit) / 100).toPrecision(12))
  return fraction <= 1 ? fraction : Number.NaN
}

/**
 * Whether all rates of a round are in another unit than is known: percent that are all at most 1 would be a fall of
 * everything to nothing. They are not judged. If it lasts, the sample shows the new unit.
 */
export function contradicts(unit: RateUnit, rates: readonly number[]): boolean {
  const some = rates.filter((rate) => rate > 0)
  return unit === 'percent' && some.length >= 2 && some.every((rate) => rate <= 1)
}

/** Below this rate a fraction and percent look alike, so nothing is compared. */
const leastCompared = 0.02
/** A rate in the other unit, taken as it is, lies within this factor of the one before. */
const alikeFactor = 2

/**
 * Whether one model's answer is in fractions, though percent are known. All its rates are then at most 1, and taken as
 * fractions they are about what they were: it is no fall to a hundredth.
 */
export function isOtherUnit(
  unit: RateUnit,
  rates: HistoryPoint['rates'],
  detector: DetectorState | null,
): boolean {
  const written = rateNames.flatMap((name) => rates[name] ?? [])
  if (unit !== 'percent' || detector === null || written.length < 2 || written.some((rate) => rate > 1)) {
    return false
  }
  const ratios = rateNames.flatMap((name) => {
    const before = lastRate(detector, name)
    const rate = rates[name]
    return rate === null || !(before > leastCompared) ? [] : [rate / before]
  })
  return ratios.length > 0 && ratios.every((ratio) => ratio <= alikeFactor && ratio >= 1 / alikeFactor)
}

/** As a fraction; that of all readings if the last one lacks it, and NaN if all do. */
function lastRate(detector: DetectorState, name: ObservedRate): number {
  const all = () => rateAt(pooled(detector.bins, name).mean, promptsBehind(detector, name))
  return detector.last?.rates[name] ?? all()
}

/** The reading as one whose rates cannot be read: the detector remarks upon it. */
export function withoutRates(reading: Observation): Observation {
  return { ...reading, rates: perRate((name) => (reading.rates[name] === null ? null : Number.NaN)) }
}

function inferred(sample: readonly number[]): RateUnit | undefined {
  if (sample.length < least) return undefined
  const small = sample.filter((rate) => rate <= 1)
  const large = sample.length - small.length
  if (large > sample.length / 2) return 'percent'
  return large <= sample.length * mistaken ? inferUnit(small) : undefined
}
