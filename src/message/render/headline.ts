import { isFinding, type ShownAlert } from '../../event/event.ts'
import { plain } from '../../platform/text.ts'
import type { FollowUp } from '../message.ts'
import type { PhraseArguments } from '../words/phrases.ts'
import { english, type Words } from '../words/words.ts'
import { levelsInWords, type StatedSize } from './levels.ts'
import { shortPoints, sizeOf } from './points.ts'
import { capital, isKnownModel, modelName, promptsOf } from './words.ts'

/** What a headline says beside the event, and in which language. */
interface HeadlineContext {
  words?: Words
  /** The size that the message states; that of the event itself if nothing else is given. */
  size?: StatedSize
  revision?: FollowUp | undefined
}

type EarlierFigure = Pick<PhraseArguments['refusesPoints'], 'beside' | 'was'>

const nothing: EarlierFigure = { beside: 'none', was: '' }

/** One sentence that says the change and no more, or that it is not so: never a cause, never an intention. */
export function headline(
  event: ShownAlert,
  { words = english, size = { points: event.delta }, revision }: HeadlineContext = {},
): string {
  const { before, revises } = event
  const isCorrection = revises !== undefined && before !== undefined
  const figure = isCorrection ? insteadOf(event, words) : after(event, words)
  // What does not stand any more is named as it was reported.
  const shown = revision !== undefined || isCorrection ? { points: size.points } : size
  const headline = change(event, figure, shown, words)
  if (revision?.by === 'figures') return words.say('withdrawnHeadline', { headline })
  if (revision !== undefined) return words.say('correctedHeadline', { headline })
  return isCorrection ? words.say('correctionHeadline', { headline }) : headline
}

/** What was said of an earlier step that this one goes beyond. */
function after({ before }: ShownAlert, words: Words): EarlierFigure {
  return before?.delta ? { beside: 'further', was: sizeOf(before.delta, words) } : nothing
}

/** What it is said to be instead of; nothing if the size is not what was corrected. */
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
  if (delta === 0) return { beside: way, was: shortPoints(Math.abs(was), words) }
  return { beside: was > 0 === delta > 0 ? 'not' : way, was: sizeOf(was, words) }
}

function change(event: ShownAlert, figure: EarlierFigure, size: StatedSize, words: Words): string {
  const { type, category, version } = event
  const { points } = size
  const subject = subjectOf(event, words)
  if (version !== undefined) {
    const labels = { from: plain(version.from), to: plain(version.to) }
    return capital(words.say('versionChanged', { subject, ...labels }), words)
  }
  if (points === null) return withoutSize(event, subject, words)
  // The service says that the policy changed; of a finding only the rate is known.
  const lead = type === 'policy_change' && !isFinding(event) ? 'policy' : 'none'
  const values = { ...figure, lead, subject, prompts: promptsOf(category, words) } as const
  if (points === 0) return capital(words.say('refusesSame', values), words)
  const way = points > 0 ? 'rise' : 'fall'
  const shown = levelsInWords(size, words)
  return capital(
    shown === undefined
      ? words.say('refusesPoints', { ...values, way, points: shortPoints(Math.abs(points), words) })
      : words.say('refusesLevels', { ...values, ...shown, way }),
    words,
  )
}

function withoutSize({ type, category }: ShownAlert, subject: string, words: Words): string {
  const named = category === null || plain(category) === '' ? 'no' : 'yes'
  const values = { type: type ?? '', named, prompts: promptsOf(category, words), subject } as const
  return capital(words.say('withoutSize', values), words)
}

/** As it stands inside a sentence. An identifier that is not known keeps its letters. */
export function subjectOf({ model }: Pick<ShownAlert, 'model'>, words: Words): string {
  if (model === null || plain(model) === '') return words.say('modelNotNamed')
  return isKnownModel(model) ? modelName(model, words) : words.say('modelUnknown', { name: plain(model) })
}
