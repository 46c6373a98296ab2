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
