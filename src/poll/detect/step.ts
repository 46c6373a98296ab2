import { dayMs } from './bins.ts'
import { noiseOf } from './noise.ts'
import type { RateName } from './observation.ts'
import { median, rateAt, shrinkFactor } from './scale.ts'
import type { Bin, Chart } from './state.ts'
import { penaltyFor } from './threshold.ts'

/** The best case for a step: the newest readings against those before them. */
export interface Step {
  rate: RateName
  direction: 1 | -1
  /** Index in the bins of the first reading after the step, and when that was. */
  index: number
  since: number
  readings: number
  /** Prompts behind the readings after the step, all together. */
  prompts: number
  /** Stabilised rates: the mean after it, and the baseline. */
  after: number
  before: number
  baselineReadings: number
  baselinePrompts: number
  baselineFrom: number
  /** Change of the baseline that its drift explains, on the stabilised scale. */
  drift: number
  /** Variance as a multiple of the binomial. */
  noise: number
  standardErrors: number
}

/** Readings on which the first baseline stands at least, */
const leastBaseline = 7
/** and on which the one after a change does. */
const leastAfterChange = 2
/** A step that began longer ago is part of the baseline. */
const longestDays = 10
/** One reading in the baseline counts as at most so many standard errors. */
const clip = 3.5
/** Readings from which a drift can be told: the slope through ten of them is wrong by six points a month. */
const leastForDrift = 28
/** Standard errors within which a drift is taken for noise; at 2, drifts were taken for steps twice as often. */
const doubtDrift = 1
/** Most readings differ from nothing; the careful comparison, six times as long, is for those that may. Standard errors. */
const worthALook = 2.5
/** One low reading may be a glitch, and alone is below every threshold at this: a fall is told when the next agrees. */
const clipLow = 4

interface Point {
  index: number
  bin: Bin
  /** Days before the newest reading; zero or less. */
  day: number
  weight: number
  value: number
}

/** The strongest rise and the strongest fall that end at the newest reading; fewer where there is too little to tell. */
export function steps(bins: readonly Bin[], rate: RateName, chart: Chart, n: number): Step[] {
  const newest = bins.at(-1)
  if (newest === undefined || newest.weight[rate] === 0) return []
  if (plainStandardErrors(bins, rate, chart, n) < worthALook) return []
  const points = pointsOf(bins, rate, chart.from)
  const middle = median(points.map(({ value }) => value))
  const noise = noiseOf(chart, rateAt(middle, n), n)
  const least = chart.from > 0 ? leastAfterChange : leastBaseline
  const best: { 1: Candidate | null; '-1': Candidate | null } = { 1: null, '-1': null }
  const base = new Baseline(middle, noise)
  const rest = new Rest(points, middle, noise)
  for (const point of points) {
    if (base.readings >= least && point.day >= -longestDays) {
      const direction = rest.mean > base.mean ? 1 : -1
      const { change, drift, variance } = base.compare(direction === 1 ? rest.mean : rest.clipped, rest.day)
      const error = Math.sqrt(noise * (1 / rest.prompts + variance))
      const standardErrors = Math.max(0, (direction * change) / error)
      const score = standardErrors ** 2 - penaltyFor(rest.readings)
      if (score > (best[direction]?.score ?? 0)) {
        best[direction] = {
          score,
          direction,
          index: point.index,
          since: point.bin.from,
          readings: rest.readings,
          prompts: rest.prompts,
          after: rest.mean,
          before: base.mean,
          baselineReadings: base.readings,
          baselinePrompts: base.prompts,
          drift,
          standardErrors,
        }
      }
    }
    rest.remove(point)
    base.add(point)
  }
  const baselineFrom = points[0]?.bin.from ?? newest.from
  return [best[1], best[-1]].flatMap((one) => (one === null ? [] : [{ ...one, rate, noise, baselineFrom }]))
}

/** The largest difference of the newest readings to all before them, with no regard to outliers, drift or how long it is. */
function plainStandardErrors(bins: readonly Bin[], rate: RateName, chart: Chart, n: number): number {
  let [prompts, sum] = [0, 0]
  for (const bin of bins) {
    if (bin.from < chart.from) continue
    prompts += bin.weight[rate]
    sum += bin.sum[rate]
  }
  const noise = noiseOf(chart, rateAt(sum / prompts, n), n)
  let [newer, newerSum, largest] = [0, 0, 0]
  for (let index = bins.length - 1; index > 0; index--) {
    const bin = bins[index]
    if (bin === undefined || bin.from < chart.from) break
    newer += bin.weight[rate]
    newerSum += bin.sum[rate]
    const older = prompts - newer
    if (newer === 0 || older <= 0) continue
    const apart = newerSum / newer - (sum - newerSum) / older
    largest = Math.max(largest, apart ** 2 / (1 / newer + 1 / older))
  }
  return Math.sqrt(largest / noise)
}

type Candidate = Omit<Step, 'rate' | 'noise' | 'baselineFrom'> & { score: number }

function pointsOf(bins: readonly Bin[], rate: RateName, from: number): Point[] {
  const end = bins.at(-1)?.to ?? 0
  const points: Point[] = []
  for (let index = 0; index < bins.length; index++) {
    const bin = bins[index]
    if (bin === undefined || bin.from < from) continue
    const weight = bin.weight[rate]
    if (weight > 0)
      points.push({ index, bin, weight, day: (bin.to - end) / dayMs, value: bin.sum[rate] / weight })
  }
  return points
}

/** What comes from some reading on, as it shrinks reading by reading. */
class Rest {
  readings = 0
  prompts = 0
  #y = 0
  #low = 0
  #x = 0
  readonly #middle: number
  readonly #noise: number

  constructor(points: readonly Point[], middle: number, noise: number) {
    this.#middle = middle
    this.#noise = noise
    for (const point of points) this.#add(point, 1)
  }

  get mean(): number {
    return this.#y / this.prompts
  }

  get day(): number {
    return this.#x / this.prompts
  }

  /** The mean where one low reading counts as at most so many standard errors. */
  get clipped(): number {
    return this.#low / this.prompts
  }

  remove(point: Point): void {
    this.#add(point, -1)
  }

  #add({ bin, weight, value, day }: Point, sign: 1 | -1): void {
    const least = this.#middle - clipLow * Math.sqrt((this.#noise * bin.readings) / weight)
    this.readings += sign * bin.readings
    this.prompts += sign * weight
    this.#y += sign * weight * value
    this.#low += sign * weight * Math.max(value, least)
    this.#x += sign * weight * day
  }
}

/** Weighted mean and straight line through what came before the step, as it grows reading by reading. */
class Baseline {
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

  add({ bin, weight, day, value }: Point): void {
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
  compare(level: number, day: number): { change: number; drift: number; variance: number } {
    const whole = level - this.mean
    const plain = { change: whole, drift: 0, variance: 1 / this.#weight }
    const spread = this.#xx - this.#x ** 2 / this.#weight
    if (this.readings < leastForDrift || spread <= 0) return plain
    const slope = (this.#xy - (this.#x * this.#y) / this.#weight) / spread
    const trust = shrinkFactor(slope, Math.sqrt(this.#noise / spread), doubtDrift)
    const ahead = day - this.#x / this.#weight
    const drift = trust * slope * ahead
    if (drift * whole <= 0) return plain
    const change = Math.abs(drift) < Math.abs(whole) ? whole - drift : 0
    return { change, drift, variance: 1 / this.#weight + (trust * ahead) ** 2 / spread }
  }
}
