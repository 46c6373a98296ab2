import type { Bin } from './state.ts'

/** The bins in which a rate was read, as they are judged. */
export interface Point {
  index: number
  bin: Bin
  /** Days before the newest reading; zero or less. */
  day: number
  weight: number
  value: number
}

/** What comes from some reading on, as it shrinks reading by reading. */
export class Rest {
  readings = 0
  prompts = 0
  #y = 0
  #x = 0
  readonly #points: Point[]
  #begin = 0
  readonly #noise: number

  constructor(points: readonly Point[], noise: number) {
    this.#points = [...points]
    this.#noise = noise
    for (const point of points) this.#add(point, 1)
  }

  get mean(): number {
    return this.#y / this.prompts
  }

  get day(): number {
    return this.#x / this.prompts
  }

  /** What the mean owes to single readings that are further from the baseline than so many standard errors. */
  excess(baseline: number, direction: 1 | -1, most: number): number {
    if (most === Number.POSITIVE_INFINITY) return 0
    let excess = 0
    for (let index = this.#begin; index < this.#points.length; index++) {
      const point = this.#points[index]
      if (point === undefined) break
      const far = direction * (point.value - baseline)
      const limit = most * Math.sqrt((this.#noise * point.bin.readings) / point.weight)
      if (far > limit) excess += point.weight * (far - limit)
    }
    return excess / this.prompts
  }

  remove(point: Point): void {
    this.#begin += 1
    this.#add(point, -1)
  }

  #add({ bin, weight, value, day }: Point, sign: 1 | -1): void {
    this.readings += sign * bin.readings
    this.prompts += sign * weight
    this.#y += sign * weight * value
    this.#x += sign * weight * day
  }
}
