import { dayMs } from '../../platform/durations.ts'
import type { Words } from '../words/words.ts'
import { type ChartDay, daysSince, meanOf, type RateSeries } from './series.ts'

/** "12 Nov", of milliseconds since the epoch. Days are those of UTC. */
export function dayText(at: number, words: Words): string {
  return words.shortDay(new Date(at).toISOString(), 'UTC')
}

/** "12 Nov 2026". */
export function dayAndYearText(at: number, words: Words): string {
  return words.day(new Date(at).toISOString(), 'UTC')
}

/** "18.1%". */
export function percentText(percent: number, words: Words): string {
  return words.say('percent', { rate: tenths(percent, words) })
}

/** "15.1–20.9%". */
function rangeText({ from, to }: { from: number; to: number }, words: Words): string {
  return words.say('percent', { rate: `${tenths(from, words)}–${tenths(to, words)}` })
}

function tenths(percent: number, words: Words): string {
  return words.number(percent, { least: 1, most: 1 })
}

/** "Claude: political prompts refused", "Claude: prompts refused". */
export function titleOf({ model, category }: Pick<RateSeries, 'model' | 'category'>, words: Words): string {
  return words.say('chartTitle', {
    model,
    category,
    name: category === 'overall' ? '' : words.say('category', { category, name: category }),
  })
}

/** What was usual before the change; over all that is shown if there is none. */
export function usualOf({ baseline, change }: Pick<RateSeries, 'baseline' | 'change'>, words: Words) {
  if (baseline === null) return undefined
  const { mean, band } = baseline
  return {
    since: change === null ? 'all' : 'change',
    mean: percentText(mean, words),
    ranged: band === null ? 'no' : 'yes',
    range: band === null ? '' : rangeText(band, words),
  } as const
}

/** "from 25 Oct: 4 readings a day". */
export function denserText({ at, readings }: NonNullable<RateSeries['denser']>, words: Words): string {
  return words.say('chartDenser', { day: dayText(at, words), count: readings })
}

/** Whether a day's sampling error is known, and whether it is the whole of it. */
export function errorOf(
  { error }: Pick<ChartDay, 'error'>,
  { isSizeOfAll }: Pick<RateSeries, 'isSizeOfAll'>,
) {
  return { known: error === null ? 'no' : 'yes', wider: isSizeOfAll ? 'yes' : 'no' } as const
}

/** What the picture says, in words: for who cannot see it, and for mail that shows none. Pure. */
export function altText(series: RateSeries, words: Words): string {
  const { from, to, days } = series
  const span = { from: dayAndYearText(from, words), to: dayAndYearText(to - dayMs, words) }
  const about = words.say('altAbout', { title: titleOf(series, words), ...span })
  if (days.length === 0) return `${about} ${words.say('altEmpty')}`
  const usual = usualOf(series, words)
  return [
    about,
    ...(usual === undefined ? [] : [words.say('altUsual', usual)]),
    ...sinceChange(series, words),
    ...last(series, words),
    ...extremes(days, words),
    ...missing(series, words),
    ...(series.denser === undefined ? [] : [`${denserText(series.denser, words)}.`]),
  ].join(' ')
}

function sinceChange(series: RateSeries, words: Words): string[] {
  const { change } = series
  if (change === null) return []
  const day = dayText(change, words)
  const since = daysSince(series)
  if (since.length === 0) return [words.say('altNothingSince', { day })]
  return [words.say('altSince', { day, mean: percentText(meanOf(since), words), days: since.length })]
}

function last(series: RateSeries, words: Words): string[] {
  const day = daysSince(series).at(-1)
  if (day === undefined) return []
  const { at, percent, error } = day
  return [
    words.say('altLast', {
      rate: percentText(percent, words),
      day: dayText(at, words),
      ...errorOf(day, series),
      range: error === null ? '' : rangeText(error, words),
    }),
  ]
}

function extremes(days: readonly ChartDay[], words: Words): string[] {
  if (days.length < 2) return []
  const sorted = days.toSorted((one, other) => one.percent - other.percent)
  const [lowest, highest] = [sorted[0], sorted.at(-1)]
  if (lowest === undefined || highest === undefined) return []
  return [
    words.say('altExtremes', {
      lowest: percentText(lowest.percent, words),
      lowestDay: dayText(lowest.at, words),
      highest: percentText(highest.percent, words),
      highestDay: dayText(highest.at, words),
    }),
  ]
}

function missing({ from, to, days }: RateSeries, words: Words): string[] {
  const without = Math.round((to - from) / dayMs) - days.length
  return without === 0 ? [] : [words.say('altMissing', { days: without })]
}
