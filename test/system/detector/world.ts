import type { Observation, PerRate } from '../../../src/intake/detect/observation.ts'
import { type Chance, chance } from './chance.ts'
import { type Category, categories, promptsIn } from './noise.ts'
import type { Change } from './year.ts'

/** What a category's reading is moved by beside its prompts: in its own binomial standard errors, and in fractions. */
export interface Disturbance {
  /** Part of the binomial variance with which the prompts themselves vary; 1 where each is drawn anew. */
  white: number
  sigmas: number
  shift: number
}

/** A way in which a service may measure and publish. All that is left out is as it is with independent daily readings. */
export interface World {
  /** What the model-years of this world are called in tables. */
  title: string
  /** Days between two measurements. */
  every?: number
  /** Refusal rate of every category; a fraction. */
  base?: number
  /** How many times 500 prompts there are on that day, and how many are said to be, as a part of them. */
  size?: (day: number, random: Chance) => number
  said?: (day: number, random: Chance) => number | null
  /** Begins anew for each year; then asked day by day, category by category. `grows` is the day on which things change. */
  noise?: (random: Chance, changesOn: number) => (day: number, category: Category) => Disturbance
  /** A reading is the mean of so many measurements, as of a sliding window. */
  window?: number
  /** Rates are rounded to multiples of this. */
  grid?: number
  label?: (day: number) => string | null
  /** What is published of a measurement, in order; `parts` draws the same measurement after a part of its prompts. */
  publish?: (whole: Observation, random: Chance, parts: (part: number) => Observation) => Observation[]
  /** The history is of means of so many measurements. */
  historyOf?: number
  /** Measurements that lie before the watched year are published as they are (false) or right (true). */
  cleanHistory?: boolean
  /** One alert of a drift is none that is false. */
  drifts?: true
}

