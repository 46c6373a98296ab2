import { readingsOf } from '../chart/of-history.ts'
import { seriesOf } from '../chart/series.ts'
import type { RateName } from '../client/readers/rates.ts'
import { after } from '../clock.ts'
import { hourMs, minuteMs } from '../durations.ts'
import { modelName } from '../render/words.ts'
import { None, noneLeft, type ReadHistory } from './histories.ts'
import { type Figures, type FiguresParts, unitIn } from './pictures.ts'
import { createRecent } from './recent.ts'

/** A model's published refusal rate. */
export type ReadModelFigures = (model: string, rate: RateName) => Promise<Figures>

const span = 90
/** Of fewer days nothing can be seen. */
const leastDays = 2
/** Nobody waits for it so long; the next who looks has it. Milliseconds. */
const patienceMs = 20_000
/**
 * Five models in four categories are twenty histories. Kept for so long they cost 80 requests a day, however many people look:
 * a twentieth of what the smallest tier has for the service.
 */
const histories = { most: 40, forMs: 6 * hourMs, failedForMs: 5 * minuteMs }

/**
 * The last ninety days of a model's rate, for whoever compares models. Rejects with why there are none: without a request to
 * spare, without an answer, or where the unit of the rates is only assumed.
 */
export function createModelFigures(parts: FiguresParts): ReadModelFigures {
  const { client, clock, maySpend } = parts
  const found = createRecent<Promise<ReadHistory>>(histories, clock)
  let turn: Promise<unknown> = Promise.resolve()

  async function read(model: string, rate: RateName) {
    if (!(await maySpend())) throw noneLeft()
    const late = new AbortController()
    const inTime = after(clock, patienceMs, () => late.abort())
    try {
      const category = rate === 'overall' ? 'all' : rate
      const history = await client.history(model, { period: '90d', category }, late.signal)
      return { history, readAt: clock.now() }
    } finally {
      inTime()
    }
  }

  /** One after the other: each sees what the one before has spent. */
  function inTurn(model: string, rate: RateName) {
    const reading = turn.then(() => read(model, rate))
    turn = reading.catch(() => undefined)
    return reading
  }

  return async (model, rate) => {
    const key = `${model} ${rate}`
    const { history, readAt, ...rest } = await parts.known(key, () => found(key, () => inTurn(model, rate)))
    const unit = unitIn(history, rate, parts.rates)
    if (unit === undefined) throw new None('the unit of the rates is not known')
    const read = readingsOf(history, rate, unit)
    const series = seriesOf({ ...read, model: modelName(model), category: rate, span, now: clock.now() })
    if (series.days.length < leastDays) throw new None('there is no history')
    return { series, readAt: new Date(readAt).toISOString(), ...rest }
  }
}
