import { sampleSizeNames } from '../names.ts'
import { type Fields, isFields, pick, readCount } from './fields.ts'
import { pickRate, type RateName, rateNames, ratePlaces } from './rates.ts'

/** Prompts behind each rate; `null` where the answer does not say. */
export type SampleSizes = Record<RateName, number | null>

export interface SampleSize {
  /** Prompts in all; where the answer has only those of several categories, their sum. */
  total: number | null
  byCategory: SampleSizes
}

const categoryNames = new Map(rateNames.map((name) => [name, sampleSizeNames.of(name)]))

/** From the first of the places that says it: a number, an object of categories, or a number beside each rate. */
export function readSampleSize(places: readonly Fields[]): SampleSize {
  const byCategory: SampleSizes = { overall: null, political: null, safety: null, social: null }
  let total: number | null = null
  for (const place of places) {
    const written = pick(place, sampleSizeNames.size)
    total ??= readSize(isFields(written) ? pick(written, sampleSizeNames.inner) : written)
    const rates = ratePlaces(place)
    for (const name of rateNames) byCategory[name] ??= sizeOf(name, { place, written, rates })
  }
  return { total: total ?? byCategory.overall ?? sum(byCategory), byCategory }
}

/** A sample of none is not one. */
export function readSize(value: unknown): number | null {
  return readCount(value, 1)
}

interface WrittenSampleSize {
  place: Fields
  /** What stands under a name of the sample size. */
  written: unknown
  rates: readonly Fields[]
}

function sizeOf(name: RateName, { place, written, rates }: WrittenSampleSize): number | null {
  const listed = isFields(written) ? readSize(pickRate(written, name)) : null
  if (listed !== null) return listed
  const named = readSize(pick(place, categoryNames.get(name) ?? []))
  if (named !== null) return named
  for (const fields of rates) {
    const rate = pickRate(fields, name)
    const beside = isFields(rate) ? readSize(pick(rate, sampleSizeNames.size)) : null
    if (beside !== null) return beside
  }
  return null
}

function sum(sizes: SampleSizes): number | null {
  const known = rateNames.flatMap((name) => sizes[name] ?? [])
  return known.length === 0 ? null : known.reduce((all, size) => all + size)
}
