import type { HistoryPoint } from '../../endpoints/history.ts'
import { rateNames } from '../rates.ts'
import type { HistoryRow } from './point.ts'

/** A point that is being made, with the sample sizes that were written for it as a whole. */
interface UnfinishedPoint {
  point: HistoryPoint
  sizes: Set<number>
}

/** What was read of one time and version so far: for each category, how many of the points have it. */
interface PointsOfOneTime {
  points: UnfinishedPoint[]
  taken: Record<(typeof rateNames)[number], number>
}

/**
 * One point for each time and version, oldest first. Series of several categories meet in it; where one series
 * has several readings of one time (four a day, and only the day is written), each stays a point of its own.
 */
export function mergePoints(rows: readonly HistoryRow[]): HistoryPoint[] {
  const slots = new Map<string, PointsOfOneTime>()
  for (const row of rows) {
    const key = `${row.at} ${row.version ?? ''}`
    const slot = slots.get(key) ?? {
      points: [],
      taken: { overall: 0, political: 0, safety: 0, social: 0 },
    }
    slots.set(key, slot)
    merge(slot, row)
  }
  const points = [...slots.values()].flatMap(({ points: made }) => made.map(finish))
  return points.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
}

function merge(slot: PointsOfOneTime, { at, version, rates, size }: HistoryRow): void {
  const present = rateNames.filter((name) => rates[name] !== null)
  const index = Math.max(...present.map((name) => slot.taken[name]))
  for (const name of present) slot.taken[name] = index + 1
  const making = slot.points[index] ?? {
    point: { at, version, rates: { ...rates }, sampleSize: null, sampleSizes: { ...size.byCategory } },
    sizes: new Set<number>(),
  }
  slot.points[index] = making
  const { point, sizes } = making
  const only = present.length === 1 ? present[0] : undefined
  for (const name of rateNames) {
    point.rates[name] ??= rates[name]
    point.sampleSizes[name] ??= size.byCategory[name] ?? (name === only ? size.total : null)
  }
  if (size.total !== null) sizes.add(size.total)
}

/** Series of different sizes give the point that of the overall rate, or none. */
function finish({ point, sizes }: UnfinishedPoint): HistoryPoint {
  const [only, another] = sizes
  const whole = another === undefined ? (only ?? null) : null
  return { ...point, sampleSize: whole ?? point.sampleSizes.overall }
}
