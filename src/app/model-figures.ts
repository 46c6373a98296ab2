import type { PublishedSeries } from '../console/parts.ts'
import { seriesOf } from '../message/chart/series.ts'
import { modelName } from '../message/render/words.ts'
import type { Clock } from '../platform/clock.ts'
import { None, noneFor, type ReadFigures } from '../record/figures/reader.ts'
import { readingsOf } from '../record/figures/readings.ts'
import type { RateName, RateUnit } from '../service/client/readers/rates.ts'
import { unitIn } from './pictures.ts'

/** A model's published refusal rate. */
export type ReadModelFigures = (model: string, rate: RateName) => Promise<PublishedSeries>

const span = 90
/** Of fewer days nothing can be seen. */
const leastDays = 2

interface ModelFiguresParts {
  read: ReadFigures
  /** `monitor.rates`. */
  rates: 'auto' | RateUnit
  clock: Pick<Clock, 'now'>
}

/**
 * The last ninety days of a model's rate, for whoever compares models. Rejects with why there are none: if nothing is known and there is
 * no request to spare or no answer, or if the unit of the rates is only assumed.
 */
export function createModelFigures({ read, rates, clock }: ModelFiguresParts): ReadModelFigures {
  return async (model, rate) => {
    const category = rate === 'overall' ? 'all' : rate
    const {
      history,
      readAt,
      unit: known,
      ...rest
    } = await read(model, { period: '90d', category }).catch((error) => {
      throw noneFor(error)
    })
    const unit = known ?? unitIn(history, rate, rates)
    if (unit === undefined) throw new None('the unit of the rates is not known')
    const readings = readingsOf(history, rate, unit)
    const series = seriesOf({ ...readings, model: modelName(model), category: rate, span, now: clock.now() })
    if (series.days.length < leastDays) throw new None('there is no history')
    return { series, readAt: new Date(readAt).toISOString(), ...rest }
  }
}
