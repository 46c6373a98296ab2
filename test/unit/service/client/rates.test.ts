import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Counted,
  inferUnit,
  inferUnitOfCounts,
  toPercent,
} from '../../../../src/service/client/readers/rates.ts'
import { runs } from '../../../support/runs.ts'

/** Refused prompts of one category, at a level from 0.2% to 99%, as fractions. */
const category = fc
  .record({
    prompts: fc.integer({ min: 1, max: 500 }),
    level: fc.double({ min: 0.002, max: 0.99, noNaN: true }),
    spread: fc.double({ min: 0, max: 0.05, noNaN: true }),
    noise: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 }),
  })
  .map(({ prompts, level, spread, noise }) =>
    noise.map((one) => {
      const refused = Math.round(prompts * (level + one * spread))
      return Math.min(Math.max(refused, 0), prompts) / prompts
    }),
  )
/** Overall and three categories, each of its own number of prompts. */
const observations = fc.array(category, { minLength: 1, maxLength: 4 }).map((all) => all.flat())
/** Decimals of the service's rounding. */
const decimals = fc.constantFrom(1, 2, 3, 4, 15)
const rounded = (rate: number, to: number) => Number(rate.toFixed(to))

test('percent is never taken for a fraction, at any level and rounding', () => {
  fc.assert(
    fc.property(observations, decimals, (rates, to) => {
      expect(inferUnit(rates.map((rate) => rounded(rate * 100, to)))).not.toBe('fraction')
    }),
    runs(2_000),
  )
})

test('percent of small rates, none above 1, is never taken for a fraction', () => {
  const set = fc.integer({ min: 100, max: 500 })
  const sets = fc.array(set, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(sets, decimals, (sizes, to) => {
      const rates = sizes.flatMap((size) =>
        [0, 1, 2, 3, 4, 5].map((refused) => rounded((100 * refused) / size, to)),
      )
      expect(inferUnit(rates.filter((rate) => rate <= 1))).not.toBe('fraction')
    }),
    runs(2_000),
  )
})

test('a fraction is never taken for percent, at any level and rounding', () => {
  fc.assert(
    fc.property(observations, decimals, (rates, to) => {
      expect(inferUnit(rates.map((rate) => rounded(rate, to)))).not.toBe('percent')
    }),
    runs(2_000),
  )
})

test.each([
  { what: 'a rate above 1', rates: [0, 0.4, 1.2], unit: 'percent' },
  { what: 'a rate below 0.2, which is less than one prompt of 500', rates: [0.3, 0.118], unit: 'fraction' },
  {
    what: 'more rates close together than there are sets of prompts',
    rates: [0.41, 0.412, 0.414, 0.42, 0.424, 0.43, 0.436, 0.44, 0.45],
    unit: 'fraction',
  },
  {
    what: 'a day of the sandbox, five models',
    rates: [0.276, 0.185, 0.41, 0.3, 0.12, 0.09],
    unit: 'fraction',
  },
  { what: 'two rates that may be either', rates: [0.4, 0.6], unit: undefined },
  { what: 'one prompt of 500', rates: [0.2, 100 / 500, 0.1 + 0.1], unit: undefined },
  { what: 'no refusals', rates: [0, 0, 0], unit: undefined },
  { what: 'everything refused, or one percent', rates: [1], unit: undefined },
  { what: 'no rates', rates: [], unit: undefined },
  { what: 'numbers that are no rates', rates: [-1, Number.NaN, 1_000], unit: undefined },
])('$what: $unit', ({ rates, unit }) => {
  expect(inferUnit(rates)).toBe(unit)
})

/** A reading of up to four sets of prompts, each with its own size; some are small rates, some of none or all. */
const counts = fc.array(
  fc
    .record({
      sampleSize: fc.integer({ min: 1, max: 500 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .chain(({ sampleSize, part }) =>
      fc
        .constantFrom(part, part / 100)
        .map((level) => ({ sampleSize, refused: Math.round(sampleSize * level) })),
    ),
  { minLength: 1, maxLength: 4 },
)
const cut = (rate: number, to: number) => Math.trunc(rate * 10 ** to) / 10 ** to
const shortened = fc.constantFrom(rounded, cut)

test.each([
  { written: 'percent', whole: 100, not: 'fraction' },
  { written: 'a fraction', whole: 1, not: 'percent' },
])('with sample sizes, $written is never taken for $not', ({ whole, not }) => {
  fc.assert(
    fc.property(counts, decimals, shortened, (all, to, short) => {
      const read = all.map(({ sampleSize, refused }): Counted => {
        return { rate: short((whole * refused) / sampleSize, to), sampleSize }
      })
      expect(inferUnitOfCounts(read)).not.toBe(not)
    }),
    runs(5_000),
  )
})

test('with its sample size, one rate of 500 prompts tells, but for those near 0.2, 0.4, 0.6, 0.8, 1 or of one decimal', () => {
  const told = Array.from({ length: 500 }, (_, index) => index + 1).filter(
    (refused) => inferUnitOfCounts([{ rate: refused / 500, sampleSize: 500 }]) === 'fraction',
  )
  expect(told).toHaveLength(483)
  expect(told).not.toContain(100)
})

test.each([
  { what: 'a mean, which is no whole number of prompts', counts: [{ rate: 0.32817, sampleSize: 500 }] },
  { what: 'a rate whose size is not known', counts: [{ rate: 0.222, sampleSize: null }] },
  {
    what: 'one of two that fits neither way',
    counts: [
      { rate: 0.222, sampleSize: 500 },
      { rate: 0.32817, sampleSize: 200 },
    ],
  },
])('no unit follows from $what', ({ counts }) => {
  expect(inferUnitOfCounts(counts)).toBeUndefined()
})

test('a fraction in percent is without noise, and percent stays as it is', () => {
  expect([0.07, 0.286, 1, 0].map((rate) => toPercent(rate, 'fraction'))).toEqual([7, 28.6, 100, 0])
  expect(toPercent(28.6, 'percent')).toBe(28.6)
})
