import { dayMs } from '../../platform/durations.ts'
import type { RateSeries } from './series.ts'

/** The rates that a chart reaches from and to, in percent, and where its lines are drawn. */
export interface RateScale {
  bottom: number
  top: number
  ticks: number[]
}

/** A smaller span would make mountains of the noise, in percentage points. */
const leastSpan = 10
const steps = [2, 5, 10, 20, 25]
const mostSteps = 5

/** Everything that is drawn fits; nothing is below 0% or above 100%. Pure. */
export function ratesOf({ days, baseline }: Pick<RateSeries, 'days' | 'baseline'>): RateScale {
  const drawn = [
    ...days.flatMap(({ percent, error }) => [percent, error?.from ?? percent, error?.to ?? percent]),
    ...(baseline === null
      ? []
      : [baseline.mean, baseline.band?.from ?? baseline.mean, baseline.band?.to ?? baseline.mean]),
  ]
  const [lowest, highest] = drawn.length === 0 ? [0, 100] : [Math.min(...drawn), Math.max(...drawn)]
  const spare = Math.max(leastSpan - (highest - lowest), 0) / 2
  const low = Math.max(Math.min(lowest - spare, 100 - leastSpan), 0)
  const high = Math.min(Math.max(highest + spare, leastSpan), 100)
  const step = steps.find((one) => (high - low) / one <= mostSteps) ?? 25
  const bottom = Math.max(Math.floor(low / step) * step, 0)
  const top = Math.min(Math.ceil(high / step) * step, 100)
  const count = Math.round((top - bottom) / step)
  return { bottom, top, ticks: Array.from({ length: count + 1 }, (_, index) => bottom + index * step) }
}

/** Some dates, evenly apart and each the middle of a day. */
export function datesOf({ from, to }: Pick<RateSeries, 'from' | 'to'>, most: number): number[] {
  const span = Math.round((to - from) / dayMs)
  const step = Math.max(Math.ceil(span / most), 1)
  const first = Math.floor(((span - 1) % step) / 2)
  return Array.from({ length: Math.ceil((span - first) / step) }, (_, index) => {
    return from + (first + index * step) * dayMs + dayMs / 2
  })
}
