import type { AnswerId, Answers, SetupQuestion } from '../../config/setup/answers.ts'
import { flawOf } from '../../config/setup/config-from-answers.ts'
import { flagOf, isAsked, open, questionOf, questions } from '../../config/setup/questions.ts'
import type { SetupTrialResult } from '../../console/setup-trials.ts'
import { listed } from '../../platform/text.ts'
import { shown } from '../check/row.ts'
import { CommandFailure } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import type { Prompter } from './ask.ts'
import { type SetupTrial, trials } from './trials.ts'

interface Interview {
  /** What is answered beforehand. */
  offers: Answers
  /** Absent if nobody can be asked. */
  person: Prompter | undefined
  terminal: Terminal
  /** Whether the answers are tried. */
  isTried: boolean
  /** What is asked, if not everything. */
  asked?: readonly SetupQuestion[]
  /** What needs no question, and cannot be answered anew. */
  preset?: Answers
}

/** Asks what is open and tries each answer as soon as it can be; what does not work is asked again. */
export async function interview({
  offers,
  person,
  terminal,
  isTried,
  asked = questions,
  preset = {},
}: Interview): Promise<Answers> {
  const left: Answers = { ...offers }
  const before: Answers = {}
  /** With which answers each trial was done. */
  const done = new Map<SetupTrial, string>()
  let answers = preset

  for (;;) {
    const trial = isTried ? trials.find((one) => isDue(one, answers, done)) : undefined
    if (trial !== undefined) {
      terminal.out(`Trying ${trial.what}.\n`)
      const tried = await trial.run(answers)
      terminal.out(tried.findings.map((one) => shown(one, terminal)).join(''))
      const next = await nextStep(tried, person)
      if (next === 'on') done.set(trial, fingerprint(trial, answers))
      if (next === 'change') forgetAll(trial, tried.wrong)
      continue
    }
    const [question] = open(answers, asked)
    if (question === undefined) return answers
    answers = { ...answers, [question.id]: await answerTo(question) }
  }

  function forgetAll({ what }: SetupTrial, wrong: readonly AnswerId[] = []): void {
    const changeable = wrong.filter((id) => preset[id] === undefined)
    if (changeable.length === 0)
      throw new CommandFailure(
        `${what} rejects what the configuration has; correct that first. Nothing was changed`,
      )
    changeable.forEach(forget)
  }

  function forget(id: AnswerId): void {
    const { [id]: wrong, ...others } = answers
    if (wrong !== undefined) before[id] = wrong
    answers = others
    for (const question of questions) if (question.about === id) forget(question.id)
  }

  async function answerTo(question: SetupQuestion): Promise<string> {
    const { id } = question
    const offer = left[id] ?? (question.ask === undefined ? question.fallback?.(answers) : undefined)
    delete left[id]
    if (offer !== undefined) return accepted(question, { ...answers, [id]: offer.trim() })
    if (person === undefined) throw new Error(`${flagOf(id)} is missing`)
    return askFor(question, { answers, before: before[id], person, terminal })
  }
}

function isDue(trial: SetupTrial, answers: Answers, done: Map<SetupTrial, string>): boolean {
  const needs = trial.needs(answers)
  if (needs?.every((id) => answers[id] !== undefined) !== true) return false
  return done.get(trial) !== fingerprint(trial, answers)
}

function fingerprint(trial: SetupTrial, answers: Answers): string {
  return JSON.stringify(trial.needs(answers)?.map((id) => [id, answers[id]]))
}

/** Without a person, what does not work ends it, named by its option. */
async function nextStep(
  tried: SetupTrialResult,
  person: Prompter | undefined,
): Promise<'on' | 'again' | 'change'> {
  if (tried.wrong === undefined) return 'on'
  if (person === undefined) {
    if (tried.isDoubtful) return 'on'
    throw new CommandFailure(`${listed(tried.wrong.map(flagOf), 'and')} did not work; nothing was written`)
  }
  if (!tried.canStay) return 'change'
  const next = await person.choice('What now?', [
    { value: 'again', name: 'Try again' },
    { value: 'change', name: 'Answer anew' },
    { value: 'on', name: 'Go on all the same' },
  ])
  return next === 'again' || next === 'change' ? next : 'on'
}

interface QuestionContext {
  answers: Answers
  /** What was answered before, and did not work. */
  before: string | undefined
  person: Prompter
  terminal: Terminal
}

async function askFor(question: SetupQuestion, asking: QuestionContext): Promise<string> {
  const { id, hint } = question
  if (hint !== undefined && asking.before === undefined) asking.terminal.out(`${hint}\n`)
  for (;;) {
    const answer = (await typed(question, asking)).trim()
    const flaw = flawOf(id, { ...asking.answers, [id]: answer }) ?? question.refuses?.(answer)
    if (flaw === undefined) return answer
    asking.terminal.out(`That ${flaw}.\n`)
  }
}

async function typed(question: SetupQuestion, { answers, before, person }: QuestionContext): Promise<string> {
  const { type, ask = '', choices = [] } = question
  const suggested = before ?? question.fallback?.(answers)
  if (type === 'choice') return person.choice(ask, choices, suggested)
  if (type !== 'secret') return person.text(ask, suggested)
  if (before === undefined) return (await person.secret(ask)) || (suggested ?? '')
  return (await person.secret(`${ask.replace(/:$/, '')} (empty: the same again):`)) || before
}

/**
 * All answers if `init` cannot ask: from options, else the environment, else the suggestions. Throws if an answer is
 * missing, or if an option would have no effect.
 */
export function withoutAsking(
  options: Answers,
  environment: NodeJS.Dict<string>,
  { asked = questions, preset = {} }: Pick<Interview, 'asked' | 'preset'> = {},
): Answers {
  const answers = { ...preset }
  const missing: AnswerId[] = []
  const useless: AnswerId[] = []
  for (const { id } of questions) {
    const question = asked.find((one) => one.id === id && preset[id] === undefined)
    if (question === undefined || !isAsked(question, answers)) {
      if (options[id] !== undefined) useless.push(id)
      continue
    }
    const { variable, fallback } = question
    const inEnvironment = variable === undefined ? undefined : environment[variable] || undefined
    const answer = (options[id] ?? inEnvironment)?.trim() ?? fallback?.(answers)
    if (answer === undefined) missing.push(id)
    else answers[id] = accepted(question, { ...answers, [id]: answer })
  }
  if (missing.length > 0) {
    throw new CommandFailure(
      `without a terminal nobody can be asked (with docker: run -it); give ${listed(missing.map(named), 'and')}`,
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

/** The answer that an option gave. Throws if the configuration would refuse it. */
function accepted({ id, refuses }: SetupQuestion, answers: Answers): string {
  const answer = answers[id] ?? ''
  const flaw = flawOf(id, answers) ?? refuses?.(answer)
  if (flaw !== undefined) throw new CommandFailure(`${named(id)} ${flaw}`, 2)
  return answer
}

function named(id: AnswerId): string {
  const { variable } = questionOf(id)
  return variable === undefined ? flagOf(id) : `${flagOf(id)} (or ${variable} in the environment)`
}
