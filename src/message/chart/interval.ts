/** Of a normal distribution, 95% lies within so many standard deviations. */
export const z = 1.96

/**
 * Wilson's 95% interval of a rate that was counted over `sampleSize` prompts, in percent. It also holds near 0%
 * and 100%, where the usual ± does not (Brown, Cai and DasGupta 2001, "Interval Estimation for a Binomial Proportion").
 */
export function interval(percent: number, sampleSize: number): { from: number; to: number } {
  const p = percent / 100
  const n = sampleSize
  const centre = p + z ** 2 / (2 * n)
  const spread = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2))
  const within = (value: number) => Math.min(Math.max((100 * value) / (1 + z ** 2 / n), 0), 100)
  return { from: within(centre - spread), to: within(centre + spread) }
}
