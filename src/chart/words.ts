import { percentText } from '../text/figures.ts'
import type { Series } from './series.ts'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayAndYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** "12 Nov". */
export function dayText(at: number): string {
  return day.format(at)
}

/** "12 Nov 2026". */
export function dayAndYearText(at: number): string {
  return dayAndYear.format(at)
}

/** "15.1–20.9 %". */
export function rangeText({ from, to }: { from: number; to: number }): string {
  return `${from.toFixed(1)}–${percentText(to)}`
}

/** "Claude: political prompts refused", "Claude: prompts refused". */
export function titleOf({ model, category }: Pick<Series, 'model' | 'category'>): string {
  return `${model}: ${promptsOf(category)} refused`
}

/** "political prompts", "prompts". */
function promptsOf(category: string): string {
  return category === 'overall' ? 'prompts' : `${category} prompts`
}
