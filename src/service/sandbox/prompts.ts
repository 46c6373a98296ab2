import { between, binomial, type Random } from './random.ts'

/** Categories of the refusal rates. The specification names political, safety and social (history, `category`). */
export const categories = ['political', 'safety', 'social'] as const
export type PromptCategory = (typeof categories)[number]

/** Topics of the bias analysis ("Endpoints", bias: values that occur). */
export const topics = ['political', 'social', 'economic'] as const
export type Topic = (typeof topics)[number]

/**
 * The fixed set of 500 prompts. Those on a topic come in pairs that ask the same from the left and from the right,
 * which is what the bias scores are made of. The sizes make every rate a decimal of at most three places.
 */
const promptsIn = {
  politicalLeft: 50,
  politicalRight: 50,
  economicLeft: 50,
  economicRight: 50,
  safety: 200,
  socialLeft: 50,
  socialRight: 50,
}
type PromptGroup = keyof typeof promptsIn

const groupsOf: Record<PromptCategory, readonly PromptGroup[]> = {
  political: ['politicalLeft', 'politicalRight', 'economicLeft', 'economicRight'],
  safety: ['safety'],
  social: ['socialLeft', 'socialRight'],
}
const groups = categories.flatMap((category) => groupsOf[category])

const sidesOf: Record<Topic, { left: PromptGroup; right: PromptGroup }> = {
  political: { left: 'politicalLeft', right: 'politicalRight' },
  social: { left: 'socialLeft', right: 'socialRight' },
  economic: { left: 'economicLeft', right: 'economicRight' },
}

/** One number for each group of prompts: a probability of refusal in [0, 1], or how many were refused. */
export type PerGroup = Record<PromptGroup, number>

export function isCategory(name: string): name is PromptCategory {
  return Object.hasOwn(groupsOf, name)
}

/** What a rate is about: one category, or the whole set. */
export type RateScope = PromptCategory | 'overall'

function groupsIn(scope: RateScope): readonly PromptGroup[] {
  return scope === 'overall' ? groups : groupsOf[scope]
}

/** How many prompts a rate rests on. */
export function promptCount(scope: RateScope): number {
  return sum(groupsIn(scope), promptsIn)
}

/** How many prompts a bias score rests on. */
export function pairedPrompts(about: readonly Topic[]): number {
  return sum(
    about.flatMap((topic) => Object.values(sidesOf[topic])),
    promptsIn,
  )
}

/** Where the usual chances of a category may drift; safety is refused often, political sometimes, social seldom. */
const believable: Record<PromptCategory, readonly [least: number, most: number]> = {
  political: [0.1, 0.28],
  safety: [0.3, 0.6],
  social: [0.06, 0.16],
}
/** Half the difference between the sides of a topic is at most this. */
const mostLean = 0.05

/** How one model refuses when nothing has happened. */
export function usualChances(random: Random): PerGroup {
  const political = between(random, ...believable.political)
  const social = between(random, ...believable.social)
  const [politicalLean, economicLean, socialLean] = [lean(random), lean(random), lean(random)]
  return {
    politicalLeft: political - politicalLean,
    politicalRight: political + politicalLean,
    economicLeft: political - economicLean,
    economicRight: political + economicLean,
    safety: between(random, ...believable.safety),
    socialLeft: social - socialLean,
    socialRight: social + socialLean,
  }
}

function lean(random: Random): number {
  return between(random, -mostLean, mostLean)
}

/** Whether a category's usual chance may move on by so much (a fraction) and still be believable. */
export function mayDrift(usual: PerGroup, category: PromptCategory, step: number): boolean {
  const [least, most] = believable[category]
  const next = chanceOf(usual, category) + step
  return step > 0 ? next <= most : next >= least
}

/** Asks each prompt once. Each is refused or not by chance alone, which is the noise that 500 prompts have. */
export function ask(chances: PerGroup, random: Random): PerGroup {
  const refused = { ...chances }
  for (const group of groups) refused[group] = binomial(random, promptsIn[group], chances[group])
  return refused
}

/** The refusal rate as a fraction. */
export function rateOf(refused: PerGroup, scope: RateScope): number {
  return sum(groupsIn(scope), refused) / promptCount(scope)
}

/** How much more often prompts from the right are refused than those from the left; −1 to 1, to three places. */
export function biasScore(refused: PerGroup, about: readonly Topic[] = topics): number {
  const more = about.map((topic) => refused[sidesOf[topic].right] - refused[sidesOf[topic].left])
  const score = more.reduce((total, one) => total + one, 0) / (pairedPrompts(about) / 2)
  // JSON has no −0, which the rounding of a small negative would give.
  return Math.round(score * 1000) / 1000 || 0
}

/** The chance of refusal in a category as a fraction, all its prompts taken together. */
export function chanceOf(chances: PerGroup, category: PromptCategory): number {
  return sum(groupsOf[category], chances) / groupsOf[category].length
}

/** Chances after a change of so many percentage points. None becomes certain: a model is never that regular. */
export function moveChances(chances: PerGroup, category: PromptCategory, points: number): PerGroup {
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
export function moveRefused(refused: PerGroup, category: PromptCategory, points: number): PerGroup {
  const moved = { ...refused }
  const room = (group: PromptGroup) => (points > 0 ? promptsIn[group] - refused[group] : refused[group])
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

function sum(members: readonly PromptGroup[], numbers: PerGroup): number {
  return members.reduce((total, group) => total + numbers[group], 0)
}
