import { yearMs } from '../../platform/durations.ts'
import type { ObservedRate } from './observation.ts'
import { upperQuantile, upperTail } from './scale.ts'

/** False alarms that a year of one model may have by chance, over all rates and both directions. */
const perYear = 0.08
/**
 * How that is spent. A rise of all prompts is what a newsroom waits for most, and 500 prompts show it best; what one
 * category alone does is seen in that category.
 */
const share: Record<'rise' | 'fall', Record<ObservedRate, number>> = {
  rise: { overall: 0.8, political: 0.04, safety: 0.04, social: 0.04 },
  fall: { overall: 0.02, political: 0.02, safety: 0.02, social: 0.02 },
}
/** The scans of neighbouring readings overlap; so many independent looks is one worth (measured on the simulation). */
const looksPerReading = 2

/**
 * The last reading, the last two, … are judged together. A step over more readings must be clearer by this much, in units of
 * twice the log-likelihood. Most false alarms would be long, and a step that matters shows within a few readings.
 */
const penalty = 1.25

/** What makes a difference of so many standard errors less surprising than the normal distribution says. */
interface NoiseDoubt {
  /** Part of the noise that was learnt and is not binomial, from 0 to 1; and from how many independent pieces. */
  learnt: number
  pieces: number
  /** By how much means of readings vary more than independent ones would, at the longest; 0 if they do not. */
  dependence: number
}

/** Where readings hang together, what is learnt of it holds only on average: every threshold is higher by this part, */
const doubtDependent = 0.12
/** fully so from this dependence on. */
export const fullyDependent = 0.3

/** Standard errors that a single reading must exceed. `interval` between readings in milliseconds: more looks, a higher threshold. */
export function firstThreshold(rate: ObservedRate, direction: 1 | -1, interval: number): number {
  const looks = (yearMs / Math.max(interval, 1_000)) * looksPerReading
  return upperQuantile((perYear * share[direction === 1 ? 'rise' : 'fall'][rate]) / looks)
}

/**
 * How many standard errors a step of so many readings needs, if they are normally distributed. It needs more for more
 * readings, and if few independent pieces show the noise (Student's t, its first two terms).
 */
export function normalThreshold(
  first: number,
  readings: number,
  { learnt, pieces, dependence }: NoiseDoubt,
): number {
  const doubt = 1 + doubtDependent * Math.min(1, dependence / fullyDependent)
  const plain = doubt * Math.sqrt(first ** 2 + penalty * Math.log(readings))
  const free = Math.max(pieces, 2)
  const heavy =
    (plain ** 3 + plain) / (4 * free) + (5 * plain ** 5 + 16 * plain ** 3 + 3 * plain) / (96 * free ** 2)
  return plain + learnt * heavy
}

/** The same for refusals, which are binomial. */
export function threshold(first: number, expected: ExpectedReadings, doubt: NoiseDoubt): number {
  return binomialQuantile(normalThreshold(first, expected.readings, doubt), expected)
}

/** What is expected of the readings after a step, and what they are worth. */
interface ExpectedReadings {
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
 * By how many standard errors on the stabilised scale a binomial count must differ from the expected one. It is then as rare
 * as a standard normal value of `normal` or more. Infinite if no count is that rare. Both ends of the scale are alike: a
 * fall of the refused is a rise of the answered.
 */
export function binomialQuantile(
  normal: number,
  { direction, level, n, readings, prompts }: ExpectedReadings,
): number {
  if (normal > furthest) return normal
  // A fall counts the answered prompts: the scale ends at π.
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
 * The rate whose stabilised readings of n prompts have this mean. The transformation is not linear: it moves a single reading
 * by three eighths of a prompt, and the mean of many by an eighth.
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
 * Chance of this count or more, with half the chance of the count itself ("mid-P": Lancaster, Journal of the American
 * Statistical Association 56, 1961). Over all rates this gives exactly the requested chance.
 */
function chanceAbove(count: number, prompts: number, rate: number): number {
  const more = count + 0.5 < prompts ? upperTail(normalOf(count, prompts, rate)) : 0
  return (upperTail(normalOf(count - 1, prompts, rate)) + more) / 2
}

/**
 * The standard normal value that is as rare as a binomial count of no more than this. The number of prompts need not be
 * whole (Peizer and Pratt, Journal of the American Statistical Association 63, 1968). If half a refusal is expected, the
 * chance is right to 5 percent; from a hundred on, to a thousandth.
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
