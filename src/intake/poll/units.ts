import { inferUnit, type RateUnit, toPercent } from '../../service/client/readers/rates.ts'

/** In which unit the service writes its rates, and the readings that tell it. */
export interface ServiceUnit {
  unit: RateUnit | null
  /** The newest rates of any model and category, as they were written. */
  sample: number[]
}

export const noUnits: ServiceUnit = { unit: null, sample: [] }

/** Some six readings of five models with three rates: enough to tell, and soon others where the service changes. */
const sampled = 100
/** Never from one reading: of so many rates the unit is inferred. */
const least = 10
/** Percent are above 1 nearly all; up to this part of the rates, what is above 1 is taken for a mistake. */
const mistaken = 0.1

/** What is known after more rates, as the service wrote them. A unit that is pinned (`monitor.rates`) stays. */
export function withRates(
  units: ServiceUnit,
  rates: readonly number[],
  pinned: 'auto' | RateUnit,
): ServiceUnit {
  const usable = rates.filter((rate) => rate > 0 && rate <= 100)
  const sample = [...units.sample, ...usable].slice(-sampled)
  if (pinned !== 'auto') return { unit: pinned, sample }
  return { unit: inferred([...units.sample, ...usable]) ?? units.unit, sample }
}

/**
 * A rate as a fraction from 0 to 1. What cannot be in this unit becomes NaN, which the detector remarks upon and does
 * not judge.
 */
export function toFraction(rate: number | null, unit: RateUnit): number | null {
  if (rate === null) return null
  const fraction = Number((toPercent(rate, unit) / 100).toPrecision(12))
  return fraction <= 1 ? fraction : Number.NaN
}

/**
 * Whether a whole look is in another unit than is known: rates in percent that are all at most 1 would be a fall of
 * everything to nothing. They are not judged; where it lasts, the sample tells the new unit.
 */
export function contradicts(unit: RateUnit, rates: readonly number[]): boolean {
  const some = rates.filter((rate) => rate > 0)
  return unit === 'percent' && some.length >= 2 && some.every((rate) => rate <= 1)
}

function inferred(sample: readonly number[]): RateUnit | undefined {
  if (sample.length < least) return undefined
  const small = sample.filter((rate) => rate <= 1)
  const large = sample.length - small.length
  if (large > sample.length / 2) return 'percent'
  return large <= sample.length * mistaken ? inferUnit(small) : undefined
}
