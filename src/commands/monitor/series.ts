import { type RateSeries, seriesOf } from '../../message/chart/series.ts'
import { modelName } from '../../message/render/words.ts'
import type { Words } from '../../message/words/words.ts'
import { readingsOf } from '../../record/figures/readings.ts'
import type { History, HistoryQuery } from '../../service/client/endpoints/history.ts'
import { type RateName, type RateUnit, rateNames } from '../../service/client/readers/rates.ts'
import { type Unit, unitOf } from './rates.ts'

const days: Record<Required<HistoryQuery>['period'], number> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 }

/** One rate of a history over a period that ends with the last reading. */
export function seriesShown(
  found: History,
  { period, rate, unit }: { period: Required<HistoryQuery>['period']; rate: RateName; unit: Unit },
  words: Words,
): RateSeries {
  const last = found.points.at(-1)
  return seriesOf({
    ...readingsOf(found, rate, unit.unit),
    model: modelName(found.model, words),
    category: rate,
    span: days[period],
    now: last === undefined ? Date.now() : Date.parse(last.at),
  })
}

/** In which unit the rates of a history are. `configured` is `monitor.rates`. */
export function unitOfHistory(configured: 'auto' | RateUnit, { points }: History): Unit {
  const rates = points.flatMap((point) => rateNames.map((name) => point.rates[name]))
  return unitOf(
    configured,
    rates.map((rate) => ({ rate, sampleSize: null })),
  )
}

/** Where the version label is another than in the reading before; times are ISO 8601. */
export function versionChanges({ points }: History): { at: string; from: string; to: string }[] {
  const versioned = points.flatMap(({ at, version }) => (version === null ? [] : [{ at, version }]))
  return versioned.flatMap(({ at, version: to }, index) => {
    const from = versioned[index - 1]?.version ?? to
    return from === to ? [] : [{ at, from, to }]
  })
}
