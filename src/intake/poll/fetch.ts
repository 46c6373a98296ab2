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
  ServiceFailed,
  Unintelligible,
} from '../../service/client/errors.ts'
import { inferUnit, type RateUnit, toPercent } from '../../service/client/readers/rates.ts'
import type { Observation } from '../detect/observation.ts'
import { type KnownFigures, knownModel } from './state.ts'

export type PollClient = Pick<MonitorClient, 'compare' | 'metrics' | 'history' | 'alerts'>

export interface FetchedMetrics {
  /** By model; `gone` where the service does not know it. Only those that were asked for. */
  metrics: Map<string, ModelMetrics | 'gone'>
  compare: KnownFigures['compare']
}

/** GET /monitoring/compare is tried again so long after it was not there, and after it failed. */
const absentMs = dayMs
/** A model that the comparison leaves out is asked for by itself, at most so often. */
const leftOutMs = hourMs / 4

/**
 * The newest figures of all models by one request, where the service answers it; else those of the model whose turn it
 * is. Rejects with a `MonitorError` where neither comes.
 */
export async function fetchFigures(
  client: PollClient,
  models: readonly string[],
  figures: KnownFigures,
  { turn, now, signal }: { turn: string; now: number; signal: AbortSignal },
): Promise<FetchedMetrics> {
  const { compare } = figures
  if (compare !== null && !compare.serves && now < compare.againAt) {
    return { metrics: await fetchOne(client, turn, signal), compare }
  }
  try {
    const answer = await client.compare(models, signal)
    if (answer.models.length > 0) {
      const metrics = new Map<string, ModelMetrics | 'gone'>(
        answer.models.map((one) => [one.model.toLowerCase(), one]),
      )
      const isDue = (model: string) => now - (knownModel(figures, model).askedAt ?? 0) >= leftOutMs
      for (const model of answer.missing.filter(isDue)) {
        for (const [name, one] of await fetchOne(client, model, signal)) metrics.set(name, one)
      }
      return { metrics, compare: { serves: true, againAt: 0 } }
    }
  } catch (error) {
    if (!isAbsent(error) && !(error instanceof ServiceFailed)) throw error
    const metrics = await fetchOne(client, turn, signal)
    const pause = error instanceof ServiceFailed ? hourMs : absentMs
    return { metrics, compare: { serves: false, againAt: now + pause } }
  }
  // It answers, and names no model: that need not last.
  const metrics = await fetchOne(client, turn, signal)
  return { metrics, compare: { serves: false, againAt: now + hourMs } }
}

/** The newest figures of these models, as many of them as come: what is known goes without the rest. */
export async function fetchAside(
  client: PollClient,
  models: readonly string[],
  signal: AbortSignal,
): Promise<FetchedMetrics['metrics']> {
  const metrics: FetchedMetrics['metrics'] = new Map()
  try {
    for (const model of models)
      for (const [name, one] of await fetchOne(client, model, signal)) metrics.set(name, one)
  } catch (error) {
    if (!(error instanceof BudgetSpent || error instanceof MonitorError)) throw error
  }
  return metrics
}

async function fetchOne(
  client: PollClient,
  model: string,
  signal: AbortSignal,
): Promise<FetchedMetrics['metrics']> {
  try {
    return new Map([[model, await client.metrics(model, signal)]])
  } catch (error) {
    if (error instanceof NotFound) return new Map([[model, 'gone' as const]])
    throw error
  }
}

/**
 * A model's history with the rate for social; empty where the service has none. Undefined where it did not come this
 * time: what is known goes without it.
 */
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
    if (isAbsent(error)) return []
    if (error instanceof BudgetSpent || error instanceof MonitorError) return undefined
    throw error
  }
}

/** Whether the service does not have it, or not for us: asking again soon would not help. */
export function isAbsent(error: unknown): boolean {
  return (
    error instanceof NotFound ||
    error instanceof BadRequest ||
    error instanceof MissingScope ||
    error instanceof Unintelligible
  )
}

/** A model's metrics as one reading; `at` (ISO 8601) is when they were asked for. Metrics have no rate for social. */
export function readingOf(metrics: ModelMetrics, unit: RateUnit, at: string): Observation {
  const { sampleSizes } = metrics
  return {
    at,
    version: metrics.version,
    lastUpdated: metrics.lastUpdated,
    rates: {
      overall: toFraction(metrics.overallRefusalRate, unit),
      political: toFraction(metrics.politicalRefusalRate, unit),
      safety: toFraction(metrics.safetyRefusalRate, unit),
      social: null,
    },
    counts: { ...sampleSizes, overall: sampleSizes.overall ?? metrics.sampleSize },
  }
}

/** A point of a history as a reading. A size that is said of the point is of the overall rate, where it has one. */
export function pastReadingOf(point: HistoryPoint, unit: RateUnit): Observation {
  const { at, version, rates, sampleSizes } = point
  const whole = rates.overall === null ? null : point.sampleSize
  return {
    at,
    version,
    lastUpdated: null,
    rates: {
      overall: toFraction(rates.overall, unit),
      political: toFraction(rates.political, unit),
      safety: toFraction(rates.safety, unit),
      social: toFraction(rates.social, unit),
    },
    counts: { ...sampleSizes, overall: sampleSizes.overall ?? whole },
  }
}

/** The rates as they were written. */
export function ratesOf(metrics: ModelMetrics): number[] {
  const { overallRefusalRate, politicalRefusalRate, safetyRefusalRate } = metrics
  return [overallRefusalRate, politicalRefusalRate, safetyRefusalRate].filter((rate) => rate !== null)
}

export function pastRatesOf(points: readonly HistoryPoint[]): number[] {
  return points.flatMap(({ rates }) => Object.values(rates).filter((rate) => rate !== null))
}

/** Some six readings of five models with three rates: enough to tell, and soon others where the service changes. */
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

/**
 * A rate as a fraction from 0 to 1. What cannot be in this unit becomes NaN, which the detector remarks upon and does
 * not judge.
 */
export function toFraction(rate: number | null, unit: RateUnit): number | null {
  if (rate === null) return null
  const fraction = Number((toPercent(rate, unit) / 100).toPrecision(12))
  return fraction <= 1 ? fraction : Number.NaN
}

/**
 * Whether a whole look is in another unit than is known: rates in percent that are all at most 1 would be a fall of
 * everything to nothing. They are not judged; where it lasts, the sample tells the new unit.
 */
export function contradicts(unit: RateUnit, rates: readonly number[]): boolean {
  const some = rates.filter((rate) => rate > 0)
  return unit === 'percent' && some.length >= 2 && some.every((rate) => rate <= 1)
}

function inferred(sample: readonly number[]): RateUnit | undefined {
  if (sample.length < least) return undefined
  const small = sample.filter((rate) => rate <= 1)
  const large = sample.length - small.length
  if (large > sample.length / 2) return 'percent'
  return large <= sample.length * mistaken ? inferUnit(small) : undefined
}
