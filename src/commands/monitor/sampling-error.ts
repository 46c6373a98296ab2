import { percentText } from '../../text/figures.ts'

/** Of a normal distribution, 95 % lies within so many standard deviations. */
const z = 1.96

/**
 * Wilson's 95 % interval of a rate that was counted over `sampleSize` prompts, in percent. It also holds near 0 %
 * and 100 %, where the usual ± does not (Brown, Cai and DasGupta 2001, "Interval Estimation for a Binomial Proportion").
 */
export function interval(percent: number, sampleSize: number): { from: number; to: number } {
  const p = percent / 100
  const n = sampleSize
  const centre = p + z ** 2 / (2 * n)
  const spread = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2))
  const within = (value: number) => Math.min(Math.max((100 * value) / (1 + z ** 2 / n), 0), 100)
  return { from: within(centre - spread), to: within(centre + spread) }
}

interface Reading {
  percent: number
  sampleSize: number
}

/**
 * Half the 95 % interval of the difference of two readings, in percentage points. They are taken as independent:
 * the prompts are the same each time, so the true error is rather smaller.
 */
export function differenceError(one: Reading, other: Reading): number {
  return 100 * z * Math.sqrt(variance(one) + variance(other))
}

/** One refusal more and one less are added (Agresti and Caffo 2000), else two readings of 0 % had no error at all. */
function variance({ percent, sampleSize }: Reading): number {
  const n = sampleSize + 2
  const p = ((percent / 100) * sampleSize + 1) / n
  return (p * (1 - p)) / n
}

/** "9.8–15.6 %", empty where the rate or the sample size is not known. */
export function intervalText(percent: number | null, sampleSize: number | null): string {
  if (percent === null || sampleSize === null) return ''
  const { from, to } = interval(percent, sampleSize)
  return `${from.toFixed(1)}–${percentText(to)}`
}
