import { dayMs, minuteMs } from '../platform/durations.ts'

/** What a figure is: a model's newest reading, or a point of a history, which is a reading or the mean of a span. */
export type FigureSeries = (typeof figureSeries)[number]

/** The finest first. */
export const figureSeries = ['newest', 'readings', 'days', 'weeks', 'months'] as const

/** How long a figure of a series stands for, in milliseconds; 0 for a single reading. */
export const spanOf: Readonly<Record<FigureSeries, number>> = {
  newest: 0,
  readings: 0,
  days: dayMs,
  weeks: 7 * dayMs,
  months: 28 * dayMs,
}

/** One published refusal rate as it was first seen, or as it was revised. All times are milliseconds since the epoch. */
export interface Figure {
  /** Host and path of the service that published it: figures of a sandbox are not those of the service. */
  service: string
  /** In lower case, as the service was asked. */
  model: string
  category: string
  series: FigureSeries
  /** By the service's clock: when it was measured, or when its span began. Null if the service does not say. */
  measuredAt: number | null
  /** 0, or its number among several that the service dates the same: four a day with only the day written. */
  part: number
  /** As the service wrote it. */
  rate: number
  /** Null if it was not known when the figure was read. */
  unit: 'fraction' | 'percent' | null
  /** Prompts; null if the service does not say. */
  sampleSize: number | null
  /** The size counts the prompts of all categories, not of this one. */
  isSizeOfAll: boolean
  version: string | null
  /** By our clock: when this value was first read. */
  seenAt: number
}

/** All that a history has from one time to another was read. A read of the newest figure has one time. */
export interface KnownSpan extends Pick<Figure, 'service' | 'model' | 'category'> {
  source: 'newest' | 'history'
  from: number
  to: number
}

export interface FigureQuery {
  service: string
  model: string
  /** All of them if it is missing. */
  category?: string
  /** By `measuredAt`; figures without it by `seenAt`. */
  from: number
}

/** The published figures that were read. Rejects with `StoreUnavailable`. */
export interface FigureStore {
  /** Stores what is not known yet, in one commit. Returns how many figures were new or revised. */
  add(read: { figures: readonly Figure[]; spans: readonly KnownSpan[] }): Promise<number>
  /** Every value that was seen, in the order in which they came: of revisions the last one counts. See `lastOf`. */
  read(query: FigureQuery): Promise<Figure[]>
  /** Of what there are figures, in the order of the bytes of their names. */
  series(): Promise<Pick<Figure, 'service' | 'model' | 'category'>[]>
  /** Every value of the figures that have more than one, in the order in which they came. */
  revised(): Promise<Figure[]>
  /** Of one model, or of all. */
  spans(query?: Pick<FigureQuery, 'service' | 'model'>): Promise<KnownSpan[]>
  /** Every value of every model that came after the one with that number, in order. */
  all(query: { after: number; limit: number }): Promise<{ seq: number; figure: Figure }[]>
  /** Drops what was measured before that time, or first seen if it has no `measuredAt`, which is then no longer known. Returns how many figures were dropped. */
  dropBefore(time: number): Promise<number>
}

/** An answer that another process read before may be stored after ours: it is no revision. */
const lateMs = 5 * minuteMs

/** What of a read is not known yet. `known` is in the order in which it came. Pure. */
export function newFigures(known: readonly Figure[], read: readonly Figure[]): Figure[] {
  const last = new Map(known.map((one) => [slotOf(one), one]))
  return read.filter((one) => {
    const before = last.get(slotOf(one))
    if (before !== undefined && !revises(one, before)) return false
    last.set(slotOf(one), one)
    return true
  })
}

/** The last value of each figure. Without a measured-at each value was a reading of its own. Pure. */
export function lastOf(figures: readonly Figure[]): Figure[] {
  const of = (one: Figure) => (one.measuredAt === null ? `${slotOf(one)} ${one.seenAt}` : slotOf(one))
  return [...new Map(figures.map((one) => [of(one), one])).values()]
}

/** A span that goes on where the known one ends makes it longer; after a gap the newer one counts. Pure. */
export function mergedSpan(known: KnownSpan | undefined, read: KnownSpan): KnownSpan {
  if (known === undefined) return read
  const isOne = read.from <= known.to && known.from <= read.to
  if (isOne) return { ...read, from: Math.min(known.from, read.from), to: Math.max(known.to, read.to) }
  return read.to > known.to ? read : known
}

/** In percent if its unit is known. */
export function percentOf({ rate, unit }: Pick<Figure, 'rate' | 'unit'>): number {
  return unit === 'fraction' ? Number((rate * 100).toPrecision(12)) : rate
}

function revises(read: Figure, before: Figure): boolean {
  if (before.seenAt > read.seenAt && before.seenAt - read.seenAt <= lateMs) return false
  const isComparable = read.unit !== null && before.unit !== null
  const isSameRate = isComparable ? percentOf(read) === percentOf(before) : read.rate === before.rate
  const isUnitNew = before.unit === null && read.unit !== null
  const isSizeNew =
    read.sampleSize !== null &&
    (read.sampleSize !== before.sampleSize || read.isSizeOfAll !== before.isSizeOfAll)
  const isVersionNew = read.version !== null && read.version !== before.version
  return !isSameRate || isUnitNew || isSizeNew || isVersionNew
}

/** Which figure it is: each value of it has the same. */
export function slotOf({ service, model, category, series, measuredAt, part }: Figure): string {
  return JSON.stringify([service, model, category, series, measuredAt, part])
}
