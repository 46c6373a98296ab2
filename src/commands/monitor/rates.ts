import { interval, z } from '../../message/chart/series.ts'
import { percentText } from '../../platform/text.ts'
import type { SampleSizes } from '../../service/client/readers/rates.ts'
import {
  inferUnitOfCounts,
  type RateName,
  type RateUnit,
  toPercent,
} from '../../service/client/readers/rates.ts'
import { prose } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { countText, minuteText } from './numbers.ts'

/** In which unit the service wrote its rates, and how we know: the interface does not say. */
export interface Unit {
  unit: RateUnit
  /** `assumed` if the rates at hand could be either. */
  from: 'configured' | 'inferred' | 'assumed'
}

interface RateWithSize {
  rate: number | null
  /** Prompts that this very rate was counted over; `null` if not known. */
  sampleSize: number | null
}

/** `configured` is `monitor.rates`. In doubt, rates are fractions: as percent, all would be below 1%. */
export function unitOf(configured: 'auto' | RateUnit, readings: Iterable<RateWithSize>): Unit {
  if (configured !== 'auto') return { unit: configured, from: 'configured' }
  const counts = [...readings].flatMap(({ rate, sampleSize }) => (rate === null ? [] : { rate, sampleSize }))
  const unit = inferUnitOfCounts(counts)
  return unit === undefined ? { unit: 'fraction', from: 'assumed' } : { unit, from: 'inferred' }
}

export function inPercent(rate: number | null, { unit }: Unit): number | null {
  return rate === null ? null : toPercent(rate, unit)
}

/** For a table of data: without the noise of binary fractions. */
export function percentCell(rate: number | null, unit: Unit): number | null {
  const percent = inPercent(rate, unit)
  return percent === null ? null : Number(percent.toPrecision(12))
}

/** Says if the unit was assumed; on standard error for machines' forms too, since a wrong one is wrong by 100. */
export function sayAssumed({ from }: Unit, terminal: Terminal): void {
  if (from !== 'assumed') return
  terminal.note(
    'Rates are read as fractions, but these few could also be percent. Set monitor.rates to be sure.\n',
  )
}

export interface AnsweredSizes {
  /** Prompts in all. */
  sampleSize: number | null
  sampleSizes: SampleSizes
}

/** The prompts behind a rate: those of its category, else those of all categories. */
export function sizeOf(name: RateName, { sampleSize, sampleSizes }: AnsweredSizes): number | null {
  return sampleSizes[name] ?? sampleSize
}

/** What intervals mean, and for which rates they are too narrow. Empty if there is none. */
export function intervalNote(names: readonly RateName[], sizes: AnsweredSizes): string {
  const sized = names.filter((name) => sizeOf(name, sizes) !== null)
  if (sized.length === 0) return ''
  const narrow = sized.filter((name) => name !== 'overall' && sizes.sampleSizes[name] === null)
  const but =
    narrow.length === 0
      ? ''
      : ` ${narrow.join(', ')}: computed with the number of all prompts, because the category’s own is unknown. The true interval is wider.`
  return `95% confidence intervals cover sampling error only.${but}`
}

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

export interface MeanReading {
  percent: number
}

/** So many readings of a half show how much its readings spread. */
const leastOfHalf = 4

/**
 * By how much the second half of some readings differs from the first, mean against mean; percentage points. Its 95% interval is
 * from the spread of the readings themselves, and undefined if there are too few.
 */
export function changeOver(
  readings: readonly MeanReading[],
): { points: number; interval: readonly [number, number] | undefined } | undefined {
  const middle = Math.floor(readings.length / 2)
  if (middle === 0) return undefined
  const [first, second] = [summaryOf(readings.slice(0, middle)), summaryOf(readings.slice(middle))]
  const points = second.mean - first.mean
  if (middle < leastOfHalf) return { points, interval: undefined }
  const error = z * Math.sqrt(first.varianceOfMean + second.varianceOfMean)
  return { points, interval: [points - error, points + error] }
}

function summaryOf(readings: readonly MeanReading[]): { mean: number; varianceOfMean: number } {
  const n = readings.length
  const mean = readings.reduce((sum, { percent }) => sum + percent, 0) / n
  const squares = readings.reduce((sum, { percent }) => sum + (percent - mean) ** 2, 0)
  return { mean, varianceOfMean: n < 2 ? 0 : squares / (n - 1) / n }
}

/** "9.8–15.6%", empty if the rate or the sample size is not known. */
export function intervalText(percent: number | null, sampleSize: number | null): string {
  if (percent === null || sampleSize === null) return ''
  const { from, to } = interval(percent, sampleSize)
  return `${from.toFixed(1)}–${percentText(to)}`
}

interface MeasuredFigures {
  sampleSize: number | null
  lastUpdated: string | null
}

/** The line under a table: what every data response carries ("What the service does", 4), and the unit. */
export function footer(
  { sampleSize, lastUpdated }: MeasuredFigures,
  terminal: Terminal,
  unit?: Unit,
): string {
  const parts = [
    sampleSize === null ? 'sample size unknown' : `${countText(sampleSize)} prompts`,
    lastUpdated === null ? 'last update unknown' : `last updated ${minuteText(lastUpdated)}`,
    ...(unit === undefined ? [] : [unitText(unit)]),
  ]
  return prose(parts.join(' · '), terminal)
}

function unitText({ unit, from }: Unit): string {
  const what = unit === 'fraction' ? 'fractions' : 'percent'
  return `the service’s rates read as ${what} (${from})`
}
