import { parseArgs } from 'node:util'
import { writeBetweenMarkers } from '../../../bench/table.ts'
import { baseHead, baseNames } from './base-bench.ts'
import { part, perYear, ratio } from './bootstrap.ts'
import { caseHead, caseNames } from './cases-bench.ts'
import { fallsTables } from './falls-bench.ts'
import { grid } from './grid.ts'
import type { Rival } from './jobs.ts'
import { falseAlarmsPerYear, leastReported, type Seeds, tunedRival, tuning, years } from './measure.ts'
import { openPool, type Pool } from './pool.ts'
import { add, noScore, type Score } from './score.ts'
import type { Step } from './trial.ts'
import { worlds } from './worlds.ts'
import { trialsOf, worldHead, type Years } from './worlds-bench.ts'
import type { YearPlan } from './year.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: `${leastReported}..${leastReported + 99}` },
    calm: { type: 'string' },
    trials: { type: 'string' },
    write: { type: 'boolean', default: false },
    world: { type: 'string' },
    years: { type: 'string', default: '50' },
    falls: { type: 'boolean', default: false },
    workers: { type: 'string', default: '1' },
  },
})

function readSeeds(text: string): Seeds {
  const [from = Number.NaN, to = Number.NaN] = /^\d+\.\.\d+$/.test(text) ? text.split('..').map(Number) : []
  if (leastReported <= from && from <= to && to < tuning.from) return { from, to }
  process.stderr.write(
    `--seeds ${text}: write it as ${leastReported}..1999, from ${leastReported} to ${tuning.from - 1}: constants were chosen on the others\n`,
  )
  process.exit(2)
}

const steps: Step[] = [
  { where: 'overall', points: 3 },
  { where: 'overall', points: 5 },
  { where: 'overall', points: 10 },
  { where: 'overall', points: -5 },
  { where: 'overall', points: -10 },
  { where: 'political', points: 10 },
]
/** Bounds of the sizes of steps for which recall is shown, in percentage points. */
const sizes: [number, number][] = [
  [3, 6],
  [6, 10],
  [10, 30],
]

const plans = [
  { title: 'calm, binomial noise', noise: 'binomial', changes: false, unrest: false },
  { title: 'restless, binomial noise', noise: 'binomial', changes: false, unrest: true },
  { title: 'restless, the same prompts: less noise', noise: 'same-prompts', changes: false, unrest: true },
  { title: 'restless, a flaky harness: more noise', noise: 'flaky', changes: false, unrest: true },
  { title: 'restless with changes, binomial noise', noise: 'binomial', changes: true, unrest: true },
] as const

/** Each processor reports after this many years. */
const chunk = 50

function chunks({ from, to }: Seeds): Seeds[] {
  const count = Math.ceil((to - from + 1) / chunk)
  return Array.from({ length: count }, (_, index) => ({
    from: from + index * chunk,
    to: Math.min(to, from + (index + 1) * chunk - 1),
  }))
}

function sayTo(begun: number): (what: string) => void {
  return (what) => process.stderr.write(`${((Date.now() - begun) / 1000).toFixed(0)} s: ${what}\n`)
}

/**
 * `calm` are the years without a change, for the false alarms of the headline. `trials` are those after which
 * each step is tried. Both cost little beside years of all kinds with all detectors.
 */
async function bench(pool: Pool, seeds: Seeds, calm: Seeds, trials: Seeds): Promise<string> {
  const say = sayTo(Date.now())
  const score = async (those: Seeds, plan: YearPlan, rivals: Rival[], withOurs = true) => {
    const parts = await Promise.all(
      chunks(those).map((part) => pool.run({ kind: 'score', seeds: part, plan, rivals, withOurs })),
    )
    const detectors = rivals.length + (withOurs ? 1 : 0)
    return Array.from({ length: detectors }, (_, index) =>
      parts.reduce((sum, part) => add(sum, part[index] ?? noScore), noScore),
    )
  }
  say('years without a change')
  const [calmPlan] = plans
  const [ours = noScore] = await score(calm, calmPlan, [])
  const wanted = Math.max(falseAlarmsPerYear(ours, calm), 1 / years(calm))
  say('tuning the rivals')
  const rivals = [1, 7].map((readings) => ({ readings, points: tunedRival(readings, wanted) }))
  const rivalNames = ['(a) two readings', '(b) against a 7-day mean']
  const names = ['ours', ...rivals.map(({ points }, index) => `${rivalNames[index]}, ${points} points`)]

  const alarmRows: string[][] = []
  const foundRows: string[][] = []
  for (const { title, ...plan } of plans) {
    say(title)
    const isCalm = !plan.changes && !plan.unrest
    const scores = isCalm
      ? [ours, ...(await score(seeds, plan, rivals, false))]
      : await score(seeds, plan, rivals)
    alarmRows.push([title, ...scores.map(({ alarms }) => perYear(alarms))])
    if (plan.changes) foundRows.push(...scores.map((one, index) => foundCells(names[index] ?? '', one)))
  }
  say('steps after a calm year')
  const oracles = Promise.all(
    steps.map((step) => pool.run({ kind: 'oracle', seeds: trials, step, perYear: wanted })),
  )
  const tried = await Promise.all(
    chunks(trials).map((part) => pool.run({ kind: 'detect', seeds: part, steps, rivals })),
  )
  const oracle = await oracles
  const delayRows = steps.map((step, index) => {
    const delays = names.map((_, which) => tried.flatMap((part) => part[which]?.[index] ?? []))
    return delayCells(step, delays, oracle[index] ?? [])
  })
  say('done')

  const made = new Date().toISOString().slice(0, 10)
  const first = `${made}, seeds ${seeds.from} to ${seeds.to}, calm years ${calm.from} to ${calm.to}, steps ${trials.from} to ${trials.to}, rivals tuned on ${tuning.from} to ${tuning.to}.`
  const recalls = sizes.map(([from, to]) => `${from} to ${to} points`)
  const delayHead = [
    'step from 20%',
    'found at once',
    'within 2',
    'within 5',
    'readings',
    '(a)',
    '(b)',
    '(c)',
    'of (c)',
  ]
  return [
    `${first}\n`,
    grid(['false alarms a year', ...names], alarmRows),
    grid(['restless with changes', 'precision', ...recalls, 'days, mean'], foundRows),
    grid(delayHead, delayRows),
  ].join('\n')
}

