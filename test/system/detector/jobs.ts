import { baseRows } from './base-bench.ts'
import { type Case, caseRow } from './cases-bench.ts'
import { fixedThreshold, ours } from './detector.ts'
import { type FallsOf, fallsOf } from './falls-bench.ts'
import { delaysOf, oracleDelays, type Seeds, scoreYears } from './measure.ts'
import type { Score } from './score.ts'
import type { Step } from './trial.ts'
import { worldRow, type Years } from './worlds-bench.ts'
import type { YearPlan } from './year.ts'

/** A fixed threshold, as it goes from one process to another. */
export interface Rival {
  readings: number
  points: number
}

/** A part of a bench that needs nothing of the others. */
export type Job =
  | { kind: 'world'; name: string; years: Years }
  | { kind: 'falls'; name: string; years: Years; trials: Years }
  | { kind: 'case'; name: Case; years: Years }
  | { kind: 'base'; name: string; years: Years }
  | { kind: 'score'; seeds: Seeds; plan: YearPlan; rivals: readonly Rival[]; withOurs: boolean }
  | { kind: 'detect'; seeds: Seeds; steps: readonly Step[]; rivals: readonly Rival[] }
  | { kind: 'oracle'; seeds: Seeds; step: Step; perYear: number }

export interface Results {
  world: string[]
  falls: FallsOf
  case: string[]
  base: string[][]
  score: Score[]
  /** Readings until it was found: by detector, step and seed. */
  detect: number[][][]
  oracle: number[]
}

export function work(job: Job): Results[Job['kind']] {
  if (job.kind === 'world') return worldRow(job.name, job.years)
  if (job.kind === 'falls') return fallsOf(job.name, job.years, job.trials)
  if (job.kind === 'case') return caseRow(job.name, job.years)
  if (job.kind === 'base') return baseRows(job.name, job.years)
  if (job.kind === 'oracle') return oracleDelays(job.seeds, job.step, job.perYear)
  const rivals = job.rivals.map(({ readings, points }) => fixedThreshold(readings, points))
  if (job.kind === 'score') return scoreYears(job.seeds, job.plan, job.withOurs ? [ours, ...rivals] : rivals)
  return [ours, ...rivals].map((detector) => delaysOf(job.seeds, job.steps, detector))
}
