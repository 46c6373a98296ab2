import type { RateReading, RateSeries } from '../../message/chart/series.ts'
import type { History, HistoryPoint } from '../../service/client/endpoints/history.ts'
import { type RateName, type RateUnit, toPercent } from '../../service/client/readers/rates.ts'

/** The readings of one rate in a history, and whose their sizes are. */
export interface ReadingsOfRate extends Pick<RateSeries, 'isSizeOfAll'> {
  readings: RateReading[]
}

/** A size of the category's own goes before that of all prompts, and what a point says before what is said of all. Pure. */
export function readingsOf(found: History, rate: RateName, unit: RateUnit): ReadingsOfRate {
  const own = (point: HistoryPoint) => point.sampleSizes[rate] ?? found.sampleSizes[rate]
  const readings = found.points.flatMap((point): RateReading[] => {
    const read = point.rates[rate]
    if (read === null) return []
    const sampleSize = own(point) ?? point.sampleSize ?? found.sampleSize
    return [{ at: Date.parse(point.at), percent: toPercent(read, unit), sampleSize }]
  })
  return {
    readings,
    isSizeOfAll: rate !== 'overall' && found.points.some((point) => own(point) === null),
  }
}
