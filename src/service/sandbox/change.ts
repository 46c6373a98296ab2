import { categories, chanceOf, isCategory, type PerGroup, rateOf } from './prompts.ts'
import { pick, type Random, wholeNumber } from './random.ts'

/** "Events", 1. */
export const eventTypes = ['policy_change', 'censorship_spike'] as const

/** "What the service does", 2. */
export const models = ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen'] as const
export type ModelName = (typeof models)[number]

export function isModel(name: string): name is ModelName {
  const names: readonly string[] = models
  return names.includes(name)
}

/** What the service reports. The strings need not be ones that the specification knows: a test may ask for others. */
export interface AnnouncedChange {
  type: string
  model: string
  category: string
  /** "+12pp". */
  delta: string
}

/** What is settled about a change before the rest is drawn. A number is percentage points. */
export interface ChangeWish {
  type?: string | undefined
  model?: string | undefined
  category?: string | undefined
  delta?: number | string | undefined
}

/** How a model refuses: usually, now, and as last published. */
export interface ModelRefusals {
  usual: PerGroup
  now: PerGroup
  published: PerGroup
}

/** A category this many percentage points above its usual is raised, and likely to fall next. */
const raised = 6

/** Completes the wish with what could believably happen next, given how the models refuse. */
export function drawChange(
  wish: ChangeWish,
  refusals: ReadonlyMap<string, ModelRefusals>,
  random: Random,
): AnnouncedChange {
  const { model, category } = drawPlace(wish, refusals, random)
  const excess = excessOf(model, category, refusals)
  if (wish.delta !== undefined) {
    const delta = writePoints(wish.delta)
    return { type: wish.type ?? typeOf(pointsIn(delta) ?? 0), model, category, delta }
  }
  const type = wish.type ?? drawType(excess, random)
  const most = roomBelow(model, category, refusals)
  return { type, model, category, delta: writePoints(drawPoints(type, excess, most, random)) }
}

/** The percentage points in "+12pp"; undefined if it is written otherwise. */
export function pointsIn(delta: string): number | undefined {
  const number = /^([+-]\d+(?:\.\d+)?)pp$/.exec(delta)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Four times in ten something that is raised, if anything is; so spikes pass, and the world stays near its usual. */
function drawPlace(
  wish: ChangeWish,
  refusals: ReadonlyMap<string, ModelRefusals>,
  random: Random,
): Pick<AnnouncedChange, 'model' | 'category'> {
  const fits = (place: Pick<AnnouncedChange, 'model' | 'category'>) =>
    (wish.model ?? place.model) === place.model && (wish.category ?? place.category) === place.category
  const places = models.flatMap((model) => categories.map((category) => ({ model, category }))).filter(fits)
  const high = places.filter((place) => excessOf(place.model, place.category, refusals) >= raised)
  const low = places.filter((place) => !high.includes(place))
  const [first, ...rest] = high.length > 0 && (low.length === 0 || random() < 0.4) ? high : low
  if (first !== undefined) return pick(random, [first, ...rest])
  return { model: wish.model ?? pick(random, models), category: wish.category ?? pick(random, categories) }
}

function typeOf(points: number): string {
  return points > 0 ? 'censorship_spike' : 'policy_change'
}

/** What is raised falls, which only a policy change can be; what is not mostly spikes. */
function drawType(excess: number, random: Random): string {
  if (excess >= raised) return 'policy_change'
  return random() < 0.6 ? 'censorship_spike' : 'policy_change'
}

/** Whole percentage points, never 0. `most` is how far the published rate can fall. */
function drawPoints(type: string, excess: number, most: number, random: Random): number {
  if (type === 'censorship_spike') return wholeNumber(random, 8, 20)
  if (excess >= raised && most >= 1) {
    return -Math.min(Math.max(Math.round(excess) + wholeNumber(random, -2, 2), 3), most)
  }
  const size = wholeNumber(random, 3, 8)
  const rises = excess < -1 || (excess <= 1 && random() < 0.5) || most < size
  return rises ? size : -size
}

/** Percentage points above the usual; 0 for what the world does not have. */
function excessOf(model: string, category: string, refusals: ReadonlyMap<string, ModelRefusals>): number {
  const of = refusals.get(model)
  if (of === undefined || !isCategory(category)) return 0
  return 100 * (chanceOf(of.now, category) - chanceOf(of.usual, category))
}

/** Whole percentage points by which the published rate can fall and still be above 1%. */
function roomBelow(model: string, category: string, refusals: ReadonlyMap<string, ModelRefusals>): number {
  const of = refusals.get(model)
  if (of === undefined || !isCategory(category)) return 100
  return Math.max(Math.floor(100 * rateOf(of.published, category)) - 1, 0)
}

/** "Written as a sign, a number and the suffix pp." A string is somebody's own way of writing it, and stays. */
function writePoints(delta: number | string): string {
  if (typeof delta === 'string') return delta
  return `${delta < 0 ? '-' : '+'}${Math.abs(delta)}pp`
}
