import { chance } from './chance.ts'

const samples = 400

/** A mean with its bootstrap standard error: "0.060 ± 0.010". */
export function perYear(counts: readonly number[]): string {
  return format(counts)
}

/** A part of trials, likewise; of all in so many, one less three in so many are the least that may be. */
export function part(trials: readonly boolean[]): string {
  if (trials.length === 0) return ''
  if (trials.every(Boolean)) return `1 (> ${(1 - bound(trials.length)).toFixed(3)})`
  return format(trials.map((one) => (one ? 1 : 0)))
}

function format(values: readonly number[]): string {
  if (values.every((value) => value === 0)) return `0 (< ${bound(values.length).toFixed(3)})`
  return `${meanOf(values).toFixed(3)} ± ${bootstrapError(values).toFixed(3)}`
}

/** Of nothing in so many trials, three in so many are the most that may be (95 percent). */
function bound(trials: number): number {
  return Math.min(1, 3 / trials)
}

/** How many times as large one mean is as another, with its bootstrap standard error. */
export function ratio(values: readonly number[], others: readonly number[]): string {
  const of = meanOf(values) / meanOf(others)
  const parts = [values, others].map((list) => bootstrapError(list) / meanOf(list))
  return `${of.toFixed(2)} ± ${(of * Math.hypot(...parts)).toFixed(2)}`
}

/** Standard deviation of the means of samples that are drawn from the values with replacement (Efron 1979). */
function bootstrapError(values: readonly number[]): number {
  const random = chance(values.length, 31)
  const means = Array.from({ length: samples }, () => {
    let sum = 0
    for (let drawn = 0; drawn < values.length; drawn++)
      sum += values[Math.floor(random() * values.length)] ?? 0
    return sum / values.length
  })
  const middle = meanOf(means)
  return Math.sqrt(meanOf(means.map((one) => (one - middle) ** 2)))
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
