import { createHash } from 'node:crypto'

/** Evenly distributed in [0, 1), as `Math.random` is. */
export type Random = () => number

/**
 * The same seed and label give the same numbers on every machine. Each use has a label of its own, so that
 * one more draw in one place does not change what happens in another.
 *
 * The generator is sfc32 (Chris Doty-Humphrey, PractRand), whose 128 bits of state come from SHA-256.
 */
export function seededRandom(seed: number, label: string): Random {
  const state = createHash('sha256').update(`${seed}/${label}`).digest()
  let a = state.readInt32LE(0)
  let b = state.readInt32LE(4)
  let c = state.readInt32LE(8)
  let counter = state.readInt32LE(12)
  return () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
}

/** A whole number from `least` to `most`, both included. */
export function wholeNumber(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

export function between(random: Random, least: number, most: number): number {
  return least + random() * (most - least)
}

export function pick<T>(random: Random, list: readonly [T, ...T[]]): T {
  return list[Math.floor(random() * list.length)] ?? list[0]
}

/**
 * How many of so many tries succeed, each with the same chance: the distribution function is walked up from 0.
 * It uses only multiplication and addition, which give the same bits on every machine; `Math.pow` and `Math.log` may not.
 * With at most 1,000 tries nothing underflows.
 */
export function binomial(random: Random, tries: number, chance: number): number {
  if (chance > 0.5) return tries - binomial(random, tries, 1 - chance)
  let probability = 1
  for (let failed = 0; failed < tries; failed++) probability *= 1 - chance
  const odds = chance / (1 - chance)
  let left = random() - probability
  let successes = 0
  while (left >= 0 && successes < tries) {
    probability *= (odds * (tries - successes)) / (successes + 1)
    successes++
    left -= probability
  }
  return successes
}
