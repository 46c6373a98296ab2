import { expect, test } from 'vitest'
import { stabilise, upperTail } from '../../../../src/intake/detect/scale.ts'
import { binomialQuantile, normalOf } from '../../../../src/intake/detect/threshold.ts'

const rates = [0.01, 0.02, 0.05, 0.2, 0.5, 0.8, 0.95, 0.98]
const sizes = [50, 100, 200, 500, 2000, 5000]
/** Standard errors from which on a step is found: monthly, daily a rise and a fall, and hourly. */
const normals = [2.8, 3.75, 4.6, 5.2]

/** Chances of each count, added up from the logarithms of the factorials. */
function chancesOf(n: number, rate: number): Float64Array {
  const chances = new Float64Array(n + 1)
  let ways = 0
  for (let count = 0; count <= n; count++) {
    if (count > 0) ways += Math.log(n - count + 1) - Math.log(count)
    chances[count] = Math.exp(ways + count * Math.log(rate) + (n - count) * Math.log(1 - rate))
  }
  return chances
}

const cases = rates.flatMap((rate) => sizes.map((n) => ({ rate, n, chances: chancesOf(n, rate) })))

test('the chance of a count is the exact one within 5 percent, and within half a percent where fifty are expected of either', () => {
  for (const { rate, n, chances } of cases) {
    const within = Math.min(rate, 1 - rate) * n < 50 ? 0.05 : 0.005
    let exact = 0
    for (let count = n; count > 0; count--) {
      exact += chances[count] ?? 0
      if (exact > 1e-3 || exact < 1e-9) continue
      const ratio = upperTail(normalOf(count - 1, n, rate)) / exact
      expect(Math.abs(ratio - 1), `${count} of ${n} at ${rate}`).toBeLessThan(within)
    }
  }
})

test.each(normals)(
  'at rates from 1 to 98 percent, what exceeds %d standard errors is as rare as it should be, both up and down',
  (normal) => {
    for (const { rate, n, chances } of cases) {
      const level = chances.reduce((sum, chance, count) => sum + chance * stabilise(count / n, n), 0)
      for (const direction of [1, -1] as const) {
        const limit = binomialQuantile(normal, { direction, level, n, readings: 1, prompts: n })
        // From the end of the scale inwards: the counts that are found, and the first that is not.
        let [found, last, next] = [0, 0, 0]
        for (let far = 0; far <= n; far++) {
          const count = direction === 1 ? n - far : far
          const errors = direction * (stabilise(count / n, n) - level) * Math.sqrt(n)
          next = chances[count] ?? 0
          if (errors <= limit) break
          found += next
          last = next
        }
        const wanted = upperTail(normal)
        // The last count that is found is as rare as it should be, half of it on either side; the next would not be.
        expect(found - last / 2, `${direction} at ${rate} of ${n}`).toBeLessThan(1.001 * wanted)
        // Below two, the history hardly shows the rate itself.
        const isKnown = Math.min(rate, 1 - rate) * n >= 2
        expect(found + next / 2, `${direction} at ${rate} of ${n}`).toBeGreaterThan(
          (isKnown ? 0.97 : 0.15) * wanted,
        )
      }
    }
  },
)

test('a reading of nothing but refusals is no rise where that is what chance does now and then', () => {
  const level = stabilise(0.98, 50)
  const at = { direction: 1, level, n: 50, readings: 1, prompts: 50 } as const
  expect(binomialQuantile(3.75, at)).toBe(Number.POSITIVE_INFINITY)
  // A fall of as many refusals from 2 percent is the same.
  expect(binomialQuantile(3.75, { ...at, direction: -1, level: Math.PI - level })).toBe(
    Number.POSITIVE_INFINITY,
  )
})

test('the mean of many readings, and noise of a harness, count as so many prompts', () => {
  const level = stabilise(0.02, 500)
  const from = (prompts: number, readings: number) =>
    binomialQuantile(4.6, { direction: -1, level, n: 500, readings, prompts })
  // Ten readings with four times the binomial noise are as two and a half without.
  expect(from(1250, 10)).toBeGreaterThan(from(5000, 10))
  expect(from(5000, 10)).toBeGreaterThan(4.6)
  // The tail of a large count is that of the normal distribution; so is one too far out for a number.
  expect(from(5_000_000, 10_000)).toBeCloseTo(4.6, 1)
  expect(from(31, 1)).toBe(Number.POSITIVE_INFINITY)
  expect(binomialQuantile(40, { direction: 1, level, n: 500, readings: 1, prompts: 500 })).toBe(40)
})
