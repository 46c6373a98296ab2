import { density, upperTail } from './scale.ts'

/** A size in standard errors, with its interval of 95 percent. */
export interface StepSize {
  size: number
  from: number
  to: number
}

/** Of the normal distribution, 95 percent are within so many standard errors. */
const quantile = 1.96

/**
 * What a step of `seen` standard errors is likely to be, which was found since it exceeded `threshold`: a step that is
 * only just found was lucky, and is smaller. The mean of what was seen and of the most likely size given that it was
 * found (Zhong and Prentice, Biostatistics 9, 2008). The interval begins where the conditional one does, at no less than
 * zero; near the threshold the whole of that is below zero, so it ends where it would without the condition. What does
 * not exceed the threshold, as later readings of a change may not, was not selected and is not corrected: its interval may
 * reach below zero.
 */
export function sizeOf(seen: number, threshold: number): StepSize {
  const to = seen + quantile
  if (seen <= threshold) return { size: seen, from: seen - quantile, to }
  const most = seen + 5
  const likely = Math.max(
    0,
    solve(-2, most, (size) => size + hazard(threshold - size) - seen),
  )
  const from = solve(-8, most, (size) => upperTail(seen - size) / upperTail(threshold - size) - 0.025)
  return { size: (seen + likely) / 2, from: Math.max(0, from), to }
}

/** Where a function that rises is zero; the nearer end where it is nowhere. */
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
