import type { Bin } from './state.ts'

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
   * What the mean owes to single measurements that are further from the baseline than `most` of one prompt is, over √ of
   * theirs. Each stands in `window` readings.
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
      // What it is further off than the one before is what came, less what went.
      const own = far - before + (added[index - window] ?? 0)
      const limit = most * Math.sqrt(bin.readings / weight / together)
      const showing = own > limit ? points.slice(index, index + window) : []
      for (const point of showing) excess += point.weight * (own - limit)
      added.push(own)
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
