import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contradicts, toFraction, withRates } from '../../../../src/intake/poll/fetch.ts'
import { runs } from '../../../support/runs.ts'

const noUnits = { unit: null, sample: [] }

/** Rates of one set of 500 prompts, as fractions. */
const fractions = fc.array(
  fc.integer({ min: 1, max: 350 }).map((refused) => refused / 500),
  { minLength: 40, maxLength: 200 },
)

test('many rates show the unit, in any order', () => {
  fc.assert(
    fc.property(fractions, (rates) => {
      const percent = rates.map((rate) => Number((rate * 100).toFixed(6)))
      fc.pre(percent.filter((rate) => rate > 1).length > percent.length / 2)
      expect(withRates(noUnits, percent, 'auto').unit).toBe('percent')
      expect(withRates(noUnits, rates, 'auto').unit).not.toBe('percent')
    }),
    runs(),
  )
})

test('one rate shows no unit, and a mistaken one among fractions changes nothing', () => {
  expect(withRates(noUnits, [20], 'auto').unit).toBe(null)
  const many = Array.from({ length: 60 }, (_, index) => (index + 20) / 500)
  const read = withRates(noUnits, many, 'auto')
  expect(read.unit).toBe('fraction')
  expect(withRates(read, [31, 24.4], 'auto').unit).toBe('fraction')
})

test('what is pinned stays', () => {
  expect(withRates(noUnits, [20, 30], 'fraction').unit).toBe('fraction')
})

test('a rate that cannot be in the unit is no number, and a look in another unit is seen as one', () => {
  expect(toFraction(20, 'fraction')).toBeNaN()
  expect(toFraction(7, 'percent')).toBe(0.07)
  expect(toFraction(null, 'percent')).toBe(null)
  expect(contradicts('percent', [0.2, 0.31, 0.12])).toBe(true)
  expect(contradicts('percent', [20, 0.4])).toBe(false)
})

test('a service that begins to write the other unit is followed after some looks', () => {
  const look = (scale: number) => [0.2, 0.23, 0.34, 0.18, 0.21, 0.4, 0.16, 0.22].map((rate) => rate * scale)
  let units = withRates(
    noUnits,
    Array.from({ length: 90 }, (_, index) => index + 5),
    'auto',
  )
  expect(units.unit).toBe('percent')
  for (let looks = 0; looks < 14; looks++)
    units = withRates(
      units,
      look(1).map((rate) => rate + looks / 500),
      'auto',
    )
  expect(units.unit).toBe('fraction')
})
