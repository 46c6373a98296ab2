/** Evenly distributed in [0, 1). */
export type Chance = () => number

/** sfc32 (Chris Doty-Humphrey, PractRand), quick enough for billions of prompts. The same seed and stream give the same numbers. */
export function chance(seed: number, stream: number): Chance {
  let [a, b, c, counter] = [0x9e3779b9 ^ seed, 0x243f6a88 ^ Math.imul(stream, 0x85ebca6b), seed | 0, 1]
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
  for (let warm = 0; warm < 20; warm++) next()
  return next
}

export function between(random: Chance, least: number, most: number): number {
  return least + random() * (most - least)
}

/** Both ends included. */
export function whole(random: Chance, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

export function pick<T>(random: Chance, ...list: readonly [T, ...T[]]): T {
  return list[Math.floor(random() * list.length)] ?? list[0]
}

/** Standard normal (Box and Muller). */
export function normal(random: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** How many of `n` prompts are refused, each by itself with the chance `p`. */
export function binomial(random: Chance, n: number, p: number): number {
  let refused = 0
  for (let prompt = 0; prompt < n; prompt++) if (random() < p) refused++
  return refused
}
