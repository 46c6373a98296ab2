import { parseArgs } from 'node:util'
import { writeBetweenMarkers } from '../bench/table.ts'
import { ours } from './detector.ts'
import { grid } from './grid.ts'
import {
  type Delays,
  delays,
  falseAlarmsPerYear,
  mean,
  partWithin,
  type Seeds,
  scoreYears,
  tunedRival,
  tuning,
  years,
} from './measure.ts'
import { noScore, type Score } from './score.ts'
import type { Step } from './trial.ts'
import { worlds } from './worlds.ts'
import { benchWorlds, trialsOf } from './worlds-bench.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1..100' },
    write: { type: 'boolean', default: false },
    world: { type: 'string' },
    years: { type: 'string', default: '50' },
  },
})

function readSeeds(text: string): Seeds {
  const [from = Number.NaN, to = Number.NaN] = /^\d+\.\.\d+$/.test(text) ? text.split('..').map(Number) : []
  if (from <= to && to < tuning.from) return { from, to }
  process.stderr.write(
    `--seeds ${text}: write it as 1..1000, below ${tuning.from}: what comes after is for tuning\n`,
  )
  process.exit(2)
}

const steps: Step[] = [
  { where: 'overall', points: 3 },
  { where: 'overall', points: 5 },
  { where: 'overall', points: 10 },
  { where: 'overall', points: 20 },
  { where: 'overall', points: -5 },
  { where: 'overall', points: -10 },
  { where: 'political', points: 10 },
  { where: 'social', points: 20 },
]
/** Bounds of the sizes of steps for which recall is told, in percentage points. */
const sizes: [number, number][] = [
  [3, 6],
  [6, 10],
  [10, 30],
]

function bench(seeds: Seeds): string {
  const begun = Date.now()
  const say = (what: string) =>
    process.stderr.write(`${((Date.now() - begun) / 1000).toFixed(0)} s: ${what}\n`)
  say('years without a change')
  const [calm = noScore] = scoreYears(seeds, { noise: 'binomial', changes: false, unrest: false }, [ours])
  const perYear = Math.max(falseAlarmsPerYear(calm, seeds), 1 / years(seeds))
  say('tuning the rivals')
  const rivals = [
    { name: '(a) two readings', ...tunedRival(1, perYear) },
    { name: '(b) against a 7-day mean', ...tunedRival(7, perYear) },
  ]
  const names = ['ours', ...rivals.map(({ name, points }) => `${name}, ${points} points`)]
  const detectors = [ours, ...rivals.map(({ detector }) => detector)]

  const plans = [
    { title: 'calm, binomial noise', noise: 'binomial', changes: false, unrest: false },
    { title: 'restless, binomial noise', noise: 'binomial', changes: false, unrest: true },
    { title: 'restless, the same prompts: less noise', noise: 'same-prompts', changes: false, unrest: true },
    { title: 'restless, a flaky harness: more noise', noise: 'flaky', changes: false, unrest: true },
    { title: 'restless with changes, binomial noise', noise: 'binomial', changes: true, unrest: true },
  ] as const
  const rows = plans.flatMap(({ title, ...plan }) => {
    say(title)
    const isCalm = !plan.changes && !plan.unrest
    const scores = isCalm
      ? [calm, ...scoreYears(seeds, plan, detectors.slice(1))]
      : scoreYears(seeds, plan, detectors)
    return scores.map((score, index) => scoreCells(title, names[index] ?? '', score, seeds))
  })
  say('steps after a calm year')
  const found = delays(seeds, steps, detectors, perYear)
  const delayRows = found.flatMap((one) => delayCells(one, [...names, '(c) oracle CUSUM']))
  say('done')

  const made = new Date().toISOString().slice(0, 10)
  const first = `${made}, seeds ${seeds.from} to ${seeds.to}; tuned on ${tuning.from} to ${tuning.to} and the hundreds after them.`
  const wanted = sizes.map(([from, to]) => `found, ${from} to ${to} points`)
  const head = ['model-years', 'detector', 'false alarms per year', 'precision', ...wanted, 'days, mean']
  const delayHead = [
    'step from 20 %',
    'detector',
    'at the first reading',
    'within 2',
    'within 5',
    'readings, mean',
    'of the oracle',
  ]
  return `${first}\n\n${grid(head, rows)}\n${grid(delayHead, delayRows)}`
}

function scoreCells(title: string, name: string, score: Score, seeds: Seeds): string[] {
  const findings = score.right + score.wrong + score.again
  const found = score.steps.filter(({ delay }) => delay !== null)
  const recalls = sizes.map(([from, to]) => {
    const those = score.steps.filter(
      ({ change }) => Math.abs(change.points) >= from && Math.abs(change.points) < to,
    )
    return those.length === 0 ? '' : ratio(those.filter(({ delay }) => delay !== null).length / those.length)
  })
  const hasChanges = score.steps.length > 0
  return [
    title,
    name,
    falseAlarmsPerYear(score, seeds).toFixed(3),
    hasChanges ? ratio(score.right / findings) : '',
    ...recalls,
    hasChanges ? mean(found.map(({ delay }) => delay ?? 0)).toFixed(2) : '',
  ]
}

function delayCells({ step, detectors, oracle }: Delays, names: readonly string[]): string[][] {
  const where = step.where === 'overall' ? 'all 500 prompts' : step.where
  const title = `${step.points > 0 ? '+' : '−'}${Math.abs(step.points)} points, ${where}`
  return [...detectors, oracle].map((values, index) => [
    title,
    names[index] ?? '',
    ...[1, 2, 5].map((readings) => ratio(partWithin(values, readings))),
    mean(values).toFixed(2),
    (mean(values) / mean(oracle)).toFixed(2),
  ])
}

function ratio(part: number): string {
  return part.toFixed(3)
}

function readWorlds(text: string): string[] {
  const names = text === 'all' ? Object.keys(worlds) : text.split(',')
  const unknown = names.filter((name) => worlds[name] === undefined)
  if (unknown.length === 0) return names
  process.stderr.write(
    `--world ${text}: no world is called ${unknown.join(', ')}; there are ${Object.keys(worlds).join(', ')}, and all\n`,
  )
  process.exit(2)
}

const pageOf = (name: string) => new URL(`../../docs/${name}.md`, import.meta.url).pathname
if (values.world === undefined) {
  const text = bench(readSeeds(values.seeds))
  process.stdout.write(`\n${text}`)
  if (values.write) writeBetweenMarkers(pageOf('detection'), text, 'bench:signal')
} else {
  const count = Number(values.years)
  const { from } = readSeeds(values.seeds)
  const table = benchWorlds(readWorlds(values.world), { from, count }, (name) =>
    process.stderr.write(`${name}\n`),
  )
  const made = new Date().toISOString().slice(0, 10)
  const text = `${made}, seeds from ${from} on: ${count} model-years a row, and ${trialsOf(count)} of each change.\n\n${table}`
  process.stdout.write(`\n${text}`)
  if (values.write) writeBetweenMarkers(pageOf('detection-worlds'), text, 'bench:signal')
}
