import { learn, observe } from '../../../src/intake/detect/detect.ts'
import type { DetectorState } from '../../../src/intake/detect/state.ts'
import { part } from './bootstrap.ts'
import { grid } from './grid.ts'
import { falseAlarms } from './try-world.ts'
import { simulateWorld, type Told, type World, type WorldYear } from './world.ts'
import { worlds } from './worlds.ts'
import { type Years, yearsOf } from './worlds-bench.ts'
import type { Change } from './year.ts'

/** Days of history, and live readings before the change. */
const histories = [365, 90]
const livesBefore = [5, 15, 100]
const sizes = [5, 10, 20]
const places = ['overall', 'political'] as const
/** A change is watched for so many readings, or, if they come more often, for so many days. */
const watched = 40
/** So near to an end of the scale there is no room for a change: percentage points. */
const room = 3
/** Wanted: a fall is found in this part of the cases in which a rise is, at least, */
const leastOfRises = 0.95
/** and after so many times its readings at most. */
const mostOfDelay = 3

/** One change, tried: readings until it was found, 1 for the first; null where it was not. */
interface Tried {
  history: number
  before: number
  where: Change['where']
  points: number
  readings: number | null
}

/** Rises and falls of all sizes and of all prompts or of one category, after a history and some live readings. */
function triedIn(name: string, { from, count }: Years): Tried[] {
  const world = worlds[name]
  if (world === undefined) throw new Error(`no world is called ${name}`)
  return Array.from({ length: count }, (_, index) => from + index).flatMap((seed) =>
    histories.flatMap((history) => triedAfter(world, seed, history)),
  )
}

function triedAfter(world: World, seed: number, daysOfHistory: number): Tried[] {
  const { every = 1 } = world
  const longest = Math.max(watched, watched * every)
  const drawn: Told['drawn'] = []
  const days = (livesBefore.at(-1) ?? 0) * every + longest
  const calm = simulateWorld(world, seed, { days, daysOfHistory, changes: [], drawn })
  let { state } = learn(calm.history)
  let seen = 0
  return livesBefore.flatMap((before) => {
    const day = before * every
    for (const { observation } of calm.live.slice(seen).filter((one) => one.day < day)) {
      state = observe(state, observation).state
      seen += 1
    }
    const points = sizes.flatMap((size) => [size, -size]).filter((one) => hasRoom(world, one))
    return places.flatMap((where) =>
      points.map((one): Tried => {
        const change: Change = { day, kind: 'step', where, points: one, days: null }
        const told: Told = { days: day + longest, daysOfHistory, changes: [change], drawn }
        const { live } = simulateWorld(world, seed, told)
        const foundOn = dayFound(state, live.slice(seen), one)
        const readings = foundOn === undefined ? null : Math.round((foundOn - day) / every) + 1
        return { history: daysOfHistory, before, where, points: one, readings }
      }),
    )
  })
}

function dayFound(learnt: DetectorState, live: WorldYear['live'], points: number): number | undefined {
  const direction = points > 0 ? 'rise' : 'fall'
  let state = learnt
  for (const { day, observation } of live) {
    const observed = observe(state, observation)
    if (observed.findings.some((one) => one.completes === null && one.direction === direction)) return day
    state = observed.state
  }
  return undefined
}

function hasRoom({ base = 0.2 }: World, points: number): boolean {
  const level = 100 * base + points
  return level >= room && level <= 100 - room
}

/** What one world shows, as it goes from one process to another. */
export interface FallsOf {
  title: string
  tried: Tried[]
  alarms: number
  years: number
}

export function fallsOf(name: string, years: Years, trials: Years): FallsOf {
  const world = worlds[name]
  if (world === undefined) throw new Error(`no world is called ${name}`)
  const seeds = Array.from({ length: yearsOf(world, years.count) }, (_, index) => years.from + index)
  const alarms = seeds.reduce((sum, seed) => sum + falseAlarms(world, seed).lasting, 0)
  const tried = triedIn(name, { from: trials.from, count: yearsOf(world, trials.count) })
  return { title: world.title, tried, alarms, years: seeds.length }
}

