import type { Words } from '../words/words.ts'
import type { ChartDay, RateSeries } from './series.ts'

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
export function rangeText({ from, to }: { from: number; to: number }, words: Words): string {
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

/** What was usual before the change; over all that is shown where there is none. */
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

/** Whether a day's sampling error is known, and whether it is the whole of it. */
export function errorOf(
  { error }: Pick<ChartDay, 'error'>,
  { isSizeOfAll }: Pick<RateSeries, 'isSizeOfAll'>,
) {
  return { known: error === null ? 'no' : 'yes', wider: isSizeOfAll ? 'yes' : 'no' } as const
}
