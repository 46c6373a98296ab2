import { shrinkFactor } from './scale.ts'
import type { Bin } from './state.ts'

/** One reading in the baseline counts as at most so many standard errors. */
const clip = 3.5
/** A drift shows from so many readings on: the slope through ten of them is wrong by six points a month. */
const leastForDrift = 28
/**
 * Within so many standard errors a drift counts as noise. We compared 2 with 1. Of +5 within five readings, 2 finds 0.940, 3.1
 * readings late; 1 finds 0.923, 3.4 readings late (300 trials). Of steady drifts of 3 to 10 points, 2 takes 10 % for a step,
 * and 1 takes 6 % (180 histories).
 */
const doubtDrift = 2

export interface BaselineDifference {
  /** What is left of the difference when the drift has explained what it can, */
  change: number
  /** and what the drift was wrong by, which may be the other way. */
  rest: number
  drift: number
  variance: number
}

/** Weighted mean and straight line through what came before the step, as it grows reading by reading. */
export class Baseline {
  readings = 0
  #weight = 0
  #y = 0
  #x = 0
  #xx = 0
  #xy = 0
  readonly #middle: number
  readonly #noise: number

  constructor(middle: number, noise: number) {
    this.#middle = middle
    this.#noise = noise
  }

  get prompts(): number {
    return this.#weight
  }

  get mean(): number {
    return this.#y / this.#weight
  }

  add({ bin, weight, day, value }: Omit<RatePoint, 'index'>): void {
    const most = clip * Math.sqrt(this.#noise / weight)
    const y = Math.min(Math.max(value, this.#middle - most), this.#middle + most)
    this.readings += bin.readings
    this.#weight += weight
    this.#y += weight * y
    this.#x += weight * day
    this.#xx += weight * day * day
    this.#xy += weight * day * y
  }

  /**
   * The difference of later readings to the baseline, less what the baseline's own drift explains of it, as far as the
   * drift is more than noise. `variance` is that of the baseline, as a multiple of the noise.
   */
  compare(level: number, day: number): BaselineDifference {
    const whole = level - this.mean
    const plain = { change: whole, rest: whole, drift: 0, variance: 1 / this.#weight }
    const spread = this.#xx - this.#x ** 2 / this.#weight
    if (this.readings < leastForDrift || spread <= 0) return plain
    const slope = (this.#xy - (this.#x * this.#y) / this.#weight) / spread
    const trust = shrinkFactor(slope, Math.sqrt(this.#noise / spread), doubtDrift)
    const ahead = day - this.#x / this.#weight
    const drift = trust * slope * ahead
    if (drift * whole <= 0) return plain
    const change = Math.abs(drift) < Math.abs(whole) ? whole - drift : 0
    return { change, rest: whole - drift, drift, variance: 1 / this.#weight + (trust * ahead) ** 2 / spread }
  }
}

/** The bins in which a rate was read, as they are judged. */
export interface RatePoint {
  index: number
  bin: Bin
  /** Days before the newest reading; zero or less. */
  day: number
  weight: number
  value: number
}

/** What comes from some reading on, as it shrinks reading by reading. */
export class LaterReadings {
  readings = 0
  prompts = 0
  #y = 0
  #x = 0
  readonly #points: RatePoint[]
  #begin = 0

  constructor(points: readonly RatePoint[]) {
    this.#points = [...points]
    for (const point of points) this.#add(point, 1)
  }

  get mean(): number {
    return this.#y / this.prompts
  }

  get day(): number {
    return this.#x / this.prompts
  }

  /**
   * How far extreme measurements move the mean. A measurement is extreme if it is more than `most` / √(its prompts) from the
   * baseline. Each is part of `window` readings.
   */
  excess(baseline: number, direction: 1 | -1, most: number, window = 1): number {
    if (most === Number.POSITIVE_INFINITY) return 0
    const points = this.#points.slice(this.#begin)
    const together = Math.min(window, points.length)
    const added: number[] = []
    let before = 0
    let excess = 0
    for (const [index, { bin, weight, value }] of points.entries()) {
      const far = direction * (value - baseline)
      // The new measurement moved this reading further off than the last; the one that left the window moved it back.
      const deviation = far - before + (added[index - window] ?? 0)
      const limit = most * Math.sqrt(bin.readings / weight / together)
      const showing = deviation > limit ? points.slice(index, index + window) : []
      for (const point of showing) excess += point.weight * (deviation - limit)
      added.push(deviation)
      before = far
    }
    return excess / this.prompts
  }

  /** Whether just so many readings have come, two at least, and each after the first shows more than half of what that shows. */
  agrees(baseline: number, direction: 1 | -1, readings: number): boolean {
    if (readings < 2 || this.readings !== readings || this.#points.length - this.#begin !== readings)
      return false
    const [first = 0, ...later] = this.#points
      .slice(this.#begin)
      .map(({ value }) => direction * (value - baseline))
    return first > 0 && later.every((far) => far > first / 2)
  }

  remove(point: RatePoint): void {
    this.#begin += 1
    this.#add(point, -1)
  }

  #add({ bin, weight, value, day }: RatePoint, sign: 1 | -1): void {
    this.readings += sign * bin.readings
    this.prompts += sign * weight
    this.#y += sign * weight * value
    this.#x += sign * weight * day
  }
}
