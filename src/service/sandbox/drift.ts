import { categories, mayDrift, moveChances, type PerGroup, type PromptCategory } from './prompts.ts'
import { between, pick, type Random, wholeNumber } from './random.ts'
import { readingsPerDay } from './readings.ts'

/** A slow move of one category's rate, for weeks to months; nobody reports it. */
export interface Drift {
  category: PromptCategory
  /** Percentage points from one reading to the next. */
  points: number
  /** Readings that it goes on for. */
  left: number
}

/** Every other one is a calm; the others move 2 to 5 percentage points in 6 to 20 weeks. */
export function nextDrift(random: Random, last?: Drift): Drift {
  const left = readingsPerDay * wholeNumber(random, 6 * 7, 20 * 7)
  const size = between(random, 2, 5) * (random() < 0.5 ? -1 : 1)
  const calm = last === undefined || last.points !== 0
  return { category: pick(random, categories), points: calm ? 0 : size / left, left }
}

/** The chances of refusal so many readings later: what is usual moves, and what is now with it. */
export function drifted(chances: { usual: PerGroup; now: PerGroup }, drift: Drift, readings: number) {
  const { category } = drift
  const points = drift.points * readings
  if (points === 0 || !mayDrift(chances.usual, category, points / 100)) return chances
  return {
    usual: moveChances(chances.usual, category, points),
    now: moveChances(chances.now, category, points),
  }
}
