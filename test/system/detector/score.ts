import type { Detector } from './detector.ts'
import type { Change, Year } from './year.ts'

/** A change that is seen later than this is not found; a finding that comes later is a false alarm. */
const windowDays = 30

export interface Score {
  /** Changes of a rate, and the days until each was found, null where it was not: 1 is the first day. */
  steps: { change: Change; delay: number | null; named: boolean }[]
  versions: number
  versionsFound: number
  /** Findings that are about a change, about none, and about one that was already found. */
  right: number
  wrong: number
  again: number
  /** Those about none, or about one again, in each year. */
  alarms: readonly number[]
}

export function scoreYear(year: Year, detector: Detector): Score {
  const watch = detector(year.history)()
  const score = { ...noScore }
  const told = new Set<Change>()
  const steps = new Map(
    year.changes
      .filter(({ points }) => points !== 0)
      .map((change) => [change, { change, delay: null as number | null, named: false }]),
  )
  const labels = year.changes.filter(({ kind }) => kind === 'version')
  for (const { day, observation } of year.live) {
    for (const detection of watch(observation)) {
      if (detection.version) score.versionsFound++
      const change = year.changes.find((one) => isAbout(one, detection.direction, day))
      const step = change && steps.get(change)
      if (change !== undefined && step !== undefined && detection.direction !== null && step.delay === null) {
        step.delay = day - change.day + 1
        step.named = detection.category === change.where
      }
      if (detection.completes) continue
      if (change === undefined) score.wrong += isEndOfSpike(year.changes, detection.direction, day) ? 0 : 1
      else if (told.has(change)) score.again++
      else score.right++
      if (change !== undefined) told.add(change)
    }
  }
  const alarms = [score.wrong + score.again]
  return { ...score, steps: [...steps.values()], versions: labels.length, alarms }
}

function isAbout(
  { day: from, kind, points, days }: Change,
  direction: 'rise' | 'fall' | null,
  day: number,
): boolean {
  if (day < from || day >= from + Math.min(windowDays, (days ?? windowDays) + 3)) return false
  if (direction === null) return kind === 'version'
  return points !== 0 && direction === (points > 0 ? 'rise' : 'fall')
}

/** The end of a spike is true too; it may be reported, and need not be. */
function isEndOfSpike(changes: readonly Change[], direction: 'rise' | 'fall' | null, day: number): boolean {
  return changes.some(
    (change) =>
      change.days !== null &&
      direction === (change.points > 0 ? 'fall' : 'rise') &&
      day >= change.day + change.days &&
      day < change.day + change.days + windowDays,
  )
}

export function add(one: Score, other: Score): Score {
  return {
    steps: [...one.steps, ...other.steps],
    versions: one.versions + other.versions,
    versionsFound: one.versionsFound + other.versionsFound,
    right: one.right + other.right,
    wrong: one.wrong + other.wrong,
    again: one.again + other.again,
    alarms: [...one.alarms, ...other.alarms],
  }
}

export const noScore: Score = {
  steps: [],
  versions: 0,
  versionsFound: 0,
  right: 0,
  wrong: 0,
  again: 0,
  alarms: [],
}
