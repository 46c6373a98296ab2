import type { Picture } from '../channels/picture.ts'
import { altText } from '../chart/alt.ts'
import { readingsOf } from '../chart/of-history.ts'
import { type Series, seriesOf } from '../chart/series.ts'
import { svgOf } from '../chart/svg.ts'
import type { MonitorClient } from '../client/client.ts'
import type { History, HistoryQuery } from '../client/endpoints/history.ts'
import { inferUnitOfCounts, type RateName, type RateUnit, rateNamed } from '../client/readers/rates.ts'
import { after, type Clock } from '../clock.ts'
import type { Pictures } from '../deliver/parts.ts'
import { minuteMs } from '../durations.ts'
import { type AlertEvent, isFinding } from '../event/event.ts'
import { modelName } from '../render/words.ts'
import { createRecent } from './recent.ts'

/** What has not come or is not drawn by then is done without. */
const patienceMs = 3_000
const span = 90
/** Of fewer days nothing can be seen. */
const leastDays = 2
/** A storm of alerts is about a few models and categories: one history serves them all. */
const histories = { most: 20, forMs: minuteMs }
/** One picture for all channels of an alert: they are sent within seconds. */
const drawings = { most: 8, forMs: minuteMs }

export interface PicturesParts {
  client: Pick<MonitorClient, 'history'>
  /** Whether a request may be spent on a picture. */
  maySpend: () => Promise<boolean>
  /** `monitor.rates`. */
  rates: 'auto' | RateUnit
  /** An SVG as a PNG; see chart/png.ts. */
  draw: (svg: string, signal: AbortSignal) => Promise<Uint8Array>
  clock: Clock
  onNone: (eventId: string, why: string) => void
}

/**
 * The last ninety days of an alert's model and category as a picture, within three seconds, or none: of an unknown
 * category, without a history, or where the unit of the rates is only assumed. Never rejects.
 */
export function createPictures(parts: PicturesParts): Pictures {
  const { clock, onNone } = parts
  const found = createRecent<Promise<History | undefined>>(histories, clock)
  const drawn = createRecent<Promise<Picture>>(drawings, clock)
  let turn: Promise<unknown> = Promise.resolve()

  async function historyOf(
    model: string,
    category: Required<HistoryQuery>['category'],
    signal: AbortSignal,
  ): Promise<History | undefined> {
    if (!(await parts.maySpend())) return undefined
    return parts.client.history(model, { period: '90d', category }, signal)
  }

  /** One at a time: each is a process of 150 MB. Who would wait too long does without. */
  function inTurn(svg: string, signal: AbortSignal): Promise<Uint8Array> {
    const png = turn.then(() => {
      signal.throwIfAborted()
      return parts.draw(svg, signal)
    })
    turn = png.catch(() => undefined)
    return png
  }

  async function make(
    alert: AlertEvent,
    look: Parameters<Pictures>[1],
    signal: AbortSignal,
  ): Promise<Picture | string> {
    const rate = rateNamed(alert.category)
    if (alert.model === null || rate === undefined) return 'the model or the category is not known'
    if (alert.revises !== undefined && isFinding(alert)) return 'it withdraws what was found'
    const { model } = alert
    const category = rate === 'overall' ? 'all' : rate
    const history = await found(JSON.stringify([model, category]), () => historyOf(model, category, signal))
    if (history === undefined) return 'the requests that are left are kept for polling'
    const series = seriesFrom(history, { alert, rate, rates: parts.rates, now: clock.now() })
    if (series === undefined) return 'the unit of the rates is not known'
    if (series.days.length < leastDays) return 'there is no history'
    return drawn(JSON.stringify([alert.id, look]), async () => ({
      png: await inTurn(svgOf(series, look), signal),
      alt: altText(series),
    }))
  }

  return async (alert, look) => {
    const late = new AbortController()
    const inTime = after(clock, patienceMs, () => late.abort())
    const tooLate = new Promise<string>((resolve) => {
      late.signal.addEventListener('abort', () => resolve('it was not there in time'), { once: true })
    })
    try {
      const made = await Promise.race([make(alert, look, late.signal), tooLate])
      if (typeof made !== 'string') return made
      onNone(alert.id, made)
    } catch (error) {
      onNone(alert.id, error instanceof Error ? error.message : 'an unexpected error')
    } finally {
      inTime()
    }
    return undefined
  }
}

interface Shown {
  alert: AlertEvent
  rate: RateName
  rates: 'auto' | RateUnit
  now: number
}

function seriesFrom(history: History, { alert, rate, rates, now }: Shown): Series | undefined {
  const counts = history.points.flatMap(({ rates: of, sampleSizes }) =>
    of[rate] === null ? [] : [{ rate: of[rate], sampleSize: sampleSizes[rate] ?? history.sampleSizes[rate] }],
  )
  const unit = rates === 'auto' ? inferUnitOfCounts(counts) : rates
  if (unit === undefined) return undefined
  const levels = rateNamed(alert.figures?.levels?.category) === rate ? alert.figures?.levels : undefined
  const at = Date.parse(levels?.since ?? alert.detectedAt ?? '')
  return seriesOf({
    ...readingsOf(history, rate, unit),
    model: modelName(alert.model),
    category: rate,
    span,
    now,
    change: Number.isNaN(at) ? undefined : { at, before: levels?.before.rate ?? null },
  })
}
