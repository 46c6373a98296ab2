import { isFinding, type ShownAlert } from '../event/event.ts'
import type { Levels } from '../event/levels.ts'
import { plain } from '../text/plain.ts'
import { levelsInWords } from './levels.ts'
import { points, sizeOf } from './points.ts'
import { isKnownModel, modelName, promptsOf, type Revised } from './words.ts'

/** What a headline says beside the event. */
interface Beside {
  /** The levels before and after, where the published figures show them. */
  levels?: Levels | undefined
  revision?: Revised | undefined
}

/** One sentence that says the change and no more, or that it is not so: never a cause, never an intention. */
export function headline(event: ShownAlert, { levels, revision }: Beside = {}): string {
  const { before, revises } = event
  const isCorrection = revises !== undefined && before !== undefined
  const marked = revision === undefined ? '' : revision.by === 'figures' ? 'Withdrawn: ' : 'Since corrected: '
  if (isCorrection) return `${marked || 'Correction: '}${change(event, insteadOf(event))}`
  const said = before?.by === 'figures' ? 'seen' : 'reported'
  const earlier = before?.delta ? `, after ${sizeOf(before.delta)} ${said} before` : ''
  // What does not stand any more is named as it was reported.
  return `${marked}${change(event, earlier, marked === '' ? levelsInWords(event, levels) : undefined)}`
}

/** What it is said to be instead of; nothing where the size is not what was corrected. */
function insteadOf({ delta, before }: ShownAlert): string {
  const was = before?.delta ?? null
  if (was === null || delta === null || (sizeOf(was) === sizeOf(delta) && was > 0 === delta > 0)) return ''
  if (was === 0) return ', not as many as before'
  const way = was > 0 ? 'more' : 'fewer'
  if (delta === 0) return `, not ${points(Math.abs(was))} ${way}`
  return was > 0 === delta > 0 ? `, not ${sizeOf(was)}` : `, not ${sizeOf(was)} ${way}`
}

function change(event: ShownAlert, beside: string, levels?: string): string {
  const { delta } = event
  if (delta === null) return withoutSize(event)
  if (isFinding(event) && event.figures?.rate === null)
    return `${capital(subject(event))} runs as another version.`
  // The service says that the policy changed; of a finding only the rate is known.
  const lead = event.type === 'policy_change' && !isFinding(event) ? 'After a policy change, ' : ''
  const model = lead === '' ? capital(subject(event)) : `${lead}${subject(event)}`
  const prompts = promptsOf(event.category)
  if (delta === 0) return `${model} refuses as many ${prompts} as before${beside}.`
  const way = delta > 0 ? 'more' : 'fewer'
  if (levels !== undefined)
    return `${model} ${lead === '' ? 'now refuses' : 'refuses'} ${way} ${prompts}: ${levels}${beside}.`
  return `${model} refuses ${points(Math.abs(delta))} ${way} ${prompts}${beside}.`
}

const withoutSizes: Record<string, string> = {
  policy_change: 'A policy change',
  censorship_spike: 'A censorship spike',
}

function withoutSize(event: ShownAlert): string {
  const { type, category } = event
  const what =
    (type !== null && Object.hasOwn(withoutSizes, type) && withoutSizes[type]) || 'An unrecognised event'
  const where = category === null || plain(category) === '' ? '' : ` on ${promptsOf(category)}`
  return `${what}${where} is reported for ${subject(event)}; its size cannot be read.`
}

/** As it stands inside a sentence. An identifier that is not known keeps its letters. */
function subject({ model }: ShownAlert): string {
  if (model === null || plain(model) === '') return 'a model that is not named'
  return isKnownModel(model) ? modelName(model) : `the model ${plain(model)}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
