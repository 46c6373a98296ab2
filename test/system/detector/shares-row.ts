import { firstThreshold } from '../../../src/intake/detect/threshold.ts'
import { dayMs } from '../../../src/platform/durations.ts'
import { part, perYear } from './bootstrap.ts'
import { ours } from './detector.ts'
import { delaysOf, type Seeds } from './measure.ts'
import type { Step } from './trial.ts'
import { simulateYear } from './year.ts'

const steps: Step[] = [
  { where: 'overall', points: -5 },
  { where: 'overall', points: -10 },
  { where: 'overall', points: 10 },
]

/** What is found and what is said falsely with the share of the false alarms that each fall has. */
export function measuredRow(share: number, years: Seeds, trials: Seeds): string[] {
  const alarms: number[] = []
  const falls: number[] = []
  for (let seed = years.from; seed <= years.to; seed++) {
    const { history, live } = simulateYear(seed, { noise: 'binomial', changes: false, unrest: false })
    const watch = ours(history)()
    const findings = live
      .flatMap(({ observation }) => watch(observation))
      .filter(({ completes }) => !completes)
    alarms.push(findings.length)
    falls.push(findings.filter(({ direction }) => direction === 'fall').length)
  }
  const [five = [], ten = [], rise = []] = delaysOf(trials, steps, ours)
  const within = (delays: readonly number[], readings: number) => part(delays.map((one) => one <= readings))
  return [
    `${Math.round(100 * share)}%`,
    firstThreshold('overall', -1, dayMs).toFixed(2),
    perYear(alarms),
    perYear(falls),
    within(five, 5),
    perYear(five),
    within(ten, 2),
    within(rise, 1),
  ]
}
