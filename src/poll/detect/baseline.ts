import { shrinkFactor } from './scale.ts'
import type { Bin } from './state.ts'

/** One reading in the baseline counts as at most so many standard errors. */
const clip = 3.5
/** Readings from which a drift can be told: the slope through ten of them is wrong by six points a month. */
const leastForDrift = 28
/** Standard errors within which a drift is taken for noise; at 2, drifts were taken for steps twice as often. */
const doubtDrift = 1
/** What readings have lately differed by from those before them is remembered for about so many, quickly and slowly. */
const memories = [6, 30] as const
/** And within so many standard errors it is taken for what they always do. */
const doubtUnrest = 2
/** A difference of five standard errors and more counts as five. */
const cut = 25
const levelMemory = 10

interface Point {
  bin: Bin
  day: number
  weight: number
  value: number
}

export interface Comparison {
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
  #level = Number.NaN
  readonly #recent: [number, number] = [1, 1]
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

  /** How many times their usual variance the newest readings of it have; 1 unless that is clear. */
  get unrest(): number {
    let unrest = 1
    for (const [index, memory] of memories.entries()) {
      const excess = (this.#recent[index] ?? 1) - 1
      if (excess <= 0) continue
      const error = Math.sqrt(2 / (2 * memory - 1))
      unrest = Math.max(unrest, 1 + excess * shrinkFactor(excess, error, doubtUnrest))
    }
    return unrest
  }

  add({ bin, weight, day, value }: Point): void {
    const most = clip * Math.sqrt(this.#noise / weight)
    const y = Math.min(Math.max(value, this.#middle - most), this.#middle + most)
    if (bin.readings === 1 && this.readings >= 5) this.#remember(value, weight)
    this.readings += bin.readings
    this.#weight += weight
    this.#y += weight * y
    this.#x += weight * day
    this.#xx += weight * day * day
    this.#xy += weight * day * y
  }

  #remember(value: number, weight: number): void {
    if (Number.isNaN(this.#level)) this.#level = this.mean
    const square = ((value - this.#level) ** 2 * weight) / this.#noise / (1 + 1 / (2 * levelMemory - 1))
    for (const [index, memory] of memories.entries())
      this.#recent[index] =
        (this.#recent[index] ?? 1) + (Math.min(square, cut) - (this.#recent[index] ?? 1)) / memory
    this.#level += (value - this.#level) / levelMemory
  }

  /**
   * The difference of later readings to the baseline, less what the baseline's own drift explains of it, as far as the
   * drift is more than noise. `variance` is that of the baseline, as a multiple of the noise.
   */
  compare(level: number, day: number): Comparison {
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
