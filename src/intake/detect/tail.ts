import { upperTail } from './scale.ts'

/** What is expected of the readings after a step, and what they are worth. */
export interface ExpectedReadings {
  direction: 1 | -1
  /** Stabilised rate without a step. */
  level: number
  /** Prompts of one reading, as the rate was stabilised, and readings. */
  n: number
  readings: number
  /** Prompts of an exact baseline and of binomial noise that would leave the same standard error. */
  prompts: number
}

/** Beyond so many standard errors the chances are too small for a number, and the shape of the tail is no matter. */
const furthest = 30
/** Halvings of the interval in which the count is: to a millionth of a prompt in some thousand. */
const halvings = 32

/**
 * Standard errors on the stabilised scale by which a binomial count must differ from what is expected to be as rare as a
 * standard normal value of `normal` and more; infinite where no count is. At both ends of the scale alike: a fall of the
 * refused is a rise of the answered.
 */
export function binomialQuantile(
  normal: number,
  { direction, level, n, readings, prompts }: ExpectedReadings,
): number {
  if (normal > furthest) return normal
  // Of the answered prompts, where it is a fall: the scale ends at π.
  const from = direction === 1 ? level : Math.PI - level
  const rate = meanRate(from, n)
  const chance = upperTail(normal)
  if (chanceAbove(prompts, prompts, rate) > chance) return Number.POSITIVE_INFINITY
  let [low, high] = [prompts * rate, prompts]
  for (let halving = 0; halving < halvings; halving++) {
    const middle = (low + high) / 2
    if (chanceAbove(middle, prompts, rate) > chance) low = middle
    else high = middle
  }
  return (stabilisedMean(high / prompts, n, readings) - from) * Math.sqrt(prompts)
}

/** Where so few refusals are expected of a reading, one more or less is what the history can tell. */
const fewest = 1 / 8

/**
 * The rate of which stabilised readings of n prompts have this mean: the transformation bends, so that the mean of many
 * is an eighth of a prompt off where a single one is three eighths.
 */
function meanRate(stabilised: number, n: number): number {
  const rate = (Math.sin(stabilised / 2) ** 2 * (n + 1 / 4) - 1 / 8) / n
  return Math.min(Math.max(rate, fewest / n), 1 - fewest / n)
}

/** The mean of so many stabilised readings of n prompts that have this rate together: of one, the stabilised rate itself. */
function stabilisedMean(rate: number, n: number, readings: number): number {
  const offset = 1 / 8 + 1 / (4 * readings)
  return 2 * Math.asin(Math.sqrt(Math.min(1, (rate * n + offset) / (n + 2 * offset))))
}

/**
 * Chance of a count of this and more, which counts half itself ("mid-P": Lancaster, Journal of the American Statistical
 * Association 56, 1961): neither more nor less than the chance that is asked for, over all rates.
 */
function chanceAbove(count: number, prompts: number, rate: number): number {
  const more = count + 0.5 < prompts ? upperTail(normalOf(count, prompts, rate)) : 0
  return (upperTail(normalOf(count - 1, prompts, rate)) + more) / 2
}

/**
 * The standard normal value below which a value is as likely as a binomial count of no more than this, of prompts whose
 * number need not be whole (Peizer and Pratt, Journal of the American Statistical Association 63, 1968): the chance is
 * right to 5 percent where one prompt in two is expected, to a thousandth from a hundred on.
 */
export function normalOf(count: number, prompts: number, rate: number): number {
  const other = 1 - rate
  const [above, below] = [count + 0.5, prompts - count - 0.5]
  const distance =
    count +
    2 / 3 -
    (prompts + 1 / 3) * rate +
    0.02 * (other / (count + 1) - rate / (prompts - count) + (other - 0.5) / (prompts + 1))
  const spread = 1 + other * bend(above / (prompts * rate)) + rate * bend(below / (prompts * other))
  return distance * Math.sqrt(spread / ((prompts + 1 / 6) * rate * other))
}

function bend(ratio: number): number {
  if (ratio <= 0) return 1
  if (Math.abs(ratio - 1) < 1e-4) return (1 - ratio) / 3
  return (1 - ratio ** 2 + 2 * ratio * Math.log(ratio)) / (1 - ratio) ** 2
}
