import { part, perYear } from './bootstrap.ts'
import { type Detector, fixedThreshold, ours } from './detector.ts'
import { leastThreshold, tuning, years } from './measure.ts'
import { alarmsIn, calmYear, tryHappening } from './try-world.ts'
import { simulateWorld, type World } from './world.ts'
import { worlds } from './worlds.ts'
import { trialsOf, type Years } from './worlds-bench.ts'

/** Worlds that differ in their refusal rate alone. */
export const baseNames = ['base-1', 'base-2', 'base-5', 'daily', 'base-50', 'base-80', 'base-95', 'base-98']

export const baseHead = [
  'refusal rate',
  'detector',
  'false alarms a year',
  'towards 50%',
  'at the first reading',
  'within 2',
  'within 5',
]

/** What a fixed threshold does where it is chosen for this refusal rate, for no more false alarms than ours has there. */
export function baseRows(name: string, { from, count }: Years): string[][] {
  const world = worlds[name] ?? { title: 'none' }
  const seeds = Array.from({ length: count }, (_, index) => from + index)
  const alarms = (detector: Detector) => {
    const each = seeds.map((seed) => alarmsIn(simulateWorld(world, seed, calmYear), world, detector))
    return each.map(({ lasting }) => lasting)
  }
  const ourAlarms = alarms(ours)
  const wanted =
    Math.max(
      ourAlarms.reduce((sum, one) => sum + one, 0),
      1,
    ) / count
  const rivals = [1, 7].map((readings) => ({ readings, points: tunedTo(world, readings, wanted) }))
  const others = rivals.map(({ readings, points }) => ({
    called: `(${readings === 1 ? 'a) two readings' : 'b) against a 7-day mean'}, ${points} points`,
    detector: fixedThreshold(readings, points),
  }))
  return [{ called: 'ours', detector: ours }, ...others].flatMap(({ called, detector }, index) => {
    const told = perYear(index === 0 ? ourAlarms : alarms(detector))
    return [10, 5].map((points) => powerRow(world, called, told, points, detector, { from, count }))
  })
}

function powerRow(
  world: World,
  called: string,
  alarms: string,
  size: number,
  detector: Detector,
  { from, count }: Years,
): string[] {
  const { base = 0.2 } = world
  const points = base > 0.5 ? -size : size
  const delays = Array.from(
    { length: trialsOf(count) },
    (_, index) => tryHappening(world, from + index, { points }, detector).readings,
  )
  const within = (readings: number) => part(delays.map((one) => one !== null && one <= readings))
  const move = `${points > 0 ? '+' : '−'}${size}`
  return [`${Math.round(base * 100)}%`, called, alarms, move, within(1), within(2), within(5)]
}

function tunedTo(world: World, readings: number, wanted: number): number {
  const calm = Array.from({ length: years(tuning) }, (_, index) =>
    simulateWorld(world, tuning.from + index, calmYear),
  )
  return leastThreshold(
    readings,
    wanted,
    (detector) => calm.reduce((sum, year) => sum + alarmsIn(year, world, detector).lasting, 0) / calm.length,
  )
}
