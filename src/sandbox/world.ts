import {
  type Change,
  type ChangeWish,
  drawChange,
  isModel,
  type Model,
  models,
  pointsIn,
  type Refusals,
} from './change.ts'
import {
  ask,
  biasScore,
  categories,
  isCategory,
  moveChances,
  moveRefused,
  overallRate,
  type PerGroup,
  rateOf,
  sampleSize,
  usualChances,
} from './prompts.ts'
import { type Random, seededRandom, wholeNumber } from './random.ts'

/** Every model is measured four times a day, in the world's time. */
export const readingsPerDay = 4
const dayMs = 86_400_000
/** Readings that the trend looks back on: a week. */
const remembered = 7 * readingsPerDay
/** 8 percentage points are two to three standard errors of a rate over 100 or 200 prompts; less is not called a trend. */
const trendFrom = 0.08

type Trend = 'rising' | 'falling' | 'stable'

interface Reading {
  /** Milliseconds since the epoch. */
  at: number
  refused: PerGroup
}

interface Measured extends Refusals {
  /** Grows by a tenth with each policy change. */
  versionTenths: number
  trend: Trend
  /** Oldest first, never empty. */
  readings: Reading[]
  random: Random
}

/** The answer of `/monitoring/{model}/metrics`. Rates are fractions; the bias score lies between −1 and 1. */
export interface ModelMetrics {
  model: Model
  version: string
  metrics: {
    overall_refusal_rate: number
    political_refusal_rate: number
    safety_refusal_rate: number
    bias_score: number
  }
  trend: Trend
  last_updated: string
  sample_size: number
}

/**
 * Five models and how they refuse. Everything in it follows from the seed and the order of calls; only the
 * times are those of the clock.
 */
export class World {
  readonly #measured: ReadonlyMap<string, Measured>
  readonly #random: Random

  /** `now` is milliseconds since the epoch: when the last of a week's readings was taken. */
  constructor(seed: number, now: number) {
    this.#random = seededRandom(seed, 'changes')
    this.#measured = new Map(models.map((model) => [model, begin(seededRandom(seed, model), now)]))
  }

  metrics(model: string): ModelMetrics | undefined {
    const measured = this.#measured.get(model)
    if (measured === undefined || !isModel(model)) return undefined
    const { published } = measured
    return {
      model,
      version: (measured.versionTenths / 10).toFixed(1),
      metrics: {
        overall_refusal_rate: overallRate(published),
        political_refusal_rate: rateOf(published, 'political'),
        safety_refusal_rate: rateOf(published, 'safety'),
        bias_score: biasScore(published),
      },
      trend: measured.trend,
      last_updated: new Date(measured.readings.at(-1)?.at ?? 0).toISOString(),
      sample_size: sampleSize,
    }
  }

  /** Asks every model all prompts anew. */
  measure(at: number): void {
    for (const measured of this.#measured.values()) {
      publish(measured, { at, refused: ask(measured.now, measured.random) })
    }
  }

  /** What happens next, as far as the wish leaves it open. Nothing has changed yet. */
  foresee(wish: ChangeWish): Change {
    return drawChange(wish, this.#measured, this.#random)
  }

  /**
   * Makes the change happen, and publishes the reading in which the service saw it: the category's rate moves
   * by exactly what the change says, and the trend is its direction until the next. A change of what the world does not have moves nothing.
   */
  happen(change: Change, at: number): void {
    const measured = this.#measured.get(change.model)
    if (measured === undefined) return
    if (change.type === 'policy_change') measured.versionTenths++
    const points = pointsIn(change.delta)
    if (points === undefined || !isCategory(change.category)) return
    measured.now = moveChances(measured.now, change.category, points)
    publish(measured, { at, refused: moveRefused(measured.published, change.category, points) })
    if (points !== 0) measured.trend = points > 0 ? 'rising' : 'falling'
  }

  /** Readings until the world next changes by itself: a day of them on average, never less than half a day. */
  readingsUntilChange(): number {
    return wholeNumber(this.#random, readingsPerDay / 2, readingsPerDay * 1.5)
  }
}

function begin(random: Random, now: number): Measured {
  const usual = usualChances(random)
  const first = ask(usual, random)
  const measured: Measured = {
    usual,
    now: usual,
    published: first,
    versionTenths: wholeNumber(random, 20, 54),
    trend: 'stable',
    readings: [],
    random,
  }
  for (let back = remembered - 1; back >= 0; back--) {
    publish(measured, { at: now - (back * dayMs) / readingsPerDay, refused: ask(usual, random) })
  }
  return measured
}

function publish(measured: Measured, reading: Reading): void {
  measured.published = reading.refused
  measured.readings.push(reading)
  if (measured.readings.length > remembered) measured.readings.shift()
  measured.trend = trendOf(measured.readings)
}

/** The category that moved most in the last reading, against the mean of those before it. */
function trendOf(readings: readonly Reading[]): Trend {
  if (readings.length < 2) return 'stable'
  const moves = categories.map((category) => {
    const rates = readings.map((reading) => rateOf(reading.refused, category))
    const last = rates.pop() ?? 0
    return last - rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  })
  const most = moves.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a))
  if (most >= trendFrom) return 'rising'
  return most <= -trendFrom ? 'falling' : 'stable'
}
