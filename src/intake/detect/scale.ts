/**
 * A rate of `n` prompts on a scale that gives every rate the sampling variance 1/n. This is Anscombe's arcsine (Biometrika
 * 35, 1948), which also holds near 0 and 1.
 */
export function stabilise(rate: number, n: number): number {
  return 2 * Math.asin(Math.sqrt((rate * n + 3 / 8) / (n + 3 / 4)))
}

/** Back to a fraction from 0 to 1. */
export function rateAt(stabilised: number, n: number): number {
  const rate = (Math.sin(stabilised / 2) ** 2 * (n + 3 / 4) - 3 / 8) / n
  return Math.min(Math.max(rate, 0), 1)
}

/**
 * Factor from 0 to 1 that pulls an estimate to zero as far as it may be noise: the positive-part rule of James and Stein for
 * one coordinate. It is 0 within `doubt` standard errors, and nearly 1 at three times as many.
 */
export function shrinkFactor(estimate: number, standardError: number, doubt: number): number {
  return estimate === 0 ? 0 : Math.max(0, 1 - ((doubt * standardError) / estimate) ** 2)
}

/** The standard normal value that is exceeded with this chance (below ½); Abramowitz and Stegun 26.2.23, good to 0.0005. */
export function upperQuantile(chance: number): number {
  const t = Math.sqrt(-2 * Math.log(chance))
  return (
    t -
    (2.515517 + 0.802853 * t + 0.010328 * t ** 2) / (1 + 1.432788 * t + 0.189269 * t ** 2 + 0.001308 * t ** 3)
  )
}

function density(value: number): number {
  return Math.exp((-value * value) / 2) / Math.sqrt(2 * Math.PI)
}

/** Chance of a standard normal value above this: Laplace's continued fraction in the tail, a series in the middle. */
export function upperTail(value: number): number {
  if (value < 0) return 1 - upperTail(-value)
  if (value > 2.5) {
    let rest = value
    for (let term = 40; term > 0; term--) rest = value + term / rest
    return density(value) / rest
  }
  let [sum, term] = [value, value]
  for (let odd = 3; odd < 60; odd += 2) {
    term *= (value * value) / odd
    sum += term
  }
  return 0.5 - density(value) * sum
}

/** The middle value, of an even number the mean of the middle two; 0 of none. */
export function median(values: readonly number[]): number {
  const list = new Float64Array(values)
  const middle = list.length >> 1
  const upper = ranked(list, middle)
  if (list.length % 2 === 1 || list.length === 0) return upper
  return (upper + list.subarray(0, middle).reduce((most, value) => Math.max(most, value))) / 2
}

/**
 * The value that is in this place when the list is sorted; moves what is less before it (Hoare, Communications of the ACM
 * 4, 1961, "Find"). Each reading asks for thirty medians, which by sorting took a fifth of its time.
 */
function ranked(list: Float64Array, place: number): number {
  let [from, to] = [0, list.length - 1]
  while (from < to) {
    const pivot = list[place] ?? 0
    let [low, high] = [from, to]
    while (low <= high) {
      while ((list[low] ?? pivot) < pivot) low++
      while ((list[high] ?? pivot) > pivot) high--
      if (low > high) break
      const lower = list[low] ?? 0
      list[low] = list[high] ?? 0
      list[high] = lower
      low++
      high--
    }
    if (high < place) from = low
    if (place < low) to = high
  }
  return list[place] ?? 0
}

/** Of the normal distribution, 95 percent are within so many standard errors. */
const quantile = 1.96

/**
 * The likely size of a step of `seen` standard errors that was found because it exceeded `threshold`. A step that was only
 * just found is probably smaller than it looks. The size is the mean of `seen` and the most likely size given that it was
 * found (Zhong and Prentice, Biostatistics 9, 2008). The interval begins like the conditional one, at zero or above. Near
 * the threshold all of the conditional one is below zero, so the interval ends like the unconditional one. Later readings of
 * a change may not exceed the threshold. They were not selected, so they are not corrected, and their interval may reach
 * below zero. All in standard errors; the interval is of 95 percent.
 */
export function sizeOf(seen: number, threshold: number): { size: number; from: number; to: number } {
  const to = seen + quantile
  if (seen <= threshold) return { size: seen, from: seen - quantile, to }
  const most = seen + 5
  const conditional = solve(-2, most, (size) => size + hazard(threshold - size) - seen)
  const likely = Math.max(0, conditional)
  const from = solve(-8, most, (size) => upperTail(seen - size) / upperTail(threshold - size) - 0.025)
  return { size: (seen + likely) / 2, from: Math.max(0, from), to }
}

/** Where a rising function is zero; the nearer end if it is nowhere. */
function solve(least: number, most: number, rising: (value: number) => number): number {
  let [low, high] = [least, most]
  for (let halving = 0; halving < 40; halving++) {
    const middle = (low + high) / 2
    if (rising(middle) > 0) high = middle
    else low = middle
  }
  return (low + high) / 2
}

/** Mean of a standard normal value above this, by which the seen exceeds the true size. */
function hazard(value: number): number {
  return density(value) / upperTail(value)
}
