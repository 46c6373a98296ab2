import type { Observation } from '../../../src/intake/detect/observation.ts'
import { binomial, type Chance, chance } from './chance.ts'
import type { Detector } from './detector.ts'
import { type Category, categories, promptsIn } from './noise.ts'
import type { Oracle } from './oracle.ts'

/** A step from 20%, on all prompts or on those of one category, percentage points. */
export interface Step {
  where: Category | 'overall'
  points: number
}

/** Not found within so many readings: counted as that many. */
const longest = 40
const calmDays = 365
const dayMs = 86_400_000
const before = 0.2

/** Readings until each step is found after a calm year, 1 for the first. */
export function tryDetector(seed: number, steps: readonly Step[], detector: Detector): number[] {
  const calm = chance(seed, 11)
  const begin = detector(Array.from({ length: calmDays }, (_, day) => reading(day, null, calm)))
  return steps.map((step) => {
    const watch = begin()
    const random = chance(seed, 12)
    const direction = step.points > 0 ? 'rise' : 'fall'
    for (let day = 1; day < longest; day++) {
      const detections = watch(reading(calmDays + day, step, random))
      if (detections.some((one) => one.direction === direction)) return day
    }
    return longest
  })
}

/** The same for the oracle, on the rate that shows the step best; it draws counts before and after the step. */
export function tryOracle(
  seed: number,
  oracle: Oracle,
  draw: { before: (random: Chance) => number; after: (random: Chance) => number },
): number {
  const random = chance(seed, 13)
  let statistic = 0
  for (let day = 0; day < 60; day++) {
    statistic = oracle.next(statistic, draw.before(random))
    if (statistic >= oracle.limit) statistic = 0
  }
  for (let day = 1; day < longest; day++) {
    statistic = oracle.next(statistic, draw.after(random))
    if (statistic >= oracle.limit) return day
  }
  return longest
}

function reading(day: number, step: Step | null, random: Chance): Observation {
  const refused = { political: 0, safety: 0, social: 0 }
  for (const category of categories) {
    const moved =
      step !== null && (step.where === 'overall' || step.where === category) ? step.points / 100 : 0
    refused[category] = binomial(random, promptsIn[category], before + moved)
  }
  const at = new Date(Date.UTC(2025, 0, 1) + day * dayMs).toISOString()
  return {
    at,
    version: '4.1',
    lastUpdated: at,
    rates: {
      overall: (refused.political + refused.safety + refused.social) / 500,
      political: refused.political / promptsIn.political,
      safety: refused.safety / promptsIn.safety,
      social: refused.social / promptsIn.social,
    },
    counts: { overall: 500, ...promptsIn },
  }
}