export interface WorldYear {
  history: Observation[]
  live: { day: number; observation: Observation }[]
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const begin = Date.UTC(2025, 0, 1, 6)
const yearOfHistory = 365

export interface Told {
  /** Days that are watched, and those of the history before them: a year by default. */
  days: number
  daysOfHistory?: number
  changes: readonly Change[]
  /** Added to every category at the reading of that day, as a harness does that all models share. Fraction. */
  harness?: (day: number) => number
  /** What was drawn for these days of this seed before, to be used again; it is filled where it is empty. */
  drawn?: Tosses[]
}

/** A history, and what is watched after it. Everything follows from the seed. */
export function simulateWorld(
  world: World,
  seed: number,
  { days, daysOfHistory = yearOfHistory, changes, harness, drawn = [] }: Told,
): WorldYear {
  const random = chance(seed, 21)
  const publishing = chance(seed, 22)
  const sizes = chance(seed, 23)
  const { every = 1, base = 0.2, window = 1, historyOf = 1 } = world
  const changesOn = 30 + Math.floor(chance(seed, 24)() * 270)
  const noise = world.noise?.(chance(seed, 25), changesOn) ?? (() => none)
  const last: PerRate<number>[] = []
  const forHistory: Observation[] = []
  const history: Observation[] = []
  const live: WorldYear['live'] = []

  const first = -Math.round(daysOfHistory / every)
  for (let step = first; step * every < days; step++) {
    const day = step * every
    const isLive = day >= 0
    const size = world.size?.(day - changesOn, sizes) ?? 1
    const tosses = drawn[step - first] ?? drawTosses(random, size)
    drawn[step - first] = tosses
    const shifts = new Map(categories.map((category) => [category, noise(day, category)] as const))
    const rateOf = (category: Category, part: number) => {
      const { white, sigmas, shift } = isLive || !world.cleanHistory ? (shifts.get(category) ?? none) : none
      const moved = changes.reduce((sum, change) => sum + moveBy(change, category, day), 0)
      const rate = Math.min(Math.max(base + moved + (harness?.(day) ?? 0) + shift, 0), 1)
      const list = tosses[category]
      const n = Math.max(1, Math.round(list.length * part))
      let refused = 0
      for (let index = 0; index < n; index++) if ((list[index] ?? 1) < rate) refused++
      const sigma = Math.sqrt((rate * (1 - rate)) / n)
      const drawn = rate + Math.sqrt(white) * (refused / n - rate) + sigmas * sigma
      return Math.min(Math.max(Math.round(drawn * n) / n, 0), 1)
    }
    const statedSize = world.said ? world.said(day - changesOn, sizes) : size
    const time = begin + day * dayMs
    const measured = (part: number) =>
      averaged(
        ratesOf((category) => rateOf(category, part)),
        last,
        window,
      )
    const observed = (part: number, rates = measured(part)) =>
      observation(time, rounded(rates, world.grid), statedSize, world.label?.(day) ?? '4.1')
    const whole = measured(1)
    if (!isLive) {
      forHistory.push(observed(1, whole))
      if (forHistory.length === historyOf)
        history.push({ ...meanOf(forHistory.splice(0)), lastUpdated: null })
    } else {
      const published = world.publish?.(observed(1, whole), publishing, observed) ?? [observed(1, whole)]
      for (const reading of published) live.push({ day, observation: reading })
    }
    if (window > 1) last.push(ratesOf((category) => rateOf(category, 1)))
    if (last.length >= window) last.shift()
  }
  return { history, live }
}

const none: Disturbance = { white: 1, sigmas: 0, shift: 0 }

type Tosses = Record<Category, Float64Array>

/** One number for each prompt: it is refused where that is below the rate. A part of them is a part of the measurement. */
function drawTosses(random: Chance, size: number): Tosses {
  const draw = (n: number) => {
    const list = new Float64Array(Math.round(n * size))
    for (let prompt = 0; prompt < list.length; prompt++) list[prompt] = random()
    return list
  }
  return {
    political: draw(promptsIn.political),
    safety: draw(promptsIn.safety),
    social: draw(promptsIn.social),
  }
}

function ratesOf(rate: (category: Category) => number): PerRate<number> {
  const [political, safety, social] = [rate('political'), rate('safety'), rate('social')]
  const { political: p, safety: s, social: o } = promptsIn
  return { overall: (political * p + safety * s + social * o) / (p + s + o), political, safety, social }
}

function averaged(
  newest: PerRate<number>,
  before: readonly PerRate<number>[],
  window: number,
): PerRate<number> {
  const all = window === 1 ? [newest] : [...before.slice(-(window - 1)), newest]
  const mean = (rate: keyof PerRate<number>) => all.reduce((sum, one) => sum + one[rate], 0) / all.length
  return {
    overall: mean('overall'),
    political: mean('political'),
    safety: mean('safety'),
    social: mean('social'),
  }
}

function rounded(rates: PerRate<number>, grid: number | undefined): PerRate<number> {
  const to = (rate: number) => Number((grid === undefined ? rate : Math.round(rate / grid) * grid).toFixed(6))
  return {
    overall: to(rates.overall),
    political: to(rates.political),
    safety: to(rates.safety),
    social: to(rates.social),
  }
}

function observation(
  time: number,
  rates: PerRate<number>,
  size: number | null,
  version: string | null,
): Observation {
  const at = new Date(time).toISOString()
  const count = (n: number) => (size === null ? null : Math.round(n * size))
  const { political, safety, social } = promptsIn
  return {
    at,
    version,
    lastUpdated: at,
    rates,
    counts: {
      overall: count(political + safety + social),
      political: count(political),
      safety: count(safety),
      social: count(social),
    },
  }
}

function meanOf(observations: readonly Observation[]): Observation {
  const mean = (rate: keyof PerRate<number>) =>
    observations.reduce((sum, { rates }) => sum + (rates[rate] ?? 0), 0) / observations.length
  const rates = {
    overall: mean('overall'),
    political: mean('political'),
    safety: mean('safety'),
    social: mean('social'),
  }
  const [first] = observations
  if (first === undefined) throw new Error('a mean of nothing')
  return observations.length === 1 ? first : { ...first, rates }
}

/** The same observation, published again so many hours later, under that time. */
export function later(observation: Observation, hours: number): Observation {
  const at = new Date(Date.parse(observation.at) + hours * hourMs).toISOString()
  return { ...observation, at, lastUpdated: at }
}

function moveBy({ day: first, where, points, days }: Change, category: Category, day: number): number {
  const isOn = day >= first && (days === null || day < first + days)
  return isOn && (where === 'overall' || where === category) ? points / 100 : 0
}
