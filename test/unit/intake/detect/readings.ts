import { learn, observe, type Remark } from '../../../../src/intake/detect/detect.ts'
import type { Finding } from '../../../../src/intake/detect/finding.ts'
import {
  type Absence,
  type Observation,
  type PerRate,
  perRate,
} from '../../../../src/intake/detect/observation.ts'
import type { DetectorState } from '../../../../src/intake/detect/state.ts'
import { binomial, chance } from '../../../system/detector/chance.ts'

const dayMs = 86_400_000
const prompts: PerRate<number> = { overall: 500, political: 200, safety: 200, social: 100 }

/** Milliseconds since the epoch of noon on that day. */
export function noon(day: number): number {
  return Date.UTC(2026, 0, 1, 12) + day * dayMs
}

/** A reading on that day, at 20% of everything by default. */
export function reading(
  day: number,
  rates: Partial<Observation['rates']> = {},
  more: Partial<Observation> = {},
): Observation {
  const at = new Date(noon(day)).toISOString()
  return {
    at,
    version: '4.1',
    lastUpdated: at,
    rates: { ...perRate(() => 0.2), ...rates },
    counts: prompts,
    ...more,
  }
}

/** Refusals by chance, `rate` of them on all prompts; `moved` is added in one category. */
export function noisy(
  day: number,
  rate: number,
  seed = 7,
  moved: Partial<PerRate<number>> = {},
): Observation {
  const random = chance(seed, Math.round(day * 1440))
  const draw = (n: number, by = 0) => binomial(random, n, rate + by)
  const [political, safety, social] = [
    draw(200, moved.political),
    draw(200, moved.safety),
    draw(100, moved.social),
  ]
  return reading(day, {
    overall: (political + safety + social) / 500,
    political: political / 200,
    safety: safety / 200,
    social: social / 100,
  })
}

/** A detector that has seen so many noisy days at 20%, the last of them yesterday, which is day −1. */
export function learnt(days = 120, seed = 7): DetectorState {
  return learn(Array.from({ length: days }, (_, index) => noisy(index - days, 0.2, seed))).state
}

export interface Seen {
  state: DetectorState
  /** Without those that only bear out an earlier one. */
  findings: Finding[]
  confirmed: Finding[]
  remarks: Remark[]
}

export function see(state: DetectorState, observations: readonly (Observation | Absence)[]): Seen {
  const seen: Seen = { state, findings: [], confirmed: [], remarks: [] }
  for (const observation of observations) {
    const observed = observe(seen.state, observation)
    seen.state = observed.state
    for (const finding of observed.findings) {
      seen[finding.status === 'confirmed' ? 'confirmed' : 'findings'].push(finding)
    }
    seen.remarks.push(...observed.remarks)
  }
  return seen
}

export function days(from: number, count: number, of: (day: number) => Observation): Observation[] {
  return Array.from({ length: count }, (_, index) => of(from + index))
}
