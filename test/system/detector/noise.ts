import { binomial, type Chance, normal } from './chance.ts'

/** The prompts of one model: 500, in three categories. */
export const promptsIn = { political: 200, safety: 200, social: 100 }
export type Category = keyof typeof promptsIn
export const categories = ['political', 'safety', 'social'] as const

/**
 * What a reading varies by, its true rate given:
 * - `binomial`: each prompt is refused or not by chance, anew at each reading;
 * - `same-prompts`: most of the 500 are always or never refused, so that a reading has 0.4 of the binomial variance;
 * - `flaky`: the harness shifts a whole reading, so that the overall rate at 20% has about twice the binomial variance,
 *   and one reading in fifty is shifted twice as far.
 */
export const noises = ['binomial', 'same-prompts', 'flaky'] as const
export type Noise = (typeof noises)[number]

const undecidedPart = 0.4
/** Intra-class correlation: 1 + 499 × 0.002 ≈ 2. */
const correlation = 0.002

export function shiftOf(noise: Noise, random: Chance): number {
  if (noise !== 'flaky') return 0
  return normal(random) * (random() < 0.02 ? 2 : 1)
}

/** How many of the category's prompts are refused. `shift` is the reading's own, in standard deviations. */
export function refusals(
  noise: Noise,
  category: Category,
  rate: number,
  shift: number,
  random: Chance,
): number {
  const n = promptsIn[category]
  if (noise === 'binomial') return binomial(random, n, rate)
  if (noise === 'flaky') return binomial(random, n, rate + shift * Math.sqrt(correlation * rate * (1 - rate)))
  // Prompts that are a toss-up have the variance ¼ each; the rest is certain.
  const tossUps = Math.round(undecidedPart * 4 * n * rate * (1 - rate))
  const certain = Math.max(0, n * rate - tossUps / 2)
  const rounded = Math.floor(certain) + (random() < certain % 1 ? 1 : 0)
  return Math.min(n, rounded + binomial(random, tossUps, 0.5))
}
