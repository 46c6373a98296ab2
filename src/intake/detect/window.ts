import { rateNames } from './observation.ts'
import { median } from './scale.ts'
import type { Bin } from './state.ts'

/** Readings that one measurement may stand in, at most. */
const longest = 10
/** In means of w measurements, what one adds goes w readings later: those differences correlate by −½. So clear it must be, */
const clearly = -0.3
/** with so many differences in each rate at least, */
const leastDifferences = 20
/** each cut at so many times the middle one, or a glitch that has not gone yet would hide it. */
const cut = 2

/** What is known of bins, which are never changed: each reading asks for it once a rate. */
const windows = new WeakMap<readonly Bin[], number>()

/** In how many readings one measurement stands: more than one where each is a mean of the newest measurements. */
export function windowOf(bins: readonly Bin[]): number {
  const known = windows.get(bins) ?? findWindow(bins)
  windows.set(bins, known)
  return known
}

function findWindow(bins: readonly Bin[]): number {
  const all = rateNames.map((rate) => differencesOf(bins.map((bin) => bin.sum[rate] / bin.weight[rate])))
  let window = 1
  let strongest = clearly
  for (let lag = 2; lag <= longest; lag++) {
    let [products, squares] = [0, 0]
    for (const differences of all) {
      for (let index = lag; index < differences.length; index++) {
        const [one = 0, earlier = 0] = [differences[index], differences[index - lag]]
        products += one * earlier
        squares += (one ** 2 + earlier ** 2) / 2
      }
    }
    if (products < strongest * squares) [window, strongest] = [lag, products / squares]
  }
  return window
}

function differencesOf(values: readonly number[]): number[] {
  const known = values.filter((value) => !Number.isNaN(value))
  const differences = known.slice(1).map((value, index) => value - (known[index] ?? value))
  if (differences.length < leastDifferences) return []
  const most = cut * median(differences.map(Math.abs))
  return differences.map((one) => Math.min(Math.max(one, -most), most))
}
