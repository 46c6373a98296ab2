import type { Look, Picture } from '../channels/channel.ts'
import type { PublishedSeries } from '../console/parts.ts'
import type { Pictures } from '../deliver/parts.ts'
import { type AlertEvent, isFinding } from '../event/event.ts'
import { pastSteps } from '../intake/poll/past-steps.ts'
import { seriesOf } from '../message/chart/series.ts'
import { svgOf } from '../message/chart/svg.ts'
import { altText } from '../message/chart/words.ts'
import { modelName } from '../message/render/words.ts'
import type { Language } from '../message/words/phrases.ts'
import { wordsOf } from '../message/words/words.ts'
import type { Clock } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'
import { oneAtATime } from '../platform/one-at-a-time.ts'
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

/** More pictures than these don't wait for each other: in a storm, the text is sent without one. */
const mostWaiting = 4
const span = 90
/** Of fewer days nothing can be seen. */
const leastDays = 2
/** One picture for all channels of an alert in one language: they are sent within seconds. */
const drawings = { most: 8, forMs: minuteMs, failedForMs: 0 }

interface FiguresParts {
  read: ReadFigures
  /** `monitor.rates`. */
  rates: 'auto' | RateUnit
  clock: Pick<Clock, 'now'>
}

/** A model's published refusal rate. */
export type ReadModelFigures = (model: string, rate: RateName) => Promise<PublishedSeries>

/** So many are kept for so long: pages show the same ones again and again. */
const remembered = { most: 40, forMs: minuteMs, failedForMs: 0 }

/**
 * The last ninety days of a model's rate, as far as they are stored. Rejects with why there are none: nothing is stored, or the unit of
 * the rates is only assumed.
 */
export function createStoredFigures(parts: FiguresParts): ReadModelFigures {
  const recent = createRecent<Promise<PublishedSeries>>(remembered, parts.clock)
  return (model, rate) => recent(`${model}/${rate}`, () => readSeries(parts, { model, rate }))
}

/** The same with the steps that they show. Not for lists: the detector works some 100 ms on ninety days. */
export function createModelFigures(
  stored: ReadModelFigures,
  { clock }: Pick<FiguresParts, 'clock'>,
): ReadModelFigures {
  const recent = createRecent<Promise<PublishedSeries>>(remembered, clock)
  async function make(model: string, rate: RateName): Promise<PublishedSeries> {
    const published = await stored(model, rate)
    return { ...published, steps: pastSteps(published.series.days, rate) }
  }
  return (model, rate) => recent(`${model}/${rate}`, () => make(model, rate))
}

/**
 * The last ninety days of an alert's model and category. Rejects with why there are none: the category is unknown, there is no
 * history in time, or the unit of the rates is only assumed.
 */
export function createAlertFigures(parts: FiguresParts): (alert: AlertEvent) => Promise<PublishedSeries> {
  return async (alert) => {
    const { model } = alert
    if (alert.version !== undefined) throw new None('only the version changed')
    const rate = rateNamed(alert.category)
    if (model === null || rate === undefined) throw new None('the model or the category is not known')
    if (alert.revises !== undefined && isFinding(alert)) throw new None('it withdraws what was found')
    const levels = rateNamed(alert.figures?.levels?.category) === rate ? alert.figures?.levels : undefined
    const at = Date.parse(alert.detectedAt ?? levels?.since ?? '')
    const change = Number.isNaN(at) ? undefined : { at, before: levels?.before.rate ?? null }
    return readSeries(parts, { model, rate, change })
  }
}

interface SeriesRequest {
  model: string
  rate: RateName
  change?: { at: number; before: number | null } | undefined
}

async function readSeries(
  { read, rates, clock }: FiguresParts,
  { model, rate, change }: SeriesRequest,
): Promise<PublishedSeries> {
  const category = rate === 'overall' ? 'all' : rate
  const answer = await read(model, { period: '90d', category }).catch((error) => {
    throw noneFor(error)
  })
  const { history, readAt, unit: statedUnit, ...rest } = answer
  const unit = statedUnit ?? unitIn(history, rate, rates)
  if (unit === undefined) throw new None('the unit of the rates is not known')
  const series = seriesOf({
    ...readingsOf(history, rate, unit),
    model: modelName(model),
    category: rate,
    span,
    now: clock.now(),
    change,
  })
  if (series.days.length < leastDays) throw new None('there is no history')
  return { series, readAt: new Date(readAt).toISOString(), ...rest }
}

/** Undefined if it could only be assumed. */
function unitIn(history: History, rate: RateName, rates: 'auto' | RateUnit): RateUnit | undefined {
  const counts = history.points.flatMap(({ rates: published, sampleSizes }) =>
    published[rate] === null
      ? []
      : [{ rate: published[rate], sampleSize: sampleSizes[rate] ?? history.sampleSizes[rate] }],
  )
  return rates === 'auto' ? inferUnitOfCounts(counts) : rates
}

export interface PicturesParts {
  figures(alert: AlertEvent): Promise<PublishedSeries>
  clock: Clock
  /** An SVG as a PNG; see chart/png.ts. */
  draw: (svg: string) => Promise<Uint8Array>
  onNone: (eventId: string, why: string) => void
}

/** A picture of what the published figures show about an alert, or none. Never rejects. */
export function createPictures({ figures, draw, clock, onNone }: PicturesParts): Pictures {
  const drawn = createRecent<Promise<Picture>>(drawings, clock)
  /** Each is a process of 150 MB. */
  const inTurn = oneAtATime()
  let waiting = 0

  async function drawInTurn(svg: string): Promise<Uint8Array> {
    if (waiting >= mostWaiting) throw new None('too many charts are waiting to be drawn')
    waiting += 1
    return inTurn(() => draw(svg)).finally(() => (waiting -= 1))
  }

  async function make(alert: AlertEvent, look: Look, language: Language): Promise<Picture> {
    const { series, outdated } = await figures(alert)
    if (outdated !== undefined) throw new None(outdated)
    const words = wordsOf(language)
    const named = { ...series, model: modelName(alert.model, words) }
    return drawn(JSON.stringify([alert.id, look, language]), async () => ({
      png: await drawInTurn(svgOf(named, look, words)),
      title: words.say('lastDays', { days: span }),
      alt: altText(named, words),
    }))
  }

  return (alert, look, language) =>
    make(alert, look, language).catch((error: unknown) => {
      const cause = error instanceof None ? (error.cause ?? error) : error
      onNone(alert.id, cause instanceof Error ? cause.message : 'an unexpected error')
      return undefined
    })
}
