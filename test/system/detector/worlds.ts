import { type Chance, normal } from './chance.ts'
import type { Category } from './noise.ts'
import { type Disturbance, later, type World } from './world.ts'

const plain: Disturbance = { white: 1, sigmas: 0, shift: 0 }

/** Noise that is partly correlated from reading to reading: an autoregression, in each category by itself. */
function correlated(part: number, rho: number): NonNullable<World['noise']> {
  return (random) => {
    const state = new Map<Category, number>()
    return (_, category) => {
      const before = state.get(category) ?? normal(random)
      const now = rho * before + Math.sqrt(1 - rho ** 2) * normal(random)
      state.set(category, now)
      return { white: 1 - part, sigmas: Math.sqrt(part) * now, shift: 0 }
    }
  }
}

/** A level that all categories share. */
function level(of: (day: number, random: Chance, changesOn: number) => number): NonNullable<World['noise']> {
  return (random, changesOn) => {
    let cached = { day: Number.NaN, shift: 0 }
    return (day) => {
      if (cached.day !== day) cached = { day, shift: of(day, random, changesOn) }
      return { ...plain, shift: cached.shift }
    }
  }
}

function wave(amplitude: number, period: number): NonNullable<World['noise']> {
  return (random) => {
    const phase = random() * period
    return level((day) => amplitude * Math.sin((2 * Math.PI * (day + phase)) / period))(random, 0)
  }
}

function glitches(part: number): NonNullable<World['noise']> {
  return level((_, random) => {
    const isOff = random() < part
    const size = 0.1 + 0.3 * random()
    const sign = random() < 0.5 ? -1 : 1
    return isOff ? sign * size : 0
  })
}

function grown(factor: number): NonNullable<World['noise']> {
  return (_, changesOn) => (day) => ({ ...plain, white: day >= changesOn ? factor : 1 })
}

function walk(step: number): NonNullable<World['noise']> {
  return (random) => {
    let at = 0
    // Pulled back a little, or it would leave the scale in a year.
    return level(() => {
      at = at * 0.995 + step * normal(random)
      return at
    })(random, 0)
  }
}

const hoursOfDay = (count: number) => Array.from({ length: count }, (_, hour) => (hour * 24) / count)
/** The harness shifts all prompts of a reading alike; standard deviation in fractions. */
const harness = (sd: number) => level((_, random) => sd * normal(random))
const restamped =
  (times: number): NonNullable<World['publish']> =>
  (whole) =>
    hoursOfDay(times).map((hours) => later(whole, hours))
const instalments =
  (count: number): NonNullable<World['publish']> =>
  (_, __, parts) =>
    Array.from({ length: count }, (___, index) => later(parts((index + 1) / count), index))