/** If all of a world is requested, the cases and the rivals at each refusal rate follow below it. */
async function benchWorlds(
  pool: Pool,
  names: readonly string[],
  from: number,
  count: number,
): Promise<string> {
  const say = sayTo(Date.now())
  const rows = await Promise.all(
    names.map(async (name) => {
      const row = await pool.run({ kind: 'world', name, years: { from, count } })
      say(`${name} | ${row.slice(1).join(' | ')}`)
      return row
    }),
  )
  const isAll = names.length === Object.keys(worlds).length
  const chosen = isAll ? caseNames : []
  const cases = await Promise.all(
    chosen.map(
      async (name) => await pool.run({ kind: 'case', name, years: { from, count: trialsOf(count) } }),
    ),
  )
  const rates = await Promise.all(
    (isAll ? baseNames : []).map((name) => pool.run({ kind: 'base', name, years: { from, count } })),
  )
  if (!isAll) return grid(worldHead, rows)
  return [grid(worldHead, rows), grid(caseHead, cases), grid(baseHead, rates.flat())].join('\n')
}

/** The same worlds, by how rises and falls are found after long and short histories. */
async function benchFalls(
  pool: Pool,
  names: readonly string[],
  years: Years,
  trials: Years,
): Promise<string> {
  const say = sayTo(Date.now())
  const all = await Promise.all(
    names.map(async (name) => {
      const falls = await pool.run({ kind: 'falls', name, years, trials })
      say(`${name}: ${falls.alarms} false alarms in ${falls.years} years`)
      return falls
    }),
  )
  return fallsTables(all)
}

function foundCells(name: string, score: Score): string[] {
  const delays = score.steps.flatMap(({ delay }) => delay ?? [])
  const recalls = sizes.map(([from, to]) => {
    const those = score.steps.filter(
      ({ change }) => Math.abs(change.points) >= from && Math.abs(change.points) < to,
    )
    return part(those.map(({ delay }) => delay !== null))
  })
  const isRight = [
    ...Array.from({ length: score.right }, () => true),
    ...Array.from({ length: score.wrong + score.again }, () => false),
  ]
  return [name, part(isRight), ...recalls, perYear(delays)]
}

function delayCells(step: Step, delays: readonly number[][], oracle: readonly number[]): string[] {
  const where = step.where === 'overall' ? 'all 500 prompts' : step.where
  const title = `${step.points > 0 ? '+' : '−'}${Math.abs(step.points)} points, ${where}`
  const [ours = []] = delays
  return [
    title,
    ...[1, 2, 5].map((readings) => part(ours.map((value) => value <= readings))),
    ...[...delays, oracle].map((values) => perYear(values)),
    ratio(ours, oracle),
  ]
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

const pathOf = (file: string) => new URL(file, import.meta.url).pathname
const page = pathOf('../../../docs/internals/detection.md')
const seeds = readSeeds(values.seeds)
const requested = values.world === undefined ? undefined : readWorlds(values.world)
const pool = openPool(Number(values.workers))
if (requested === undefined) {
  const asMany = (count = String(years(seeds))) => ({ from: seeds.from, to: seeds.from + Number(count) - 1 })
  const text = await bench(pool, seeds, asMany(values.calm), asMany(values.trials))
  process.stdout.write(`\n${text}`)
  if (values.write) writeBetweenMarkers(page, text, 'bench:signal')
} else {
  const count = Number(values.years)
  const begun = `${new Date().toISOString().slice(0, 10)}, seeds from ${seeds.from} on: ${count} model-years a row`
  if (values.falls) {
    const trials = Number(values.trials ?? trialsOf(count))
    const table = await benchFalls(
      pool,
      requested,
      { from: seeds.from, count },
      { from: seeds.from, count: trials },
    )
    const text = `${begun}, and ${trials} of each change after each past.\n\n${table}`
    process.stdout.write(`\n${text}`)
    if (values.write) writeBetweenMarkers(pathOf('recorded/falls.md'), text, 'bench:signal')
  } else {
    const table = await benchWorlds(pool, requested, seeds.from, count)
    const text = `${begun}, and ${trialsOf(count)} of each change.\n\n${table}`
    process.stdout.write(`\n${text}`)
    if (values.write) writeBetweenMarkers(pathOf('recorded/worlds.md'), text, 'bench:signal')
  }
}
await pool.close()
