import type { TryFilters } from '../console/parts.ts'
import type { TryAnswers } from '../console/setup-trials.ts'
import { oneAtATime } from '../platform/one-at-a-time.ts'

/** For the console. One after the other, for all who ask; what it takes is loaded when somebody asks. */
export function filterTrials(): TryFilters {
  const inTurn = oneAtATime()
  return (asked) => inTurn(async () => (await import('./backtest.ts')).tried(asked))
}

/** What it tries with is loaded when somebody answers. */
export const tryAnswers: TryAnswers = async (answered) =>
  (await import('./init/trials.ts')).tryAnswers(answered)
