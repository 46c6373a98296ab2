import { type Detector, fixedThreshold, ours } from './detector.ts'
import { promptsIn } from './noise.ts'
import { binomialTable, tunedOracle } from './oracle.ts'
import { add, noScore, type Score, scoreYear } from './score.ts'
import { type Step, tryDetector, tryOracle } from './trial.ts'
import { simulateYear, type YearPlan } from './year.ts'

export interface Seeds {
  from: number
  to: number
}

/** Rivals are tuned on these seeds, as our own constants were; they are never reported. */
export const tuning: Seeds = { from: 100_001, to: 100_200 }
/** Constants were chosen on seeds below this one, and from `tuning` on. */
export const leastReported = 1_000

export function scoreYears(seeds: Seeds, plan: YearPlan, detectors: readonly Detector[]): Score[] {
  let scores = detectors.map(() => noScore)
  for (let seed = seeds.from; seed <= seeds.to; seed++) {
    const year = simulateYear(seed, plan)
    scores = scores.map((score, index) => add(score, scoreYear(year, detectors[index] ?? ours)))
  }
  return scores
}

export function falseAlarmsPerYear({ wrong, again }: Score, seeds: Seeds): number {
  return (wrong + again) / years(seeds)
}

/** The rival's least threshold with no more false alarms than this on calm years. */
export function tunedRival(readings: number, perYear: number): number {
  const plan = { noise: 'binomial', changes: false, unrest: false } as const
  const calm = Array.from({ length: years(tuning) }, (_, index) => simulateYear(tuning.from + index, plan))
  return leastThreshold(
    readings,
    perYear,
    (detector) => calm.reduce((sum, year) => sum + scoreYear(year, detector).wrong, 0) / calm.length,
  )
}

/** The least, in quarters of a point, with which a fixed threshold gives no more alarms a year than are wanted. */
export function leastThreshold(
  readings: number,
  wanted: number,
  alarmsOf: (detector: Detector) => number,
): number {
  let [low, high] = [1, 200]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (alarmsOf(fixedThreshold(readings, middle / 4)) > wanted) low = middle + 1
    else high = middle
  }
  return low / 4
}

/** Readings until each step is found, by step and seed. */
export function delaysOf({ from, to }: Seeds, steps: readonly Step[], detector: Detector): number[][] {
  const delays = steps.map((): number[] => [])
  for (let seed = from; seed <= to; seed++) {
    for (const [index, delay] of tryDetector(seed, steps, detector).entries()) delays[index]?.push(delay)
  }
  return delays
}

/**
 * Readings until the oracle finds a step at so many false alarms a year. Its delay costs little to measure: twenty times
 * as many trials leave its own error out of the ratio.
 */
export function oracleDelays(seeds: Seeds, step: Step, perYear: number, alarms?: number): number[] {
  const n = step.where === 'overall' ? 500 : promptsIn[step.where]
  const after = 0.2 + step.points / 100
  const tuned = tunedOracle(n, 0.2, after, 365 / perYear, alarms)
  const draw = { before: binomialTable(n, 0.2), after: binomialTable(n, after) }
  return Array.from({ length: 20 * years(seeds) }, (_, index) => tryOracle(index + 1, tuned, draw))
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function partWithin(values: readonly number[], readings: number): number {
  return values.filter((value) => value <= readings).length / values.length
}

export function years({ from, to }: Seeds): number {
  return to - from + 1
}
