import type { Act } from '../../event/act.ts'
import type { ShownAlert } from '../../event/event.ts'
import { plain } from '../../platform/text.ts'
import type { AboutAlert, Message } from '../message.ts'
import type { Language } from '../words/phrases.ts'
import { type Words, wordsOf } from '../words/words.ts'
import { aboutAlert } from './about.ts'
import { acted } from './acts.ts'
import { headline, subjectOf } from './headline.ts'
import { levelCaveats, levelsOf, otherSize, statedSize } from './levels.ts'
import {
  type ConfirmedReport,
  capital,
  categoryIn,
  confirmed,
  inLanguage,
  modelName,
  type OtherWay,
  otherWay,
  promptsOf,
  type RevisedReport,
  revised,
  sourceOf,
  unrecognisedOf,
  type Wording,
} from './words.ts'

/** One alert of a story, as it is known by now. */
export interface StoryAlert {
  alert: ShownAlert
  other?: OtherWay | undefined
  revision?: RevisedReport | undefined
  confirmation?: ConfirmedReport | undefined
}

interface StoryWording extends Wording {
  /** What people did about the first. */
  acts?: readonly Act[] | undefined
}

/** A message stays readable, and within what every provider accepts. */
const mostShown = 15

/** The message about the first alert of a story, so that it tells of the others too: `all` has the first and them, oldest first. */
export function asStory(message: Message, all: readonly StoryAlert[], context: StoryWording): Message {
  const { words } = context
  const largestFirst = all.toSorted((one, other) => size(other) - size(one))
  const shown = largestFirst.slice(0, mostShown)
  const left = all.length - shown.length
  const id = all[0]?.alert.id ?? message.id
  const others = all.slice(1).flatMap(idsOf)
  return {
    ...message,
    tone: toneOf(all),
    kicker: words.say('storyKicker', { count: all.length }),
    headline: leadOf(all, words) ?? message.headline,
    text: [
      ...acted(context.acts ?? [], context),
      ...shown.map((one) => lineOf(one, context)),
      ...(left > 0 ? [words.say('moreAlerts', { count: left, id })] : []),
    ],
    facts: [],
    caveats: shown.flatMap((one) => caveatsOf(one, context)),
    source: `${sourceOfAll(all, context)} · ${plain(message.id)}`,
    ...(message.about?.kind === 'alert' && { about: { ...message.about, story: othersOf(all) } }),
    alsoTells: [...new Set([...(message.alsoTells ?? []), ...others])],
  }
}

/** What is said in a story's thread of the alerts that came to it. `id` is that of its first. */
export function renderFollowUp(
  id: string,
  grown: readonly StoryAlert[],
  { language, ...context }: Omit<StoryWording, 'words'> & { language?: Language },
): Message {
  const telling = { ...context, words: wordsOf(language) }
  const { words } = telling
  const largestFirst = grown.toSorted((one, other) => size(other) - size(one))
  const shown = largestFirst.slice(0, mostShown)
  const left = grown.length - shown.length
  return {
    id: `${id}-with-${grown.at(-1)?.alert.id}`,
    thread: id,
    tone: toneOf(grown),
    ...inLanguage(words),
    kicker: words.say('storyGrew', { count: grown.length }),
    headline: '',
    text: [
      ...shown.map((one) => lineOf(one, telling)),
      ...(left > 0 ? [words.say('moreAlerts', { count: left, id })] : []),
    ],
    facts: [],
    links: [],
    caveats: shown.flatMap((one) => caveatsOf(one, telling)),
    source: sourceOfAll(grown, telling),
    happenedAt: Math.max(...grown.map(({ alert }) => Date.parse(alert.receivedAt))),
  }
}

/** Alerts of a story may have come by both ways. */
function sourceOfAll(all: readonly StoryAlert[], { service, words }: StoryWording): string {
  const sources = new Set(all.map(({ alert, other }) => sourceOf(alert, { service, words, other })))
  const [source] = sources
  return sources.size === 1 && source !== undefined ? source : words.say('sourceBoth', { service })
}

function idsOf({ alert, other, revision, confirmation }: StoryAlert): string[] {
  return [alert, other, revision, confirmation].flatMap((one) => one?.id ?? [])
}

/** For receivers that are programs, as a digest keeps of its alerts. */
const mostAbout = 50

function othersOf(all: readonly StoryAlert[]): NonNullable<AboutAlert['story']> {
  return all
    .slice(1, mostAbout + 1)
    .map(({ alert, other, revision, confirmation }) =>
      aboutAlert(alert, { levels: levelsOf(alert, { other, confirmation }), other, revision, confirmation }),
    )
}

