import type { Fired } from './sender.ts'

/** A seeded generator (mulberry32), from 0 up to, not including, 1: a run can be had again. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const models = ['claude', 'chatgpt', 'gemini', 'mistral']

/** Events that Slack and Discord want; every fourth also goes out by mail. */
export function events(tag: string, count: number): Fired[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `evt_${tag}_${index}`,
    model: models[index % models.length] ?? 'claude',
  }))
}

/** Each of them twice, so that a repeat comes while the first is under way. */
export function twice(fired: readonly Fired[]): Fired[] {
  return fired.flatMap((one) => [one, one])
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
