import { type AnnouncedChange, type ModelName, type ModelRefusals, pointsIn } from './change.ts'
import {
  ask,
  categories,
  isCategory,
  mayDrift,
  moveChances,
  moveRefused,
  type PerGroup,
  type PromptCategory,
  rateOf,
  usualChances,
} from './prompts.ts'
import { between, pick, type Random, seededRandom, wholeNumber } from './random.ts'
import { type PromptReading, Readings, readingsPerDay } from './readings.ts'

/** Readings that the trend looks back on: a week. */
const trendOver = 7 * readingsPerDay
/** 8 percentage points are two to three standard errors of a rate over 100 or 200 prompts; less is not called a trend. */
const trendFrom = 0.08

type Trend = 'rising' | 'falling' | 'stable'

/** A model as last read. */
export interface LatestReading {
  model: ModelName
  trend: Trend
  reading: PromptReading
}

/** What a test may do to a model, to see how somebody copes. */
export interface ModelFault {
  /** It is not published at all, as if it were no longer monitored. */
  hide?: boolean | undefined
  /** No new reading of it is published: `last_updated` stands still, though the model may go on changing. */
  silent?: boolean | undefined
}

/** One model: how it refuses, and what was read of it. */
export class MonitoredModel {
  readonly name: ModelName
  readonly readings = new Readings()
  hidden = false
  silent = false
  readonly #random: Random
  #usual: PerGroup
  #now: PerGroup
  #drift: Drift
  #versionTenths: number
  /** The direction of the change that the last reading was published for. */
  #told: Trend | undefined

  constructor(name: ModelName, seed: number) {
    this.name = name
    this.#random = seededRandom(seed, name)
    this.#usual = usualChances(this.#random)
    this.#now = this.#usual
    this.#drift = nextDrift(this.#random)
    this.#versionTenths = wholeNumber(this.#random, 20, 54)
  }

  /** Grows by a tenth with each policy change. */
  get version(): string {
    return (this.#versionTenths / 10).toFixed(1)
  }

  refusals(): ModelRefusals {
    return { usual: this.#usual, now: this.#now, published: this.readings.last()?.refused ?? this.#now }
  }

  /** Undefined before the first reading. */
  latest(): LatestReading | undefined {
    const reading = this.readings.last()
    if (reading === undefined) return undefined
    return { model: this.name, trend: this.#told ?? trendOf(this.readings.latest(trendOver)), reading }
  }

  /** Asks it all prompts anew, after time for so many readings has passed. What it answers is drawn also while nothing is published, so that silence changes nothing else. */
  measure(at: number, passed: number): void {
    if (this.#drift.left <= 0) this.#drift = nextDrift(this.#random, this.#drift)
    this.#drift.left -= passed
    const { usual, now } = drifted({ usual: this.#usual, now: this.#now }, this.#drift, passed)
    this.#usual = usual
    this.#now = now
    this.#publish(at, ask(now, this.#random))
  }

  /**
   * Makes the change happen, and publishes the reading in which the service saw it. The category's rate moves by exactly
   * the change's delta, and the trend has its direction until the next change.
   */
  change({ type, category, delta }: AnnouncedChange, at: number): void {
    if (type === 'policy_change') this.#versionTenths++
    const { published } = this.refusals()
    const points = pointsIn(delta)
    if (points === undefined || !isCategory(category)) {
      this.#publish(at, published)
      return
    }
    this.#now = moveChances(this.#now, category, points)
    this.#publish(at, moveRefused(published, category, points))
    if (points !== 0 && !this.silent) this.#told = points > 0 ? 'rising' : 'falling'
  }

  #publish(at: number, refused: PerGroup): void {
    if (this.silent) return
    this.readings.add({ at, version: this.version, refused })
    this.#told = undefined
  }
}

/** The category that moved most in the last reading, against the mean of those before it. */
function trendOf(readings: readonly PromptReading[]): Trend {
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

/** A slow move of one category's rate, for weeks to months; nobody reports it. */
interface Drift {
  category: PromptCategory
  /** Percentage points from one reading to the next. */
  points: number
  /** Readings that it goes on for. */
  left: number
}

/** Every other one is a calm; the others move 2 to 5 percentage points in 6 to 20 weeks. */
function nextDrift(random: Random, last?: Drift): Drift {
  const left = readingsPerDay * wholeNumber(random, 6 * 7, 20 * 7)
  const size = between(random, 2, 5) * (random() < 0.5 ? -1 : 1)
  const calm = last === undefined || last.points !== 0
  return { category: pick(random, categories), points: calm ? 0 : size / left, left }
}

/** The chances of refusal so many readings later: what is usual moves, and what is now with it. */
function drifted(chances: { usual: PerGroup; now: PerGroup }, drift: Drift, readings: number) {
  const { category } = drift
  const points = drift.points * readings
  if (points === 0 || !mayDrift(chances.usual, category, points / 100)) return chances
  return {
    usual: moveChances(chances.usual, category, points),
    now: moveChances(chances.now, category, points),
  }
}
