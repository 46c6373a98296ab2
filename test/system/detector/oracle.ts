import { type Chance, chance } from './chance.ts'

/**
 * The CUSUM of a binomial count that is given the rate before and after. No rule finds the step sooner at the
 * same rate of false alarms (Moustakides, Annals of Statistics 14, 1986).
 */
export class Oracle {
  readonly limit: number
  readonly #gain: number
  readonly #cost: number

  constructor(n: number, before: number, after: number, limit: number) {
    this.#gain = Math.log((after * (1 - before)) / (before * (1 - after)))
    this.#cost = n * Math.log((1 - after) / (1 - before))
    this.limit = limit
  }

  /** The statistic after one more reading. */
  next(statistic: number, refused: number): number {
    return Math.max(0, statistic) + refused * this.#gain + this.#cost
  }
}

/** The oracle that gives one false alarm in so many readings, found by running it until it has given about so many `alarms`. */
export function tunedOracle(
  n: number,
  before: number,
  after: number,
  readingsPerAlarm: number,
  alarmsWanted = 400,
): Oracle {
  const draw = binomialTable(n, before)
  let [low, high] = [0, 20]
  for (let halving = 0; halving < 14; halving++) {
    const oracle = new Oracle(n, before, after, (low + high) / 2)
    const random = chance(424_242, 9)
    const readings = alarmsWanted * readingsPerAlarm
    let [alarms, statistic] = [0, 0]
    for (let reading = 0; reading < readings; reading++) {
      statistic = oracle.next(statistic, draw(random))
      if (statistic < oracle.limit) continue
      alarms++
      statistic = 0
    }
    if (alarms > readings / readingsPerAlarm) low = oracle.limit
    else high = oracle.limit
  }
  return new Oracle(n, before, after, (low + high) / 2)
}

/** Draws binomial counts by their distribution function, which for one rate is much quicker than prompt by prompt. */
export function binomialTable(n: number, p: number): (random: Chance) => number {
  const cumulative = new Float64Array(n + 1)
  let chanceOfThis = (1 - p) ** n
  let sum = 0
  for (let count = 0; count <= n; count++) {
    sum += chanceOfThis
    cumulative[count] = sum
    chanceOfThis *= ((n - count) / (count + 1)) * (p / (1 - p))
  }
  const start = Math.max(0, Math.floor(n * p - 4 * Math.sqrt(n * p * (1 - p))))
  return (random) => {
    const value = random()
    let count = value < (cumulative[start] ?? 0) ? 0 : start
    while (count < n && (cumulative[count] ?? 1) < value) count++
    return count
  }
}
