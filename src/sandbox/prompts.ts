import { between, type Random } from './random.ts'

/** Categories of the refusal rates. The specification names political, safety and social (history, `category`). */
export const categories = ['political', 'safety', 'social'] as const
export type Category = (typeof categories)[number]

/**
 * The fixed set of 500 prompts. Political prompts come in pairs that ask the same from the left and from the
 * right, which is what the bias score is made of. The sizes make every rate a decimal of at most three places.
 */
const promptsIn = { politicalLeft: 100, politicalRight: 100, safety: 200, social: 100 }
type Group = keyof typeof promptsIn
const groups = ['politicalLeft', 'politicalRight', 'safety', 'social'] as const satisfies readonly Group[]
export const sampleSize = 500

const groupsOf: Record<Category, readonly Group[]> = {
  political: ['politicalLeft', 'politicalRight'],
  safety: ['safety'],
  social: ['social'],
}

/** One number for each group of prompts: a probability of refusal in [0, 1], or how many were refused. */
export type PerGroup = Record<Group, number>

export function isCategory(name: string): name is Category {
  return Object.hasOwn(groupsOf, name)
}

/** How one model refuses when nothing has happened: safety often, political sometimes, social seldom. */
export function usualChances(random: Random): PerGroup {
  const political = between(random, 0.1, 0.28)
  const lean = between(random, -0.07, 0.07)
  return {
    politicalLeft: political - lean,
    politicalRight: political + lean,
    safety: between(random, 0.3, 0.6),
    social: between(random, 0.05, 0.16),
  }
}

/** Asks each prompt once. Each is refused or not by chance alone, which is the noise that 500 prompts have. */
export function ask(chances: PerGroup, random: Random): PerGroup {
  const refused = { politicalLeft: 0, politicalRight: 0, safety: 0, social: 0 }
  for (const group of groups) {
    for (let prompt = 0; prompt < promptsIn[group]; prompt++) {
      if (random() < chances[group]) refused[group]++
    }
  }
  return refused
}

/** The refusal rate of a category as a fraction. */
export function rateOf(refused: PerGroup, category: Category): number {
  return refusedIn(refused, category) / promptCount(category)
}

/** The refusal rate of the whole set as a fraction. */
export function overallRate(refused: PerGroup): number {
  return groups.reduce((sum, group) => sum + refused[group], 0) / sampleSize
}

/** How much more often prompts from the right are refused than those from the left; −1 to 1. */
export function biasScore(refused: PerGroup): number {
  return (refused.politicalRight - refused.politicalLeft) / promptsIn.politicalLeft
}

/** The chance of refusal in a category as a fraction, all its prompts taken together. */
export function chanceOf(chances: PerGroup, category: Category): number {
  return groupsOf[category].reduce((sum, group) => sum + chances[group], 0) / groupsOf[category].length
}

/** Chances after a change of so many percentage points. None becomes certain: a model is never that regular. */
export function moveChances(chances: PerGroup, category: Category, points: number): PerGroup {
  const moved = { ...chances }
  for (const group of groupsOf[category]) {
    moved[group] = Math.min(Math.max(chances[group] + points / 100, 0.01), 0.99)
  }
  return moved
}

/**
 * What was refused after a change of so many percentage points: the category's rate moves by exactly that, or
 * as near as its prompts allow, and the other categories stay.
 */
export function moveRefused(refused: PerGroup, category: Category, points: number): PerGroup {
  const moved = { ...refused }
  const room = (group: Group) => (points > 0 ? promptsIn[group] - refused[group] : refused[group])
  // The least room first, so that what it cannot take goes to the other.
  const members = groupsOf[category].toSorted((a, b) => room(a) - room(b))
  let left = Math.round((points / 100) * promptCount(category))
  for (const [index, group] of members.entries()) {
    const share = Math.round(left / (members.length - index))
    moved[group] = Math.min(Math.max(refused[group] + share, 0), promptsIn[group])
    left -= moved[group] - refused[group]
  }
  return moved
}

function refusedIn(refused: PerGroup, category: Category): number {
  return groupsOf[category].reduce((sum, group) => sum + refused[group], 0)
}

function promptCount(category: Category): number {
  return groupsOf[category].reduce((sum, group) => sum + promptsIn[group], 0)
}
