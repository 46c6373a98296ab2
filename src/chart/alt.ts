import { dayMs } from '../durations.ts'
import { counted } from '../text/counted.ts'
import { percentText } from '../text/figures.ts'
import { type Day, daysSince, meanOf, type Series } from './series.ts'
import { dayAndYearText, dayText, rangeText, titleOf } from './words.ts'

/** What the picture says, in words: for who cannot see it, and for mail that shows none. Pure. */
export function altText(series: Series): string {
  const { from, to, days } = series
  const span = `${dayAndYearText(from)} to ${dayAndYearText(to - dayMs)}`
  const about = `${titleOf(series)}, percent per day, ${span}.`
  if (days.length === 0) return `${about} There is no reading.`
  return [about, baselineSentence(series), ...sinceSentences(series), extremes(days), missing(series)]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function baselineSentence({ baseline, change }: Series): string {
  if (baseline === null) return ''
  const usually = baseline.band === null ? '' : `, usually ${rangeText(baseline.band)}`
  const mean = percentText(baseline.mean)
  return change === null ? `Mean: ${mean}${usually}.` : `Before the change: ${mean}${usually}.`
}

function sinceSentences(series: Series): string[] {
  const { change, isSizeOfAll } = series
  const since = daysSince(series)
  const last = since.at(-1)
  if (last === undefined)
    return change === null ? [] : [`Change marked on ${dayText(change)}; no reading since.`]
  const mean =
    change === null
      ? []
      : [
          `Change marked on ${dayText(change)}; since then ${percentText(meanOf(since))} over ${counted(since.length, 'day')}.`,
        ]
  const error =
    last.error === null
      ? '; its sampling error is not known'
      : ` (95 % sampling error ${rangeText(last.error)}${isSizeOfAll ? ', wider in truth' : ''})`
  return [...mean, `Last: ${percentText(last.percent)} on ${dayText(last.at)}${error}.`]
}

function extremes(days: readonly Day[]): string {
  if (days.length < 2) return ''
  const sorted = days.toSorted((one, other) => one.percent - other.percent)
  const [lowest, highest] = [sorted[0], sorted.at(-1)]
  if (lowest === undefined || highest === undefined) return ''
  return `Lowest ${percentText(lowest.percent)} on ${dayText(lowest.at)}, highest ${percentText(highest.percent)} on ${dayText(highest.at)}.`
}

function missing({ from, to, days }: Series): string {
  const without = Math.round((to - from) / dayMs) - days.length
  return without === 0 ? '' : `${counted(without, 'day')} without a reading.`
}
