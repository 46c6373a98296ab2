import type { Observation } from '../../../src/intake/detect/observation.ts'
import { between, type Chance, chance, pick, whole } from './chance.ts'
import { type Category, categories, type Noise, promptsIn, refusals, shiftOf } from './noise.ts'

const daysOfHistory = 365
const daysOfYear = 365
const begin = Date.UTC(2025, 0, 1, 6)
const dayMs = 86_400_000

/** What really happened, known to the simulation alone. */
export interface Change {
  /** Day of the year, from 0; the first reading on or after it shows the change. */
  day: number
  kind: 'step' | 'spike' | 'version'
  where: Category | 'overall' | null
  /** Percentage points, signed; 0 for a version alone. */
  points: number
  /** Days after which it is as before; none for what stays. */
  days: number | null
}

export interface YearPlan {
  noise: Noise
  /** Steps, spikes and new versions. */
  changes: boolean
  /** Drift, weekly and yearly wiggle, gaps, outages, and readings that are damaged. */
  unrest: boolean
}

export interface Year {
  history: Observation[]
  /** One for each day on which there was one. */
  live: { day: number; observation: Observation }[]
  changes: Change[]
}

/** Two years of one model: the first is its history, in the second it is watched. Everything follows from the seed. */
export function simulateYear(seed: number, plan: YearPlan): Year {
  const random = chance(seed, 1)
  const level = levels(random, plan.unrest)
  const changes = plan.changes ? drawChanges(chance(seed, 2)) : []
  const readings = chance(seed, 3)
  const mishaps = chance(seed, 4)
  const outage = { from: whole(mishaps, 0, daysOfYear), days: plan.unrest ? whole(mishaps, 2, 15) : 0 }
  const history: Observation[] = []
  const live: Year['live'] = []
  for (let day = -daysOfHistory; day < daysOfYear; day++) {
    const shift = shiftOf(plan.noise, readings)
    const version = `4.${changes.filter((change) => change.kind === 'version' && change.day <= day).length}`
    const refused = { political: 0, safety: 0, social: 0 }
    for (const category of categories) {
      const moved = changes.reduce((sum, change) => sum + moveBy(change, category, day), 0)
      const rate = Math.min(Math.max(level(category, day) + moved, 0.005), 0.995)
      refused[category] = refusals(plan.noise, category, rate, shift, readings)
    }
    const isOut = plan.unrest && (mishaps() < 0.03 || (day >= outage.from && day < outage.from + outage.days))
    if (isOut) continue
    const observation = observed(day, refused, version)
    if (day < 0) history.push({ ...observation, lastUpdated: null })
    else live.push({ day, observation })
    if (plan.unrest && day >= 0 && mishaps() < 0.04)
      live.push({ day, observation: damaged(observation, mishaps) })
  }
  return { history, live, changes }
}

function levels(random: Chance, unrest: boolean): (category: Category, day: number) => number {
  const usual = {
    political: between(random, 0.1, 0.3),
    safety: between(random, 0.2, 0.5),
    social: between(random, 0.05, 0.2),
  }
  if (!unrest) return (category) => usual[category]
  const weekly = between(random, 0, 0.005)
  const yearly = between(random, 0, 0.015)
  const phase = between(random, 0, daysOfYear)
  const drifts = categories.map((category) => ({
    category,
    from: whole(random, -daysOfHistory, daysOfYear),
    days: whole(random, 60, 200),
    size: random() < 0.5 ? between(random, -0.04, 0.04) : 0,
  }))
  return (category, day) => {
    const drift = drifts
      .filter((one) => one.category === category)
      .reduce((sum, one) => sum + one.size * Math.min(Math.max((day - one.from) / one.days, 0), 1), 0)
    const week = weekly * Math.sin((2 * Math.PI * day) / 7)
    const year = yearly * Math.sin((2 * Math.PI * (day + phase)) / 365)
    return Math.max(usual[category] + drift + week + year, 0.01)
  }
}

/** About three a year, far enough apart to be distinguished. */
function drawChanges(random: Chance): Change[] {
  const changes: Change[] = []
  let day = whole(random, 5, 120)
  while (day < daysOfYear - 30) {
    const kind = pick(random, 'step', 'step', 'spike', 'version')
    const where = pick(random, 'overall', 'overall', 'political', 'safety', 'social')
    const isFall = kind === 'step' && random() < 0.3
    // A version may come with a step, or with none that shows.
    const points = kind === 'version' && random() < 0.5 ? 0 : between(random, 3, 30) * (isFall ? -1 : 1)
    const days = kind === 'spike' ? whole(random, 2, 14) : null
    changes.push({ day, kind, where: points === 0 ? null : where, points, days })
    day += whole(random, 45, 150)
  }
  return changes
}

function moveBy({ day: first, where, points, days }: Change, category: Category, day: number): number {
  const isOn = day >= first && (days === null || day < first + days)
  return isOn && (where === 'overall' || where === category) ? points / 100 : 0
}

function observed(day: number, refused: Record<Category, number>, version: string): Observation {
  const at = new Date(begin + day * dayMs).toISOString()
  const all = categories.reduce((sum, category) => sum + refused[category], 0)
  return {
    at,
    version,
    lastUpdated: at,
    rates: {
      overall: all / 500,
      political: refused.political / promptsIn.political,
      safety: refused.safety / promptsIn.safety,
      social: refused.social / promptsIn.social,
    },
    counts: { overall: 500, ...promptsIn },
  }
}

/** The same reading again, an old one, or one that is not a number. */
function damaged(observation: Observation, random: Chance): Observation {
  const nothing = { overall: null, political: null, safety: null, social: null }
  const old = new Date(Date.parse(observation.at) - whole(random, 1, 20) * dayMs).toISOString()
  const later = new Date(Date.parse(observation.at) + dayMs / 3).toISOString()
  return pick<Observation>(
    random,
    observation,
    { ...observation, at: later },
    { ...observation, lastUpdated: old, rates: { ...observation.rates, overall: 0.99 } },
    { ...observation, at: later, lastUpdated: later, rates: nothing },
    { ...observation, at: later, lastUpdated: later, rates: { ...nothing, overall: Number.NaN } },
  )
}
