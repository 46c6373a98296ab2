import { type AnswerId, type Answers, type ChannelSetup, given, wayOf } from './answers.ts'

/** One answer of `init`: how a person is asked for it, and how a script gives it. */
export interface SetupQuestion {
  id: AnswerId
  type: 'text' | 'secret' | 'choice'
  /** Absent where it is an option alone: nobody is asked. */
  ask?: string
  /** Where to find the answer; shown before it is asked for. */
  hint?: string
  choices?: readonly { value: string; name: string }[]
  /** What stands behind its option in the help, and what it is. */
  argument: string
  summary: string
  /**
   * The environment variable that a script may use instead, so that no secret stands in a list of processes. A person is
   * asked: a variable of that name may have been set for another program.
   */
  variable?: string
  /** Where it stands in the configuration, whose rules judge it. */
  key?: string
  /** What it is about: with another answer to that, it is asked again. */
  about?: AnswerId
  applies(answers: Answers): boolean
  /** What is suggested, and taken where nobody can be asked; empty: it may be left out. */
  fallback?(answers: Answers): string | undefined
}

/** When a question is asked: at all times, for a channel of one of these ways, where a monitoring service is named. */
export const always = () => true
export const by =
  (...ways: ChannelSetup[]) =>
  (answers: Answers) =>
    ways.some((way) => way === wayOf(answers))
export const withService = (answers: Answers) => given(answers, 'service') !== undefined
