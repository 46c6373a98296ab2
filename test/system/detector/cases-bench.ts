import type { ModelFinding } from '../../../src/intake/poll/shared-moves.ts'
import { part, perYear } from './bootstrap.ts'
import { type Detection, ours } from './detector.ts'
import { alertsOfFive } from './five-models.ts'
import { tryHappening } from './try-world.ts'
import { simulateWorld } from './world.ts'
import type { Years } from './worlds-bench.ts'
import type { Change } from './year.ts'

const daily = { title: 'independent daily readings' }
const begins = 21

/** What is not one change of one model, or is asked for by name: a row each, of independent daily readings. */
const cases = {
  'six-spikes': [
    '+10 for one reading, six times within twelve weeks',
    ({ from, count }) => {
      const alerts = seeds(from, count).map((seed) => sixSpikes(seed).length)
      return ['one alert', part(alerts.map((one) => one === 1)), 'alerts', perYear(alerts)]
    },
  ],
  'fall-10': ['−10 on all prompts', (years) => fallOf(-10, years)],
  'fall-5': ['−5 on all prompts', (years) => fallOf(-5, years)],
  'five-4': ['five models, 4 points by the harness', (years) => fiveOf(4, years)],
  'five-8': ['five models, 8 points by the harness', (years) => fiveOf(8, years)],
} as const satisfies Record<string, readonly [string, (years: Years) => string[]]>

export type Case = keyof typeof cases
export const caseNames: readonly Case[] = ['six-spikes', 'fall-10', 'fall-5', 'five-4', 'five-8']
export const caseHead = ['case', 'trials', 'wanted', 'part', 'beside it', 'mean']

export function caseRow(name: Case, years: Years): string[] {
  const [title, measured] = cases[name]
  return [title, String(years.count), ...measured(years)]
}

function seeds(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}

function sixSpikes(seed: number): Detection[] {
  const changes = seeds(0, 6).map(
    (time): Change => ({ day: begins + 14 * time, kind: 'spike', where: 'overall', points: 10, days: 1 }),
  )
  const { history, live } = simulateWorld(daily, seed, { days: begins + 100, changes })
  const watch = ours(history)()
  return live.flatMap(({ observation }) => watch(observation)).filter(({ completes }) => !completes)
}

function fallOf(points: number, { from, count }: Years): string[] {
  const outcomes = seeds(from, count)
    .map((seed) => tryHappening(daily, seed, { points }))
    .filter(({ readings }) => readings !== null)
  const sizes = outcomes.flatMap(({ announced }) => announced ?? [])
  return [
    'named overall',
    part(outcomes.map(({ named }) => named === 'overall')),
    'points as announced',
    perYear(sizes),
  ]
}

function fiveOf(points: number, { from, count }: Years): string[] {
  const told = seeds(from, count).map((seed) => movedByHarness(seed, points))
  const right = told.map(
    (all) => all.length === 1 && all[0]?.finding.sentence.includes('changed alike') === true,
  )
  return ['one alert, which says so', part(right), 'alerts', perYear(told.map(({ length }) => length))]
}

/** Alerts from the day on at which the harness adds so many points. */
function movedByHarness(seed: number, points: number): ModelFinding[] {
  const days = begins + 30
  const harness = (day: number) => (day >= begins ? points / 100 : 0)
  return alertsOfFive(days, (index) => simulateWorld(daily, 5 * seed + index, { days, harness, changes: [] }))
    .filter(({ day }) => day >= begins)
    .map(({ found }) => found)
}
