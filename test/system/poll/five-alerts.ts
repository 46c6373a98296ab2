import type { ModelFinding } from '../../../src/intake/poll/shared-moves.ts'
import { alertsOfFive } from '../detector/five-models.ts'
import { simulateWorld } from '../detector/world.ts'
import type { Change } from '../detector/year.ts'

export const moves = 21
export const movedAt = Date.parse('2025-01-01T06:00:00Z') + moves * 86_400_000

/** Alerts of five models when `points` are added to all of them, and a change to each of the first. */
export function alerts(seed: number, points: number, ...changes: Change[]): ModelFinding[] {
  const harness = (day: number) => (day >= moves ? points / 100 : 0)
  const worldOf = (index: number) =>
    simulateWorld({ title: 'daily' }, 10 * seed + index, {
      days: 60,
      harness,
      changes: changes.slice(index, index + 1),
    })
  return alertsOfFive(60, worldOf).map(({ found }) => found)
}
