import { listed } from '../../platform/text.ts'
import { CommandFailure } from '../failure.ts'
import type { AnswerId, Answers } from './answers.ts'
import { flawOf } from './judge.ts'
import { flagOf, questionOf, questions } from './questions.ts'

/**
 * All answers, where nobody can be asked: options, else the environment, else what is suggested. Throws where one is
 * missing, and where an option would have no effect.
 */
export function withoutAsking(options: Answers, environment: NodeJS.Dict<string>): Answers {
  const answers: Answers = {}
  const missing: AnswerId[] = []
  const useless: AnswerId[] = []
  for (const { id, variable, applies, fallback } of questions) {
    if (!applies(answers)) {
      if (options[id] !== undefined) useless.push(id)
      continue
    }
    const inEnvironment = variable === undefined ? undefined : environment[variable] || undefined
    const answer = (options[id] ?? inEnvironment)?.trim() ?? fallback?.(answers)
    if (answer === undefined) missing.push(id)
    else answers[id] = accepted(id, { ...answers, [id]: answer })
  }
  if (missing.length > 0) {
    throw new CommandFailure(
      `without a terminal nobody can be asked; give ${listed(missing.map(named), 'and')}`,
      2,
    )
  }
  if (useless.length > 0) {
    throw new CommandFailure(
      `${listed(useless.map(flagOf), 'and')} would have no effect beside the other options`,
      2,
    )
  }
  return answers
}

/** The answer that an option gave. Throws where the configuration would refuse it. */
export function accepted(id: AnswerId, answers: Answers): string {
  const flaw = flawOf(id, answers)
  if (flaw !== undefined) throw new CommandFailure(`${named(id)} ${flaw}`, 2)
  return answers[id] ?? ''
}

function named(id: AnswerId): string {
  const { variable } = questionOf(id)
  return variable === undefined ? flagOf(id) : `${flagOf(id)} (or ${variable} in the environment)`
}