/** Each world, all histories and live readings together; each of those, all worlds together; and what is short of what is wanted. */
export function fallsTables(all: readonly FallsOf[]): string {
  const moves = places.flatMap((where) =>
    sizes.flatMap((size) => [
      { where, points: size },
      { where, points: -size },
    ]),
  )
  const heads = moves.map(({ where, points }) => `${signed(points)}${where === 'overall' ? '' : ` ${where}`}`)
  const cells = (tried: readonly Tried[]) => moves.map((move) => cellOf(those(tried, move)))
  const everything = all.flatMap(({ tried }) => tried)
  const sum = (of: 'alarms' | 'years') => all.reduce((total, one) => total + one[of], 0)
  const pooled = `${sum('alarms')} in ${sum('years')}`
  const byWorld = all.map(({ title, tried, alarms, years }) => [
    title,
    `${alarms} in ${years}`,
    ...cells(tried),
  ])
  const byPast = pasts(({ history, before }) => [
    `${history} days of history, ${before} live readings`,
    ...cells(everything.filter((one) => one.history === history && one.before === before)),
  ])
  const short = all.flatMap(({ title, tried }) => shortcomings(title, tried))
  return [
    grid(['world', 'false alarms in years', ...heads], [...byWorld, ['all', pooled, ...cells(everything)]]),
    grid(['all worlds, after', ...heads], byPast),
    grid(
      ['short of wanted', 'change', 'rises found', 'falls found', 'readings, rises', 'readings, falls'],
      short,
    ),
    ...(all.length === 1 ? [soonTable(everything)] : []),
  ].join('\n')
}

/** One world may have enough trials to show how soon: as on the page of the method, after a year of history. */
function soonTable(tried: readonly Tried[]): string {
  const soon = [
    [10, 1],
    [5, 5],
    [-10, 2],
    [-5, 5],
  ] as const
  const rows = pasts(({ history, before }) => [
    `${history} days of history, ${before} live readings`,
    ...soon.map(([points, within]) => {
      const ofSize = those(tried, { where: 'overall', points })
      const past = ofSize.filter((one) => one.history === history && one.before === before)
      return part(past.map(({ readings }) => readings !== null && readings <= within))
    }),
  ])
  return grid(['after', ...soon.map(([points, within]) => `${signed(points)} within ${within}`)], rows)
}

function pasts<Row>(of: (past: Pick<Tried, 'history' | 'before'>) => Row): Row[] {
  return histories.flatMap((history) => livesBefore.map((before) => of({ history, before })))
}

function those(tried: readonly Tried[], { where, points }: Pick<Tried, 'where' | 'points'>): Tried[] {
  return tried.filter((one) => one.where === where && one.points === points)
}

function cellOf(tried: readonly Tried[]): string {
  if (tried.length === 0) return ''
  const { found, delay } = summed(tried)
  return found === 0 ? '0' : `${found.toFixed(2)}, ${delay.toFixed(1)}`
}

function summed(tried: readonly Tried[]): { found: number; delay: number } {
  const delays = tried.flatMap(({ readings }) => readings ?? [])
  const delay = delays.reduce((sum, one) => sum + one, 0) / Math.max(1, delays.length)
  return { found: delays.length / tried.length, delay }
}

function shortcomings(title: string, tried: readonly Tried[]): string[][] {
  return places.flatMap((where) =>
    sizes.flatMap((size) => {
      const [rises, falls] = [size, -size].map((points) => those(tried, { where, points }))
      if (rises === undefined || falls === undefined || rises.length === 0 || falls.length === 0) return []
      const [rise, fall] = [summed(rises), summed(falls)]
      const isSlow = rise.found > 0 && fall.delay > mostOfDelay * rise.delay
      if (fall.found >= leastOfRises * rise.found && !isSlow) return []
      const figures = [rise.found, fall.found].map((one) => one.toFixed(2))
      const delays = [rise.delay, fall.delay].map((one) => one.toFixed(1))
      return [[title, `${size} points${where === 'overall' ? '' : `, ${where}`}`, ...figures, ...delays]]
    }),
  )
}

function signed(points: number): string {
  return `${points > 0 ? '+' : '−'}${Math.abs(points)}`
}
