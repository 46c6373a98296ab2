import { dayMs } from '../../platform/durations.ts'
import type { AnsweredFigures } from '../../service/client/client.ts'
import type { History, HistoryPoint, HistoryQuery } from '../../service/client/endpoints/history.ts'
import type { ModelMetrics } from '../../service/client/endpoints/metrics.ts'
import {
  type Counted,
  inferUnitOfCounts,
  type RateName,
  type RateUnit,
  rateNamed,
  rateNames,
} from '../../service/client/readers/rates.ts'
import type { Figure, FigureSeries, KnownSpan } from '../../store/figures.ts'

/** When we asked which service for an answer. Times are milliseconds since the epoch. */
interface FiguresRequest {
  service: string
  /** `monitor.rates`. */
  rates: 'auto' | RateUnit
  /** The unit of earlier answers. */
  knownUnit: RateUnit | null
  seenAt: number
  /** What is older is not kept. */
  notBefore: number
}

/** What an answer adds to the figures that are known. */
interface NewFigures {
  figures: Figure[]
  spans: KnownSpan[]
  unit: RateUnit | null
}

/** How far each period of a history goes back, in milliseconds. */
export const periodMs: Readonly<Record<Required<HistoryQuery>['period'], number>> = {
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
  '1y': 365 * dayMs,
}

/** Clocks differ; a day ahead is no measurement. */
const aheadMs = dayMs
/** Percent are above 1 nearly all; up to this part of the rates, what is above 1 is a mistake. */
const mistaken = 0.1
/** A label of a version is short. */
const longestVersion = 200

/** The figures in an answer as they are stored. Pure. */
export function publishedIn(answer: AnsweredFigures, asked: FiguresRequest): NewFigures {
  const unit = asked.rates === 'auto' ? unitOf(countsIn(answer), asked.knownUnit) : asked.rates
  const { figures, spans } =
    answer.of === 'history' ? inHistory(answer, asked, unit) : newestIn(answer.metrics, asked, unit)
  return {
    figures: figures.filter(
      ({ measuredAt }) =>
        measuredAt === null || (measuredAt >= asked.notBefore && measuredAt <= asked.seenAt + aheadMs),
    ),
    spans,
    unit: unit ?? asked.knownUnit,
  }
}

function inHistory(
  { model, query, history }: Extract<AnsweredFigures, { of: 'history' }>,
  { service, seenAt, notBefore }: FiguresRequest,
  unit: RateUnit | null,
): Pick<NewFigures, 'figures' | 'spans'> {
  const of = { service, model: model.toLowerCase() }
  const seriesAt = seriesByTime(history.points.map(({ at }) => Date.parse(at)))
  const figures = history.categories.flatMap((category) =>
    withParts(history.points.filter(({ rates }) => rates[category] !== null)).map(
      ({ point, part }): Figure => ({
        ...of,
        category,
        series: seriesAt.get(Date.parse(point.at)) ?? 'readings',
        measuredAt: Date.parse(point.at),
        part,
        rate: point.rates[category] ?? 0,
        unit,
        ...sizeIn(category, point.sampleSizes[category] ?? history.sampleSizes[category], [
          point.sampleSize,
          history.sampleSize,
        ]),
        version: versionLabel(point.version),
        seenAt,
      }),
    ),
  )
  // Of what could not be read, it is not known what it was.
  if (query.period === undefined || history.unread > 0) return { figures, spans: [] }
  const from = Math.max(seenAt - periodMs[query.period], notBefore)
  // What was asked for and is not in the answer is not there.
  const categories = new Set([...history.categories, rateNamed(query.category) ?? 'overall'])
  return {
    figures,
    spans: [...categories].map((category) => ({ ...of, category, source: 'history', from, to: seenAt })),
  }
}

function newestIn(
  metrics: readonly ModelMetrics[],
  { service, seenAt }: FiguresRequest,
  unit: RateUnit | null,
): Pick<NewFigures, 'figures' | 'spans'> {
  const figures = metrics.flatMap((one) => {
    const updated = Date.parse(one.lastUpdated ?? '')
    const measuredAt = Number.isNaN(updated) || updated > seenAt + aheadMs ? null : updated
    return newestRates(one).map(
      ({ category, rate }): Figure => ({
        service,
        model: one.model.toLowerCase(),
        category,
        series: 'newest',
        measuredAt,
        part: 0,
        rate,
        unit,
        ...sizeIn(category, one.sampleSizes[category], [one.sampleSize]),
        version: versionLabel(one.version),
        seenAt,
      }),
    )
  })
  const spans = figures.map(
    ({ model, category }): KnownSpan => ({
      service,
      model,
      category,
      source: 'newest',
      from: seenAt,
      to: seenAt,
    }),
  )
  return { figures, spans }
}

