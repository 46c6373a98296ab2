import type { RateSeries } from '../message/chart/series.ts'
import { n } from '../message/chart/svg.ts'
import { type Html, html } from './html.ts'

const width = 120
const height = 28
/** So many points are enough for so small a line. */
const mostPoints = 45

/** A rate over ninety days as a small line, with a dot at a time or else at the end. What it says stands beside it in words. */
export function sparkline(
  { days, from, to }: Pick<RateSeries, 'days' | 'from' | 'to'>,
  at?: number,
): Html | false {
  if (days.length < 2) return false
  const rates = days.map(({ percent }) => percent)
  const lowest = Math.min(...rates)
  const span = Math.max(Math.max(...rates) - lowest, 5)
  const x = (time: number) => n(2 + ((time - from) / (to - from)) * (width - 6))
  const y = (percent: number) => n(height - 4 - ((percent - lowest) / span) * (height - 8))
  const every = Math.ceil(days.length / mostPoints)
  // From the end, so that the newest is among them.
  const points = days.filter((_, index) => (days.length - 1 - index) % every === 0)
  const dot = (at === undefined ? undefined : days.find((day) => day.at >= at)) ?? points.at(-1)
  return html`<svg class="spark" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true"><polyline points="${points.map((day) => `${x(day.at)},${y(day.percent)}`).join(' ')}" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/>${dot !== undefined && html`<circle cx="${x(dot.at)}" cy="${y(dot.percent)}" r="3" fill="currentColor"/>`}</svg>`
}
