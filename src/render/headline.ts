import { isFinding, type ShownAlert } from '../event/event.ts'
import type { Levels } from '../event/levels.ts'
import { plain } from '../text/plain.ts'
import type { Said } from '../words/said.ts'
import { english, type Words } from '../words/words.ts'
import { levelsInWords } from './levels.ts'
import { points, sizeOf } from './points.ts'
import { capital, isKnownModel, modelName, promptsOf, type Revised } from './words.ts'

/** What a headline says beside the event, and in which language. */
interface Beside {
  words?: Words
  /** The levels before and after, where the published figures show them. */
  levels?: Levels | undefined
  revision?: Revised | undefined
}

type EarlierFigure = Pick<Said['refusesPoints'], 'beside' | 'was'>

const nothing: EarlierFigure = { beside: 'none', was: '' }

/** One sentence that says the change and no more, or that it is not so: never a cause, never an intention. */
export function headline(event: ShownAlert, { words = english, levels, revision }: Beside = {}): string {
  const { before, revises } = event
  const isCorrection = revises !== undefined && before !== undefined
  const figure = isCorrection ? insteadOf(event, words) : after(event, words)
  // What does not stand any more is named as it was reported.
  const shown = revision !== undefined || isCorrection ? undefined : levels
  const said = change(event, figure, shown, words)
  if (revision?.by === 'figures') return words.say('withdrawnHeadline', { headline: said })
  if (revision !== undefined) return words.say('correctedHeadline', { headline: said })
  return isCorrection ? words.say('correctionHeadline', { headline: said }) : said
}

/** What was said of an earlier step that this one goes beyond. */
function after({ before }: ShownAlert, words: Words): EarlierFigure {
  if (!before?.delta) return nothing
  return { beside: before.by === 'figures' ? 'seen' : 'reported', was: sizeOf(before.delta, words) }
}

/** What it is said to be instead of; nothing where the size is not what was corrected. */
function insteadOf({ delta, before }: ShownAlert, words: Words): EarlierFigure {
  const was = before?.delta ?? null
  if (
    was === null ||
    delta === null ||
    (sizeOf(was, words) === sizeOf(delta, words) && was > 0 === delta > 0)
  )
    return nothing
  if (was === 0) return { beside: 'same', was: '' }
  const way = was > 0 ? 'rise' : 'fall'
  if (delta === 0) return { beside: way, was: points(Math.abs(was), words) }
  return { beside: was > 0 === delta > 0 ? 'not' : way, was: sizeOf(was, words) }
}

function change(event: ShownAlert, figure: EarlierFigure, levels: Levels | undefined, words: Words): string {
  const { delta, type, category } = event
  const subject = subjectOf(event, words)
  if (delta === null) return withoutSize(event, subject, words)
  if (isFinding(event) && event.figures?.rate === null)
    return capital(words.say('otherVersion', { subject }), words)
  // The service says that the policy changed; of a finding only the rate is known.
  const lead = type === 'policy_change' && !isFinding(event) ? 'policy' : 'none'
  const said = { ...figure, lead, subject, prompts: promptsOf(category, words) } as const
  if (delta === 0) return capital(words.say('refusesSame', said), words)
  const way = delta > 0 ? 'rise' : 'fall'
  const shown = levelsInWords(event, levels, words)
  return capital(
    shown === undefined
      ? words.say('refusesPoints', { ...said, way, points: points(Math.abs(delta), words) })
      : words.say('refusesLevels', { ...said, ...shown, way }),
    words,
  )
}

function withoutSize({ type, category }: ShownAlert, subject: string, words: Words): string {
  const named = category === null || plain(category) === '' ? 'no' : 'yes'
  const said = { type: type ?? '', named, prompts: promptsOf(category, words), subject } as const
  return capital(words.say('withoutSize', said), words)
}

/** As it stands inside a sentence. An identifier that is not known keeps its letters. */
export function subjectOf({ model }: Pick<ShownAlert, 'model'>, words: Words): string {
  if (model === null || plain(model) === '') return words.say('modelNotNamed')
  return isKnownModel(model) ? modelName(model, words) : words.say('modelUnknown', { name: plain(model) })
}
