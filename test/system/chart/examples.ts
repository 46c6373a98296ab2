import type { PaletteName } from '../../../src/message/chart/palette.ts'
import { type RateSeries, seriesOf } from '../../../src/message/chart/series.ts'
import { dayMs } from '../../../src/platform/durations.ts'

const now = Date.UTC(2026, 10, 22, 12)

/** Ninety days of a rate that rose, a week of them without a reading. */
export const example: RateSeries = seriesOf({
  model: 'Claude',
  category: 'political',
  isSizeOfAll: false,
  span: 90,
  now,
  change: { at: now - 7 * dayMs, before: 18 },
  readings: Array.from({ length: 90 }, (_, index) => ({
    at: now - (89 - index) * dayMs,
    percent: Number(((index >= 82 ? 30 : 18) + wave(index)).toFixed(1)),
    sampleSize: 500,
  })).filter((_, index) => index < 30 || index > 36),
})

export const pictures: readonly [string, PaletteName][] = [
  ['light.png', 'light'],
  ['dark.png', 'dark'],
]

/** Looks like noise, and is the same each time. */
function wave(index: number): number {
  return 1.6 * Math.sin(index * 2.4) + 1.3 * Math.sin(index * 5.1 + 1) + 0.9 * Math.sin(index * 11.7)
}
