import type { Look, Picture } from '../channels/channel.ts'
import type { PublishedSeries } from '../console/parts.ts'
import type { Pictures } from '../deliver/parts.ts'
import { type AlertEvent, isFinding } from '../event/event.ts'
import { type RateSeries, seriesOf } from '../message/chart/series.ts'
import { svgOf } from '../message/chart/svg.ts'
import { altText } from '../message/chart/words.ts'
import { modelName } from '../message/render/words.ts'
import type { Language } from '../message/words/phrases.ts'
import { wordsOf } from '../message/words/words.ts'
import type { Clock } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'
import { None, noneFor, type ReadFigures } from '../record/figures/reader.ts'
import { readingsOf } from '../record/figures/readings.ts'
import { createRecent } from '../record/figures/recent.ts'
import type { History } from '../service/client/endpoints/history.ts'
import {
  inferUnitOfCounts,
  type RateName,
  type RateUnit,
  rateNamed,
} from '../service/client/readers/rates.ts'

/** In a storm, whose text is sent anyhow, no more pictures than these wait for each other. */
const mostWaiting = 4
const span = 90
/** Of fewer days nothing can be seen. */
const leastDays = 2
/** One picture for all channels of an alert that speak the same language: they are sent within seconds. */
const drawings = { most: 8, forMs: minuteMs, failedForMs: 0 }

export interface FiguresParts {
  read: ReadFigures
  /** `monitor.rates`. */
  rates: 'auto' | RateUnit
  clock: Clock
}

export interface PicturesParts extends FiguresParts {
  /** An SVG as a PNG; see chart/png.ts. */
  draw: (svg: string) => Promise<Uint8Array>
  onNone: (eventId: string, why: string) => void
}

/**
 * The last ninety days of an alert's model and category. Rejects with why there are none: of an unknown category, without a
 * history in time, or if the unit of the rates is only assumed.
 */
export function createFigures({
  read,
  rates,
  clock,
}: FiguresParts): (alert: AlertEvent) => Promise<PublishedSeries> {
  return async (alert) => {
    const { model } = alert
    if (alert.version !== undefined) throw new None('only the version changed')
    const rate = rateNamed(alert.category)
    if (model === null || rate === undefined) throw new None('the model or the category is not known')
    if (alert.revises !== undefined && isFinding(alert)) throw new None('it withdraws what was found')
    const category = rate === 'overall' ? 'all' : rate
    const { history, readAt, unit, ...rest } = await read(model, { period: '90d', category }).catch(
      (error) => {
        throw noneFor(error)
      },
    )
    const series = seriesFrom(history, {
      alert,
      rate,
      unit: unit ?? unitIn(history, rate, rates),
      now: clock.now(),
    })
    if (series === undefined) throw new None('the unit of the rates is not known')
    if (series.days.length < leastDays) throw new None('there is no history')
    return { series, readAt: new Date(readAt).toISOString(), ...rest }
  }
}

/** Of what the published figures show about an alert, a picture, or none. Never rejects. */
export function createPictures(parts: PicturesParts, figures = createFigures(parts)): Pictures {
  const { draw, clock, onNone } = parts
  const drawn = createRecent<Promise<Picture>>(drawings, clock)
  let turn: Promise<unknown> = Promise.resolve()
  let waiting = 0

  /** One at a time: each is a process of 150 MB. */
  async function inTurn(svg: string): Promise<Uint8Array> {
    if (waiting >= mostWaiting) throw new None('too many others wait to be drawn')
    waiting += 1
    const png = turn.then(() => draw(svg)).finally(() => (waiting -= 1))
    turn = png.catch(() => undefined)
    return png
  }

  async function make(alert: AlertEvent, look: Look, language: Language): Promise<Picture> {
    const { series, outdated } = await figures(alert)
    if (outdated !== undefined) throw new None(outdated)
    const words = wordsOf(language)
    const said = { ...series, model: modelName(alert.model, words) }
    return drawn(JSON.stringify([alert.id, look, language]), async () => ({
      png: await inTurn(svgOf(said, look, words)),
      title: words.say('lastDays', { days: span }),
      alt: altText(said, words),
    }))
  }

  return (alert, look, language) =>
    make(alert, look, language).catch((error: unknown) => {
      const said = error instanceof None ? (error.cause ?? error) : error
      onNone(alert.id, said instanceof Error ? said.message : 'an unexpected error')
      return undefined
    })
}

interface ChartRequest {
  alert: AlertEvent
  rate: RateName
  unit: RateUnit | undefined
  now: number
}

/** Undefined where it could only be assumed. */
export function unitIn(history: History, rate: RateName, rates: 'auto' | RateUnit): RateUnit | undefined {
  const counts = history.points.flatMap(({ rates: of, sampleSizes }) =>
    of[rate] === null ? [] : [{ rate: of[rate], sampleSize: sampleSizes[rate] ?? history.sampleSizes[rate] }],
  )
  return rates === 'auto' ? inferUnitOfCounts(counts) : rates
}

function seriesFrom(history: History, { alert, rate, unit, now }: ChartRequest): RateSeries | undefined {
  if (unit === undefined) return undefined
  const levels = rateNamed(alert.figures?.levels?.category) === rate ? alert.figures?.levels : undefined
  const at = Date.parse(alert.detectedAt ?? levels?.since ?? '')
  return seriesOf({
    ...readingsOf(history, rate, unit),
    model: modelName(alert.model),
    category: rate,
    span,
    now,
    change: Number.isNaN(at) ? undefined : { at, before: levels?.before.rate ?? null },
  })
}
