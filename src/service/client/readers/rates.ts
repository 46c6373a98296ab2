import { rateFieldNames, sampleSizeNames } from '../names.ts'
import { type Fields, isFields, pick, readCount, readNumber } from './fields.ts'

/** The refusal rate over all prompts, and those of the categories that the interface names (history, `category`). */
export const rateNames = ['overall', 'political', 'safety', 'social'] as const
export type RateName = (typeof rateNames)[number]

/** Refusal rates as the service writes them, fractions or percent; `null` if absent. */
export type RefusalRates = Record<RateName, number | null>

export const noRates: Readonly<RefusalRates> = { overall: null, political: null, safety: null, social: null }

export type RateUnit = 'fraction' | 'percent'

/** The set is of 500 prompts ("What the service does", 1): a rate of it is none, or at least 0.2%. */
const leastPercent = 0.2
/** Sets of prompts of different size behind the rates: one overall and one a category, and all of them rounded twice. */
const mostSets = 8
/** Rounding in the service's arithmetic. */
const tolerance = 0.001
/** Of binary fractions, as in 0.1 + 0.2. */
const noise = 1e-9

const fieldNames = new Map(
  rateNames.map((name) => [name, rateFieldNames.aliases[name].flatMap(rateFieldNames.of)]),
)
const nameOfField = new Map([...fieldNames].flatMap(([name, fields]) => fields.map((field) => [field, name])))

/**
 * The unit in which the service writes rates, from many observations of any models and categories; one is never enough. A
 * rate above 1 is percent, since no fraction is. If none is above 1, two things rule percent out. First, no set of 500
 * prompts or fewer gives a rate above 0 and below 0.2%. Second, two rates of one set differ by at least 0.2%: more than
 * eight different ones within 0.2 would need as many sets. Undefined if neither applies, as with two readings of 0.4.
 * Means over several readings may be below 0.2% in percent too. If a service writes such means, all of them at most 1%,
 * you need the setting `monitor.rates`.
 */
export function inferUnit(rates: Iterable<number>): RateUnit | undefined {
  const distinct = new Set<number>()
  for (const rate of rates) {
    if (rate > 1 + tolerance && rate <= 100) return 'percent'
    if (rate > 0 && rate <= 1) distinct.add(Number(rate.toFixed(6)))
  }
  const sorted = [...distinct].filter((rate) => rate > 0).toSorted((a, b) => a - b)
  const least = sorted[0]
  if (least !== undefined && least < leastPercent - tolerance) return 'fraction'
  const dense = sorted.some((rate, index) => {
    const later = sorted[index + mostSets]
    return later !== undefined && later - rate < leastPercent - tolerance
  })
  return dense ? 'fraction' : undefined
}

/** A rate, and the number of prompts that it was counted over; `null` if not known. */
export interface Counted {
  rate: number
  sampleSize: number | null
}

/**
 * Like `inferUnit`, but with the sample sizes, so one answer is mostly enough. 0.222% of 500 prompts would be 1.11 prompts,
 * but the fraction 0.222 is 111. Sizes only ever rule percent out: a whole number of prompts in percent is a whole number
 * as a fraction too. A mean or a weighted rate fits neither way. Then the size is not that of the counted prompts, and
 * shows nothing.
 */
export function inferUnitOfCounts(counts: Iterable<Counted>): RateUnit | undefined {
  const all = [...counts]
  const unit = inferUnit(all.map(({ rate }) => rate))
  if (unit !== undefined) return unit
  const sized = all.filter((one) => one.sampleSize !== null && one.rate > 0)
  const asFractions = sized.every(({ rate, sampleSize }) => isCount(rate, sampleSize ?? 0, 1))
  const asPercent = sized.every(({ rate, sampleSize }) => isCount(rate, sampleSize ?? 0, 100))
  return asFractions && !asPercent ? 'fraction' : undefined
}

/** Whether a rate is a whole number of so many prompts, if `whole` is the rate of all of them. */
function isCount(rate: number, sampleSize: number, whole: 1 | 100): boolean {
  const nearest = (Math.round((rate * sampleSize) / whole) * whole) / sampleSize
  return Math.abs(nearest - rate) <= lastDigit(rate) + noise
}