function newestRates(metrics: ModelMetrics): { category: RateName; rate: number }[] {
  const rates = {
    overall: metrics.overallRefusalRate,
    political: metrics.politicalRefusalRate,
    safety: metrics.safetyRefusalRate,
    social: null,
  }
  return rateNames.flatMap((category) => {
    const rate = rates[category]
    return rate === null ? [] : [{ category, rate }]
  })
}

/** A category's own size goes before that of all prompts. */
function sizeIn(
  category: RateName,
  own: number | null,
  ofAll: readonly (number | null)[],
): Pick<Figure, 'sampleSize' | 'isSizeOfAll'> {
  if (own !== null) return { sampleSize: own, isSizeOfAll: false }
  const sampleSize = ofAll.find((size) => size !== null) ?? null
  return { sampleSize, isSizeOfAll: sampleSize !== null && category !== 'overall' }
}

/** No text of the store has a U+0000. */
function versionLabel(text: string | null): string | null {
  return text?.replaceAll('\0', '').slice(0, longestVersion) ?? null
}

/**
 * Several points of one time are numbered in their order. If there are such, the oldest time is left out: the period may have cut some
 * of its points off, and the rest would be numbered otherwise.
 */
function withParts(points: readonly HistoryPoint[]): { point: HistoryPoint; part: number }[] {
  const counts = new Map<string, number>()
  const numbered = points.map((point) => {
    const part = counts.get(point.at) ?? 0
    counts.set(point.at, part + 1)
    return { point, part }
  })
  const isSingle = numbered.every(({ part }) => part === 0)
  return isSingle ? numbered : numbered.filter(({ point }) => point.at !== points[0]?.at)
}

/**
 * What each point stands for, by its distance from its neighbours: the mean of a week is another figure than a reading of the same time.
 * A service may have four points a day of the last weeks, and one a day before.
 */
function seriesByTime(times: readonly number[]): Map<number, FigureSeries> {
  const distinct = [...new Set(times)].toSorted((one, other) => one - other)
  return new Map(
    distinct.map((time, index) => {
      const before = time - (distinct[index - 1] ?? Number.NEGATIVE_INFINITY)
      const after = (distinct[index + 1] ?? Number.POSITIVE_INFINITY) - time
      return [time, seriesOf(time, Math.min(before, after))]
    }),
  )
}

function seriesOf(time: number, gapMs: number): FigureSeries {
  // Of a single point: a mean of a day begins with it.
  if (gapMs === Number.POSITIVE_INFINITY) return time % dayMs === 0 ? 'days' : 'readings'
  const days = gapMs / dayMs
  if (days < 0.8) return 'readings'
  if (days < 4) return 'days'
  return days < 20 ? 'weeks' : 'months'
}

function countsIn(answer: AnsweredFigures): Counted[] {
  if (answer.of === 'history') return countsOf(answer.history)
  return answer.metrics.flatMap((one) =>
    newestRates(one).map(({ category, rate }) => ({ rate, sampleSize: one.sampleSizes[category] })),
  )
}

function countsOf(history: History): Counted[] {
  return history.points.flatMap(({ rates, sampleSizes }) =>
    rateNames.flatMap((name) => {
      const rate = rates[name]
      return rate === null ? [] : [{ rate, sampleSize: sampleSizes[name] ?? history.sampleSizes[name] }]
    }),
  )
}

/** Null if it could only be assumed, or if all rates contradict what was known. */
function unitOf(counts: readonly Counted[], known: RateUnit | null): RateUnit | null {
  const some = counts.filter(({ rate }) => rate > 0)
  const small = some.filter(({ rate }) => rate <= 1)
  const large = some.length - small.length
  if (large > some.length / 2) return 'percent'
  const isSmall = large <= some.length * mistaken
  const unit = isSmall ? inferUnitOfCounts(small) : undefined
  const isContradiction = known === 'percent' && some.length >= 2 && large === 0
  return unit ?? (isContradiction ? null : known)
}
