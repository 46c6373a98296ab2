import type { TryFilters } from '../console/parts.ts'
import type { TryAnswers } from '../console/setup-trials.ts'

/** For the console. One after the other, for all who ask; what it takes is loaded when somebody asks. */
export function filterTrials(): TryFilters {
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn: TryFilters = (asked) => {
    const done = turn.then(async () => (await import('./backtest.ts')).tried(asked))
    turn = done.catch(() => undefined)
    return done
  }
  return inTurn
}

/** What it tries with is loaded when somebody answers. */
export const tryAnswers: TryAnswers = async (answered) =>
  (await import('./init/trials.ts')).tryAnswers(answered)
