import { dayMs } from '../../platform/durations.ts'

/** A reading of one refusal rate. */
export interface RateReading {
  /** Milliseconds since the epoch. */
  at: number
  percent: number
  /** Prompts that it was counted over; null if not known. */
  sampleSize: number | null
}

/** The readings of one day (UTC) together. */
export interface ChartDay extends RateReading {
  /** The day's middle. */
  at: number
  /** The sampling error, in percent; null if no sample size is known. */
  error: { from: number; to: number } | null
}

/** What the rate was before the change; without a change, over all that is shown. Percent. */
interface ChartBaseline {
  mean: number
  /** At least 95% of the days are within: all but those that are farthest from the mean. Null for too few days. */
  band: { from: number; to: number } | null
  days: number
}

/** What a chart shows of one model's refusal rate. Times are milliseconds since the epoch. */
export interface RateSeries {
  /** The model as people call it. */
  model: string
  category: 'overall' | 'political' | 'safety' | 'social'
  /** The first moment that is shown, and the end of the last day. */
  from: number
  to: number
  /** Oldest first; a day without a reading is not among them. */
  days: readonly ChartDay[]
  /** Sizes count the prompts of all categories, so the real sampling error is wider. */
  isSizeOfAll: boolean
  baseline: ChartBaseline | null
  /** The beginning of the day that shows it first. */
  change: number | null
  /** From which day on there are at least twice as many readings a day as before, and how many. */
  denser?: { at: number; readings: number }
}

export interface SeriesParts extends Pick<RateSeries, 'model' | 'category' | 'isSizeOfAll'> {
  readings: readonly RateReading[]
  /** So many days are shown, the day of `now` the last of them. */
  span: number
  now: number
  /** When the rate changed, and the rate before it in percent, if the alert has it. */
  change?: { at: number; before: number | null } | undefined
}

/** A spread of fewer days says little. */
const leastForBand = 5
const shareOfDays = 0.95

/** What a chart shows, of readings in any order. Those that are later than `now` or are no number are left out. Pure. */
export function seriesOf(parts: SeriesParts): RateSeries {
  const { model, category, isSizeOfAll, readings, span, now, change } = parts
  const to = dayOf(now) + dayMs
  const from = to - span * dayMs
  const usable = readings.filter(
    ({ at, percent }) => at >= from && at <= now && percent >= 0 && percent <= 100,
  )
  const byDay = [...Map.groupBy(usable, ({ at }) => dayOf(at))].toSorted(([one], [other]) => one - other)
  const days = byDay.map(([day, ofDay]) => together(day, ofDay))
  const denser = denserFrom(byDay.map(([at, ofDay]) => ({ at, readings: ofDay.length })))
  const changedAt = change === undefined ? null : dayOf(change.at)
  const before = days.filter(({ at }) => changedAt === null || at < changedAt)
  return {
    model,
    category,
    from,
    to,
    days,
    isSizeOfAll,
    baseline: baselineOf(before, change?.before ?? null),
    change: changedAt !== null && changedAt >= from && changedAt < to ? changedAt : null,
    ...(denser && { denser }),
  }
}

/** Fewer days on a side may be chance. */
const leastOfSide = 5

/** Services have four readings a day of late, and one a day before: intervals are narrower from then on, without any change. */
function denserFrom(days: readonly { at: number; readings: number }[]): RateSeries['denser'] {
  const from = days.findIndex(({ readings }, index) => {
    const [before, after] = [days.slice(0, index), days.slice(index)]
    if (before.length < leastOfSide || after.length < leastOfSide) return false
    const usual = usualCount(before)
    return readings >= 2 * usual && usualCount(after) >= 2 * usual
  })
  const at = days[from]?.at
  return at === undefined ? undefined : { at, readings: usualCount(days.slice(from)) }
}

/** The median. */
function usualCount(days: readonly { readings: number }[]): number {
  const counts = days.map(({ readings }) => readings).toSorted((one, other) => one - other)
  return counts[Math.floor(counts.length / 2)] ?? 0
}

/** The days from the change on; all of them if there is none. */
export function daysSince({ days, change }: Pick<RateSeries, 'days' | 'change'>): readonly ChartDay[] {
  return change === null ? days : days.filter(({ at }) => at >= change)
}

/** The rate of several days: each prompt counts once if it is known how many there were, else each day. */
export function meanOf(readings: readonly RateReading[]): number {
  const weights = readings.map(({ sampleSize }) => sampleSize)
  const haveSizes = weights.every((weight) => weight !== null)
  const weight = (one: RateReading) => (haveSizes ? (one.sampleSize ?? 0) : 1)
  const whole = readings.reduce((sum, one) => sum + weight(one), 0)
  return readings.reduce((sum, one) => sum + weight(one) * one.percent, 0) / whole
}

function together(day: number, readings: readonly RateReading[]): ChartDay {
  const percent = meanOf(readings)
  const sampleSize = readings.reduce<number | null>(
    (sum, one) => (sum === null || one.sampleSize === null ? null : sum + one.sampleSize),
    0,
  )
  const error = sampleSize === null ? null : interval(percent, sampleSize)
  return { at: day + dayMs / 2, percent, sampleSize, error }
}

function baselineOf(before: readonly ChartDay[], known: number | null): ChartBaseline | null {
  if (before.length === 0 && known === null) return null
  const mean = known ?? meanOf(before)
  if (before.length < leastForBand) return { mean, band: null, days: before.length }
  const far = ({ percent }: ChartDay) => Math.abs(percent - mean)
  const nearest = before.toSorted((one, other) => far(one) - far(other))
  const usual = nearest.slice(0, Math.ceil(shareOfDays * before.length)).map(({ percent }) => percent)
  const band = { from: Math.min(mean, ...usual), to: Math.max(mean, ...usual) }
  return { mean, band, days: before.length }
}

function dayOf(time: number): number {
  return Math.floor(time / dayMs) * dayMs
}

/** Of a normal distribution, 95% lies within so many standard deviations. */
export const z = 1.96

/**
 * Wilson's 95% interval of a rate that was counted over `sampleSize` prompts, in percent. Unlike the usual ±, it also holds
 * near 0% and 100% (Brown, Cai and DasGupta 2001, "Interval Estimation for a Binomial Proportion").
 */
export function interval(percent: number, sampleSize: number): { from: number; to: number } {
  const p = percent / 100
  const n = sampleSize
  const centre = p + z ** 2 / (2 * n)
  const spread = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2))
  const within = (value: number) => Math.min(Math.max((100 * value) / (1 + z ** 2 / n), 0), 100)
  return { from: within(centre - spread), to: within(centre + spread) }
}

/** The lowest and the highest rate of a chart, in percent, and the rates of its lines. */
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
