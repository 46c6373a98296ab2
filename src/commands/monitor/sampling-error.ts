import { interval, z } from '../../message/chart/series.ts'
import { percentText } from '../../platform/text.ts'

interface SampledPercentage {
  percent: number
  sampleSize: number
}

/**
 * Half the 95% interval of the difference of two readings, in percentage points. They are taken as independent:
 * the prompts are the same each time, so the true error is rather smaller.
 */
export function differenceError(one: SampledPercentage, other: SampledPercentage): number {
  return 100 * z * Math.sqrt(variance(one) + variance(other))
}

/** One refusal more and one less are added (Agresti and Caffo 2000), else two readings of 0% had no error at all. */
function variance({ percent, sampleSize }: SampledPercentage): number {
  const n = sampleSize + 2
  const p = ((percent / 100) * sampleSize + 1) / n
  return (p * (1 - p)) / n
}

/** "9.8–15.6%", empty where the rate or the sample size is not known. */
export function intervalText(percent: number | null, sampleSize: number | null): string {
  if (percent === null || sampleSize === null) return ''
  const { from, to } = interval(percent, sampleSize)
  return `${from.toFixed(1)}–${percentText(to)}`
}
