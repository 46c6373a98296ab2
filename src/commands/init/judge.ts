import { ConfigError } from '../../config/error.ts'
import { parseConfig } from '../../config/load.ts'
import type { AnswerId, Answers } from './answers.ts'
import { compose } from './compose.ts'
import { questionOf } from './questions.ts'

/**
 * What is wrong with an answer as it is written, by the rules of the configuration that it makes; nothing is asked
 * of anybody else. The end of a sentence that begins with what was asked for, and not a repetition of the answer.
 */
export function flawOf(id: AnswerId, answers: Answers): string | undefined {
  const { key, fallback } = questionOf(id)
  const answer = answers[id] ?? ''
  if (answer === '') return fallback === undefined || fallback(answers) !== '' ? 'is empty' : undefined
  if (/[\p{Cc}\p{Cs}]/u.test(answer)) return 'has a control character in it; copy it again'
  if (id === 'channel') return whyNoChoice(answer)
  if (id === 'smtpServer') return whyNoServer(answer)
  return key === undefined ? undefined : problemAt(key, answers)
}

function whyNoChoice(answer: string): string | undefined {
  const known = questionOf('channel').choices?.map(({ value }) => value) ?? []
  return known.includes(answer) ? undefined : `must be one of ${known.join(', ')}`
}

function whyNoServer(answer: string): string | undefined {
  const [, port = '587'] = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(answer) ?? [undefined, '']
  return Number(port) > 0 && Number(port) <= 65_535
    ? undefined
    : 'is not a mail server; write its name and port, such as mail.desk.example:587'
}

function problemAt(key: string, answers: Answers): string | undefined {
  const { yaml, variables } = compose(answers)
  try {
    parseConfig(yaml, 'the answers', variables)
    return undefined
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // Without a key: it reads as a variable, and the earlier answers do not.
    const places = [`${key}[`, `${key}.`]
    const here = error.problems.find(
      ({ key: at }) => at === '' || at === key || places.some((place) => at.startsWith(place)),
    )
    return here?.message
  }
}