/** One in its last decimal place: rounding or cutting off changes a number by less. */
function lastDigit(rate: number): number {
  const decimals = /\.(\d+)$/.exec(String(rate))?.[1]?.length ?? 0
  return 10 ** -decimals
}

/** A rate in percent, without the noise of binary fractions: 0.07 is 7, not 7.000000000000001. */
export function toPercent(rate: number, unit: RateUnit): number {
  return unit === 'percent' ? rate : Number((rate * 100).toPrecision(12))
}

/** Which rate a category or a field is: `political`, `political_refusal_rate`, `politicalRate`; `all` is overall. */
export function rateNamed(name: unknown): RateName | undefined {
  if (typeof name !== 'string') return undefined
  return nameOfField.get(name) ?? nameOfField.get(name.trim().toLowerCase())
}

/** A number from 0 to 100, or an object that has one (`{"rate": 0.1, "n": 200}`). */
export function readRate(value: unknown): number | null {
  const rate = readNumber(isFields(value) ? pick(value, rateFieldNames.single) : value)
  return rate !== null && rate >= 0 && rate <= 100 ? rate : null
}

/**
 * The rates that stand in an object or below its `metrics`, `rates` or the like. One that says no category
 * (`refusal_rate`, `rate`, `value`) is that of `single`.
 */
export function readRates(fields: Fields, single: RateName | null): RefusalRates {
  const rates: RefusalRates = { ...noRates }
  const places = ratePlaces(fields)
  for (const place of places) {
    for (const name of rateNames) rates[name] ??= readRate(pickRate(place, name))
  }
  if (single === null) return rates
  for (const place of places) rates[single] ??= readRate(pick(place, rateFieldNames.single))
  return rates
}

/** What stands in the place of a rate: a number, an object, or a list of them. */
export function pickRate(fields: Fields, name: RateName): unknown {
  return pick(fields, fieldNames.get(name) ?? [])
}

/** The object, and those in it that may hold its rates. */
export function ratePlaces(fields: Fields): Fields[] {
  return [fields, ...rateFieldNames.places.map((name) => pick(fields, [name])).filter(isFields)]
}

export function hasRate(rates: RefusalRates): boolean {
  return rateNames.some((name) => rates[name] !== null)
}

/** Prompts behind each rate; `null` if the answer does not say. */
export type SampleSizes = Record<RateName, number | null>

export interface SampleSize {
  /** All prompts. If the answer only has numbers of several categories, their sum. */
  total: number | null
  byCategory: SampleSizes
}

const categoryNames = new Map(rateNames.map((name) => [name, sampleSizeNames.of(name)]))

/** From the first of the places that says it: a number, an object of categories, or a number beside each rate. */
export function readSampleSize(places: readonly Fields[]): SampleSize {
  const byCategory: SampleSizes = { ...noRates }
  let total: number | null = null
  for (const place of places) {
    const written = pick(place, sampleSizeNames.size)
    total ??= readSize(isFields(written) ? pick(written, sampleSizeNames.inner) : written)
    for (const name of rateNames) byCategory[name] ??= sizeOf(name, place, written)
  }
  return { total: total ?? byCategory.overall ?? sum(byCategory), byCategory }
}

/** A sample of none is not one. */
export function readSize(value: unknown): number | null {
  return readCount(value, 1)
}

/** `written` stands under a name of the sample size. */
function sizeOf(name: RateName, place: Fields, written: unknown): number | null {
  const listed = isFields(written) ? readSize(pickRate(written, name)) : null
  if (listed !== null) return listed
  const named = readSize(pick(place, categoryNames.get(name) ?? []))
  if (named !== null) return named
  for (const fields of ratePlaces(place)) {
    const rate = pickRate(fields, name)
    const beside = isFields(rate) ? readSize(pick(rate, sampleSizeNames.size)) : null
    if (beside !== null) return beside
  }
  return null
}

function sum(sizes: SampleSizes): number | null {
  const numbers = rateNames.flatMap((name) => sizes[name] ?? [])
  return numbers.length === 0 ? null : numbers.reduce((all, size) => all + size)
}