/** The worlds of docs/internals/detection.md, by the name that `npm run bench:signal -- --world` takes. */
export const worlds: Record<string, World> = {
  daily: { title: 'independent daily readings' },
  'stamped-6h': { title: 'measured daily, `last_updated` moves every 6 h', publish: restamped(4) },
  'stamped-1h': {
    title: 'measured daily, `last_updated` moves every hour',
    publish: restamped(24),
  },
  'stamped-10min': {
    title: 'measured daily, `last_updated` moves every 10 min',
    publish: restamped(144),
  },
  'rolling-500': { title: 'mean of 7 days read daily, said to be of 500', window: 7 },
  'rolling-3500': { title: 'mean of 7 days read daily, said to be of 3,500', window: 7, said: () => 7 },
  'rolling-6h': {
    title: 'mean of 7 days read every 6 h',
    window: 28,
    every: 0.25,
    size: () => 0.25,
    said: () => 1,
  },
  'ar-3': { title: 'autocorrelated noise, ρ 0.3', noise: correlated(1, 0.3) },
  'ar-6': { title: 'autocorrelated noise, ρ 0.6', noise: correlated(1, 0.6) },
  'ar-9': { title: 'autocorrelated noise, ρ 0.9', noise: correlated(1, 0.9) },
  'half-3': { title: 'half of the noise autocorrelated, ρ 0.3', noise: correlated(0.5, 0.3) },
  'half-6': { title: 'half of the noise autocorrelated, ρ 0.6', noise: correlated(0.5, 0.6) },
  'grown-2.5': { title: 'noise grows without a word, variance × 2.5', noise: grown(2.5) },
  'grown-5': { title: 'noise grows without a word, variance × 5', noise: grown(5) },
  'sizes-5000': {
    title: 'sample size 100 → 5,000, harness noise of 2 points',
    size: (since) => (since < 0 ? 0.2 : 10),
    noise: harness(0.02),
  },
  'sizes-2000': {
    title: 'sample size 500 → 2,000, harness noise of 1 point',
    size: (since) => (since < 0 ? 1 : 4),
    noise: harness(0.01),
  },
  'glitch-1': { title: '1% of readings off by 10 to 40 points', noise: glitches(0.01) },
  'glitch-5': { title: '5% of readings off by 10 to 40 points', noise: glitches(0.05) },
  'glitch-mean-3': {
    title: '1% of days off by 10 to 40 points, in means of 3 days',
    window: 3,
    noise: glitches(0.01),
  },
  'glitch-mean-7': {
    title: '1% of days off by 10 to 40 points, in means of 7 days',
    window: 7,
    noise: glitches(0.01),
  },
  'glitch-righted': {
    title: '1% off by 10 to 40 points, put right two hours later',
    cleanHistory: true,
    publish: (whole, random, parts) => {
      if (random() >= 0.01) return [parts(1)]
      const off = (0.1 + 0.3 * random()) * (random() < 0.5 ? -1 : 1)
      const move = (rate: number | null) => (rate === null ? null : Math.min(Math.max(rate + off, 0), 1))
      const { overall, political, safety, social } = whole.rates
      const rates = {
        overall: move(overall),
        political: move(political),
        safety: move(safety),
        social: move(social),
      }
      return [{ ...whole, rates }, later(whole, 2)]
    },
  },
  'parts-2': { title: 'published in 2 instalments under new times', publish: instalments(2) },
  'parts-4': { title: 'published in 4 instalments under new times', publish: instalments(4) },
  rounded: { title: 'rates rounded to 0.1', grid: 0.1 },
  'rounded-percent': { title: 'rates rounded to 1%', grid: 0.01 },
  'cycle-month': { title: 'monthly cycle ± 2 points', noise: wave(0.02, 30) },
  'cycle-year-3': { title: 'yearly cycle ± 3 points', noise: wave(0.03, 365) },
  'cycle-year-5': { title: 'yearly cycle ± 5 points', noise: wave(0.05, 365) },
  walk: { title: 'random walk, 0.3 points a day', noise: walk(0.003) },
  drift: {
    title: 'drift of 1 point a week for 26 weeks',
    drifts: true,
    noise: level((day, _, changesOn) => (0.01 / 7) * Math.min(Math.max(day - changesOn, 0), 182)),
  },
  'base-1': { title: 'base rate 1%', base: 0.01 },
  'base-2': { title: 'base rate 2%', base: 0.02 },
  'base-5': { title: 'base rate 5%', base: 0.05 },
  'base-50': { title: 'base rate 50%', base: 0.5 },
  'base-80': { title: 'base rate 80%', base: 0.8 },
  'base-95': { title: 'base rate 95%', base: 0.95 },
  'base-98': { title: 'base rate 98%', base: 0.98 },
  'sizes-missing': {
    title: 'sample size missing in 30%',
    said: (_, random) => (random() < 0.3 ? null : 1),
  },
  'history-6h': { title: 'history of daily means, read every 6 h', every: 0.25, historyOf: 4 },
  'history-1h': { title: 'history of daily means, read every hour', every: 1 / 24, historyOf: 24 },
  'labels-daily': { title: 'a new version label every day', label: (day) => `build ${9000 + day}` },
  'labels-turn': {
    title: 'three version labels in turn',
    label: (day) => ['4.1', '4.2', '4.1-b'][Math.abs(day) % 3] ?? null,
  },
  'labels-case': {
    title: 'a version label in other case and blanks',
    label: (day) => (Math.abs(day) % 7 === 0 ? 'Model  4.1' : 'model 4.1'),
  },
  hourly: { title: 'independent readings every hour', every: 1 / 24 },
  'six-hourly': { title: 'independent readings every 6 h', every: 0.25 },
  weekly: { title: 'weekly readings', every: 7 },
  fortnightly: { title: 'fortnightly readings', every: 14 },
  monthly: { title: 'monthly readings', every: 30 },
}
