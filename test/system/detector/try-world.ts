import { type Detection, type Detector, ours } from './detector.ts'
import { simulateWorld, type World, type WorldYear } from './world.ts'
import type { Change } from './year.ts'

export interface Alarms {
  /** Alerts that stood, and those that the next reading withdrew. */
  lasting: number
  withdrawn: number
  /** Processor time that the history took, and the year that was watched. */
  learning: number
  judging: number
}

/** A year of a world in which nothing changes: each alert is a false one, but for those that the world asks for. */
export function falseAlarms(world: World, seed: number, detector: Detector = ours): Alarms {
  return alarmsIn(simulateWorld(world, seed, calmYear), world, detector)
}

export const calmYear = { days: 365, changes: [] }

export function alarmsIn({ history, live }: WorldYear, world: World, detector: Detector): Alarms {
  const begun = process.threadCpuUsage()
  const watch = detector(history)()
  const learnt = process.threadCpuUsage(begun)
  const alerts: Detection[] = []
  const gone = new Set<string>()
  for (const { observation } of live) {
    for (const detection of watch(observation)) {
      if (!detection.completes) alerts.push(detection)
      else if (detection.status === 'withdrawn') gone.add(detection.since)
    }
  }
  const whole = process.threadCpuUsage(begun)
  const withdrawn = alerts.filter(({ since }) => gone.has(since)).length
  const drifts = world.drifts ? alerts.filter(({ status }) => status === 'drift').length : 0
  return {
    lasting: alerts.length - withdrawn - Math.min(drifts, 1),
    withdrawn,
    learning: secondsOf(learnt),
    judging: secondsOf(whole) - secondsOf(learnt),
  }
}

function secondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6
}

/** What may happen: percentage points, and readings after which it is over. */
export interface Happening {
  points: number
  where?: Change['where']
  readings?: number
}

export interface Outcome {
  /** Readings of their own until it was found, 1 for the first; null where it was not. */
  readings: number | null
  /**
   * Alerts from the change on, and those of them after its end. Not the first of the change itself: a window
   * shows that as long as it reaches back to it.
   */
  alerts: number
  afterEnd: number
  named: string | null
  /** Size as announced, percentage points. */
  announced: number | null
}

/** When it happens, and how long is watched: days, or readings where they are rarer. */
const happensAfter = 21
const watched = 40
const watchedReadings = 12

/** What is found of a change that begins some weeks into the watched year. */
export function tryHappening(
  world: World,
  seed: number,
  { points, where = 'overall', readings }: Happening,
  detector: Detector = ours,
): Outcome {
  const every = world.every ?? 1
  const day = Math.ceil(happensAfter / every) * every
  const days = readings === undefined ? null : readings * Math.max(1, every)
  const change: Change = { day, kind: 'step', where, points, days }
  const until = day + Math.max(watched, watchedReadings * every)
  const { history, live } = simulateWorld(world, seed, { days: until, changes: [change] })
  const watch = detector(history)()
  const direction = points > 0 ? 'rise' : 'fall'
  const outcome: Outcome = { readings: null, alerts: 0, afterEnd: 0, named: null, announced: null }
  for (const { day: now, observation } of live) {
    const detections = watch(observation)
    if (now < day) continue
    const alerts = detections.filter(({ completes }) => !completes)
    outcome.alerts += alerts.length
    const first = outcome.readings === null && alerts.find((one) => one.direction === direction)
    if (days !== null && now >= day + days) outcome.afterEnd += alerts.length - (first ? 1 : 0)
    if (!first) continue
    outcome.readings = Math.round((now - day) / every) + 1
    outcome.named = first.category
    outcome.announced = first.points
  }
  return outcome
}
