import type { AlertEvent, ShownAlert } from '../../event/event.ts'
import { problems } from '../../event/problems.ts'
import { plain } from '../../platform/text.ts'
import type { Words } from '../words/words.ts'

/** What was not as the service documents its events, and what came instead, where that is at hand. */
export function unrecognisedOf(
  event: ShownAlert & Partial<Pick<AlertEvent, 'body'>>,
  { service, words }: { service: string; words: Words },
): string[] {
  if (event.unrecognised.length === 0) return []
  const body = event.unrecognised.filter(({ field }) => field === 'body')
  const shown = body.length > 0 && event.type === null ? body : event.unrecognised
  const rows = shown.map(({ field, problem }) =>
    words.say('row', { field, problem: problemIn(problem, words) }),
  )
  return [
    words.say('unrecognised', { service, rows: words.list(rows) }),
    ...(event.body === undefined ? [] : [words.say('asReceived', { body: plain(event.body.text, 500) })]),
  ]
}

/** Of those that are stored, by their English text. */
const names = new Map(Object.entries(problems).map(([name, text]) => [text as string, name]))

function isProblem(name: string | undefined): name is keyof typeof problems {
  return name !== undefined && Object.hasOwn(problems, name)
}

const ownId = /^“(?<id>.*)” has the form of Bluepencil’s own ids; kept under another$/su

/** Problems are stored in English, several of one field with a semicolon between them. */
function problemIn(problem: string, words: Words): string {
  if (words.language === 'en') return plain(problem)
  const id = ownId.exec(problem)?.groups?.id
  if (id !== undefined) return words.say('problemOwnId', { id: plain(id) })
  const said = problem.split('; ').map((one) => {
    const name = names.get(one)
    return isProblem(name) ? words.say(`problem.${name}`) : words.say('problemOther')
  })
  return [...new Set(said)].join('; ')
}
