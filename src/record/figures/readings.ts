import type { RateReading, RateSeries } from '../../message/chart/series.ts'
import { dayMs } from '../../platform/durations.ts'
import type { History, HistoryPoint } from '../../service/client/endpoints/history.ts'
import { type RateName, type RateUnit, toPercent } from '../../service/client/readers/rates.ts'
import { type Figure, figureSeries, lastOf, spanOf } from '../../store/figures.ts'

/**
 * Stored figures of one category as a history, and the newest figures that are later. All rates are in one unit: that of the last whose
 * unit is known. `stored` is in the order in which it was seen. Pure.
 */
export function historyOf(
  stored: readonly Figure[],
  { model, category }: { model: string; category: RateName },
): { history: History; unit: RateUnit | null } {
  const figures = lastOf(stored)
  const newest = figures.filter((one) => one.series === 'newest')
  const past = finestOfDays(figures.filter((one) => one.series !== 'newest'))
  const shown = joined(past, newest).toSorted((one, other) => timeOf(one) - timeOf(other))
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

/** A history of a week may have each reading, and one of a year the mean of each day: of one day, one of them is shown. */
function finestOfDays(figures: readonly Figure[]): Figure[] {
  const days = Map.groupBy(figures, (one) => Math.floor(timeOf(one) / dayMs))
  return [...days.values()].flatMap((ofDay) => {
    const finest = figureSeries.find((series) => ofDay.some((one) => one.series === series))
    return ofDay.filter((one) => one.series === finest)
  })
}

/** A mean that was published before its span had ended is that of a part: if newer figures are there, they stand for that span. */
function joined(past: readonly Figure[], newest: readonly Figure[]): Figure[] {
  const hasEnded = (one: Figure) => one.seenAt >= timeOf(one) + spanOf[one.series]
  const ended = past.filter(hasEnded)
  const next = Math.max(0, ...ended.map((one) => timeOf(one) + Math.max(spanOf[one.series], 1)))
  const later = newest.filter((one) => timeOf(one) >= next)
  const runningSeenAt = Math.max(0, ...past.filter((one) => !hasEnded(one)).map((one) => one.seenAt))
  return later.some((one) => one.seenAt > runningSeenAt) ? [...ended, ...later] : [...past]
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

/** The readings of one rate in a history, and whose their sizes are. */
export interface ReadingsOfRate extends Pick<RateSeries, 'isSizeOfAll'> {
  readings: RateReading[]
}

/** A size of the category's own goes before that of all prompts, and what a point says before what is said of all. Pure. */
export function readingsOf(found: History, rate: RateName, unit: RateUnit): ReadingsOfRate {
  const ownSize = (point: HistoryPoint) => point.sampleSizes[rate] ?? found.sampleSizes[rate]
  const readings = found.points.flatMap((point): RateReading[] => {
    const read = point.rates[rate]
    if (read === null) return []
    const sampleSize = ownSize(point) ?? point.sampleSize ?? found.sampleSize
    return [{ at: Date.parse(point.at), percent: toPercent(read, unit), sampleSize }]
  })
  return {
    readings,
    isSizeOfAll: rate !== 'overall' && found.points.some((point) => ownSize(point) === null),
  }
}