/** "• Claude’s refusal rate on political prompts rose 12 points. (21 Nov 2026, 14:02 CET)", and what was said of it since. */
function lineOf(one: StoryAlert, { words, timeZone, service }: StoryWording): string {
  const { alert, other, revision, confirmation } = one
  const at = words.time(alert.detectedAt ?? alert.receivedAt, timeZone)
  const stated = statedSize(alert, { other, confirmation })
  const said = headline(alert, { words, revision, size: stated })
  return [
    words.say('digestItem', { headline: said, at }),
    ...(revision === undefined ? otherSize(stated, { words, service }) : []),
    ...(revision === undefined ? [] : [revised(alert, revision, { words, timeZone })]),
    ...(confirmation === undefined ? [] : [confirmed(confirmation, { words, timeZone })]),
    ...(other === undefined ? [] : [otherWay(other, { words, service })]),
    ...(other?.revision === undefined ? [] : [revised(alert, other.revision, { words, timeZone })]),
  ].join(' ')
}

/** Each says of which alert it is. */
function caveatsOf({ alert, other, revision, confirmation }: StoryAlert, context: StoryWording): string[] {
  const { words } = context
  const levels = levelsOf(alert, { other, confirmation })
  const label = words.list([modelName(alert.model, words), words.say('category', categoryIn(alert.category))])
  return [
    ...(levels === undefined ? [] : levelCaveats(alert, levels, { ...context, revision, confirmation })),
    ...(alert.figures?.state === 'not-yet' && other === undefined ? [words.say('notVisibleYet')] : []),
    ...unrecognisedOf(alert, context),
  ].map((value) => words.say('labelled', { label, value }))
}

/** What stands by now: a correction in place of what it corrects, and nothing in place of what was withdrawn. */
interface CurrentChange {
  model: string | null
  category: string | null
  way: AlertDirection
}

type AlertDirection = 'rise' | 'fall' | 'unclear'

function standing(all: readonly StoryAlert[]): CurrentChange[] {
  return all.flatMap(({ alert, revision }) => {
    if (revision?.by === 'figures') return []
    const { model, category, delta } = revision ?? alert
    return [{ model, category, way: delta === null || delta === 0 ? 'unclear' : delta > 0 ? 'rise' : 'fall' }]
  })
}

/** One sentence of all that stand. Undefined where that is fewer than two, or they have nothing in common any more. */
function leadOf(all: readonly StoryAlert[], words: Words): string | undefined {
  const alerts = standing(all)
  const [first] = alerts
  if (first === undefined || alerts.length < 2) return undefined
  const said = (text: string) => capital(text, words)
  const ofOneModel = first.model !== null && alerts.every(({ model }) => model === first.model)
  const ofOneCategory = alerts.every(({ category }) => lower(category) === lower(first.category))
  const prompts = promptsOf(first.category, words)
  if (ofOneModel) {
    const subject = subjectOf(first, words)
    const newest = [...new Map(alerts.map((one) => [lower(one.category), one])).values()]
    const moved = movedOf(newest, 'category', words)
    const isClear = !newest.some(({ category }) => category === null || isWhole(category))
    if (moved !== undefined && isClear) return said(words.say('storyOfCategories', { subject, ...moved }))
    const number = inWords(alerts.length, 'alert', words)
    return said(words.say('storyOfModel', { number, subject, of: ofOneCategory ? 'yes' : 'no', prompts }))
  }
  if (!ofOneCategory) return undefined
  const newest = [...new Map(alerts.map((one) => [one.model, one])).values()]
  const moved = newest.some(({ model }) => model === null) ? undefined : movedOf(newest, 'model', words)
  if (moved !== undefined) return said(words.say('storyOfModels', { prompts, ...moved }))
  return said(words.say('storyOfCategory', { number: inWords(alerts.length, 'alert', words), prompts }))
}

/** How many moved which way. Undefined where that is fewer than two, or not known of each. */
function movedOf(newest: readonly CurrentChange[], what: 'model' | 'category', words: Words) {
  const [more, fewer] = [
    newest.filter(({ way }) => way === 'rise'),
    newest.filter(({ way }) => way === 'fall'),
  ]
  if (newest.length < 2 || more.length + fewer.length < newest.length) return undefined
  const way = fewer.length === 0 ? 'rise' : more.length === 0 ? 'fall' : 'both'
  return {
    way,
    number: inWords(newest.length, what, words),
    more: inWords(more.length, what, words),
    fewer: inWords(fewer.length, what, words),
  } as const
}

/** "three", as it stands before what is counted; from thirteen on in digits. */
function inWords(count: number, what: 'model' | 'category' | 'alert', words: Words): string {
  return words.say('numberOf', { count, what })
}

function toneOf(all: readonly StoryAlert[]): Message['tone'] {
  const ways = new Set(standing(all).map(({ way }) => way))
  const [only] = ways
  return ways.size === 1 && only !== undefined && only !== 'unclear' ? only : 'neutral'
}

/** The whole is no category. */
function isWhole(category: string): boolean {
  return categoryIn(category).category === 'overall'
}

function lower(name: string | null): string | undefined {
  return name?.toLowerCase()
}

function size({ alert, revision }: StoryAlert): number {
  return Math.abs((revision ?? alert).delta ?? 0)
}
