import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/service/sandbox/random.ts'
import { countPairs, coverPairs, type Dimension, drawCase } from './covering.ts'

const dimensions = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 7 }).map((sizes) =>
  sizes.map((size, index) => ({
    key: `question ${index}`,
    values: Array.from({ length: size }, (_, value) => `${value}`),
  })),
)

/** Written anew, and without a thought for speed. */
function missing(all: readonly Dimension[], cases: readonly Readonly<Record<string, string>>[]) {
  const pairs = all.flatMap((a, index) =>
    all
      .slice(index + 1)
      .flatMap((b) =>
        a.values.flatMap((one) => b.values.map((other) => ({ a: a.key, one, b: b.key, other }))),
      ),
  )
  const left = pairs.filter(
    ({ a, one, b, other }) => !cases.some((chosen) => chosen[a] === one && chosen[b] === other),
  )
  return { pairs: pairs.length, left }
}

test('every pair of answers is in a case, and every case answers every question', () => {
  fc.assert(
    fc.property(dimensions, fc.nat(), (all, seed) => {
      const cases = coverPairs(all, seededRandom(seed, 'cases'))
      expect(missing(all, cases)).toEqual({ pairs: countPairs(all), left: [] })
      for (const chosen of cases) {
        expect(Object.keys(chosen)).toEqual(all.map(({ key }) => key))
        for (const { key, values } of all) expect(values).toContain(chosen[key])
      }
    }),
    { numRuns: 50 },
  )
})

test('the cases are few: 30 questions with 4 answers each take less than three times the least', () => {
  const all = Array.from({ length: 30 }, (_, index) => ({ key: `${index}`, values: ['a', 'b', 'c', 'd'] }))
  expect(coverPairs(all, seededRandom(1, 'cases')).length).toBeLessThan(3 * 16)
})

test('the same seed draws the same case', () => {
  const all = [
    { key: 'pages', values: ['none', 'link'] },
    { key: 'rates', values: ['fraction', 'percent'] },
  ]
  const draw = () => drawCase(all, seededRandom(3, 'cases'))
  expect(draw()).toEqual(draw())
})
