import type { HistoryPoint } from '../../service/client/endpoints/history.ts'
import type { ModelMetrics } from '../../service/client/endpoints/metrics.ts'
import type { RateUnit } from '../../service/client/readers/rates.ts'
import type { Observation } from '../detect/observation.ts'
import { toFraction } from './units.ts'

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
