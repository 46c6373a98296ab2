import type { History, HistoryPoint } from '../client/endpoints/history.ts'
import { type RateName, type RateUnit, toPercent } from '../client/readers/rates.ts'
import {
  type Figure,
  type FigureSeries,
  figureSeries,
  type KnownSpan,
  lastOf,
  spanOf,
} from '../store/figures.ts'

/** Of one category: the history that is known since that time, the finest one; else the one that goes back furthest. Pure. */
export function historyKnown(
  spans: readonly KnownSpan[],
  category: RateName,
  from: number,
): KnownSpan | undefined {
  const known = spans.filter((one) => one.category === category && one.series !== 'newest')
  const whole = known
    .filter((one) => one.from <= from)
    .toSorted((one, other) => figureSeries.indexOf(one.series) - figureSeries.indexOf(other.series))
  return whole[0] ?? known.toSorted((one, other) => one.from - other.from)[0]
}

/**
 * Stored figures of one category as a history: those of that series, and the newest figures that are later. All rates are in one unit: that of the last whose unit is known.
 * `stored` is in the order in which it was seen. Pure.
 */
export function historyOf(
  stored: readonly Figure[],
  { model, category, series }: { model: string; category: RateName; series: FigureSeries },
): { history: History; unit: RateUnit | null } {
  const figures = lastOf(stored.filter((one) => one.category === category))
  const past = figures.filter((one) => one.series === series)
  const newest = figures.filter((one) => one.series === 'newest')
  const shown = joined(past, newest, spanOf[series]).toSorted((one, other) => timeOf(one) - timeOf(other))
  const unit = shown.findLast((one) => one.unit !== null)?.unit ?? null
  const points = shown.map((one) => pointOf(inUnit(one, unit), category))
  const dates = shown.flatMap(({ measuredAt }) => measuredAt ?? [])
  const history = {
    model,
    points,
    categories: points.length === 0 ? [] : [category],
    sampleSize: null,
    sampleSizes: none,
    lastUpdated: dates.length === 0 ? null : new Date(Math.max(...dates)).toISOString(),
    unread: 0,
  }
  return { history, unit }
}

const none: HistoryPoint['sampleSizes'] = { overall: null, political: null, safety: null, social: null }

/** When it was measured, else when it was first read. */
function timeOf({ measuredAt, seenAt }: Figure): number {
  return measuredAt ?? seenAt
}

/**
 * A mean that was published before its span had ended is that of a part: if newer figures are there, they stand for that span.
 */
function joined(past: readonly Figure[], newest: readonly Figure[], spanMs: number): Figure[] {
  const ended = past.filter((one) => spanMs === 0 || one.seenAt >= timeOf(one) + spanMs)
  const until = Math.max(0, ...ended.map((one) => timeOf(one) + spanMs))
  const later = newest.filter((one) => timeOf(one) > until - (spanMs === 0 ? 0 : 1))
  const running = past.filter((one) => !ended.includes(one))
  const seenAt = Math.max(0, ...running.map((one) => one.seenAt))
  return later.some((one) => one.seenAt > seenAt) ? [...ended, ...later] : [...past]
}

/** What was written while the unit was not known is in that of the rest. */
function inUnit(figure: Figure, unit: RateUnit | null): Figure {
  if (figure.unit === null || figure.unit === unit) return figure
  const percent = toPercent(figure.rate, figure.unit)
  return { ...figure, rate: unit === 'percent' ? percent : Number((percent / 100).toPrecision(12)) }
}

function pointOf(figure: Figure, category: RateName): HistoryPoint {
  const { version, rate, sampleSize, isSizeOfAll } = figure
  return {
    at: new Date(timeOf(figure)).toISOString(),
    version,
    rates: { ...none, [category]: rate },
    sampleSize: isSizeOfAll ? sampleSize : null,
    sampleSizes: { ...none, [category]: isSizeOfAll ? null : sampleSize },
  }
}
