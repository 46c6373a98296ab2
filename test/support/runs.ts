const byDay = 25
const usualSeed = 20_261_123

/**
 * How many random inputs fast-check tries: 25 by day, 500 at night. `npm run test:night` also runs each file of test/unit
 * and test/system that imports this one. They are the same each time, so that a run depends on no luck:
 * `SEED=7 RUNS=5000 npx vitest run FILE` tries 5,000 others.
 *
 * @param atNight more, if 500 are too few to meet what is rare
 */
export function runs(atNight = 500): { numRuns: number; seed: number } {
  const usual = isNight() ? atNight : byDay
  return { numRuns: Number(process.env.RUNS ?? usual), seed: Number(process.env.SEED ?? usualSeed) }
}

/** Whether this is a run of `npm run test:night`, which sets NIGHT. */
export function isNight(): boolean {
  return process.env.NIGHT !== undefined
}
