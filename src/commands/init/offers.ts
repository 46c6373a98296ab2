import { listed } from '../../text/listed.ts'
import { Failure } from '../failure.ts'
import type { AnswerId, Answers } from './answers.ts'
import { flawOf } from './judge.ts'
import { flagOf, questionOf, questions } from './questions.ts'

/** What options and the environment answer; an option wins. */
export function offersOf(options: Answers, environment: Record<string, string | undefined>): Answers {
  const offers: Answers = {}
  for (const { id, variable } of questions) {
    const offer = options[id] ?? (variable === undefined ? undefined : environment[variable] || undefined)
    if (offer !== undefined) offers[id] = offer.trim()
  }
  return offers
}

/** What is suggested fills in for what is not offered. Throws where something is missing that nobody can be asked for. */
export function withoutAsking(offers: Answers): Answers {
  const answers: Answers = {}
  const missing: AnswerId[] = []
  for (const { id, applies, fallback } of questions) {
    if (!applies(answers)) continue
    const answer = offers[id] ?? fallback?.(answers)
    if (answer === undefined) missing.push(id)
    else answers[id] = accepted(id, { ...answers, [id]: answer })
  }
  if (missing.length === 0) return answers
  throw new Failure(`without a terminal nobody can be asked; give ${listed(missing.map(named), 'and')}`, 2)
}

/** The answer that an option gave. Throws where the configuration would refuse it. */
export function accepted(id: AnswerId, answers: Answers): string {
  const flaw = flawOf(id, answers)
  if (flaw !== undefined) throw new Failure(`${named(id)} ${flaw}`, 2)
  return answers[id] ?? ''
}

function named(id: AnswerId): string {
  const { variable } = questionOf(id)
  return variable === undefined ? flagOf(id) : `${flagOf(id)} (or ${variable} in the environment)`
}
