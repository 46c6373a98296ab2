import { part, perYear } from './bootstrap.ts'
import { type Detector, ours } from './detector.ts'
import { falseAlarms, type Happening, type Outcome, tryHappening } from './try-world.ts'
import type { World } from './world.ts'
import { worlds } from './worlds.ts'

export interface Years {
  from: number
  count: number
}

/** Sizes and ends that are tried in each world. */
const happenings: { happening: Happening }[] = [
  { happening: { points: 10 } },
  { happening: { points: 5 } },
  { happening: { points: -20 } },
  { happening: { points: 10, readings: 3 } },
  { happening: { points: -10, readings: 6 } },
]

export const worldHead = [
  'world',
  'years',
  'false alarms a year',
  'withdrawn',
  '+10 at the first',
  'within 2',
  'within seven days',
  '+5 within 5',
  '−20 within 2',
  'one alert for +10',
  'spike: no more at its end',
  'dip: no more at its end',
  'seconds to judge a year',
  'seconds to learn one',
]

/** What a world does to the detector: alerts in years without a change, and how soon changes are found. */
export function worldRow(name: string, { from, count: wanted }: Years): string[] {
  const world = worlds[name]
  if (world === undefined) throw new Error(`no world is called ${name}`)
  const count = yearsOf(world, wanted)
  const alarms = Array.from({ length: count }, (_, index) => falseAlarms(world, from + index))
  const seconds = (of: 'judging' | 'learning') =>
    (alarms.reduce((sum, alarm) => sum + alarm[of], 0) / count).toFixed(2)
  return [
    world.title,
    String(count),
    perYear(alarms.map(({ lasting }) => lasting)),
    withdrawnIn(alarms),
    ...powerCells(world, { from, count }),
    seconds('judging'),
    seconds('learning'),
  ]
}

/** A year of hourly readings takes as long as twenty of daily ones. */
export function yearsOf({ every = 1 }: World, years: number): number {
  return every < 0.1 ? Math.ceil(years / 10) : years
}

/** A change takes a tenth of a year to try, there are five, and a history to learn for each. */
export function trialsOf(years: number): number {
  return Math.ceil(years / 3)
}

function withdrawnIn(alarms: readonly { withdrawn: number }[]): string {
  const sum = alarms.reduce((total, one) => total + one.withdrawn, 0)
  return sum === 0 ? '0' : (sum / alarms.length).toFixed(2)
}

function powerCells(world: World, { from, count }: Years): string[] {
  const tried = happenings.map((): Outcome[] => [])
  for (let index = 0; index < trialsOf(count); index++) {
    // All that may happen in it begins with the same history, which is learnt once.
    let learnt: ReturnType<Detector> | undefined
    const once: Detector = (history) => (learnt ??= ours(history))
    for (const [which, { happening }] of happenings.entries())
      tried[which]?.push(tryHappening(world, from + index, happening, once))
  }
  const [ten = [], five = [], fall = [], spike = [], dip = []] = tried
  const within = (outcomes: readonly Outcome[], readings: number) =>
    part(outcomes.map((one) => one.readings !== null && one.readings <= readings))
  const detected = ten.filter(({ readings }) => readings !== null)
  const { every = 1 } = world
  return [
    within(ten, 1),
    within(ten, 2),
    every > 7 ? '' : within(ten, Math.floor(7 / every)),
    within(five, 5),
    within(fall, 2),
    part(detected.map(({ alerts }) => alerts === 1)),
    part(spike.map(({ afterEnd }) => afterEnd === 0)),
    part(dip.map(({ afterEnd }) => afterEnd === 0)),
  ]
}
