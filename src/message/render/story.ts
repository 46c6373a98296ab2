import type { Act } from '../../event/act.ts'
import type { ShownAlert } from '../../event/event.ts'
import type { Escalation } from '../../event/outcome.ts'
import { plain } from '../../platform/text.ts'
import type { AboutAlert, Message } from '../message.ts'
import type { Language } from '../words/phrases.ts'
import { type Words, wordsOf } from '../words/words.ts'
import { aboutAlert } from './about.ts'
import { actTexts, deskTexts, escalationText, memberDeskTexts, storyLinks } from './acts.ts'
import { headline, subjectOf } from './headline.ts'
import { caveatsOf, otherSize, standingOf, statedSize } from './levels.ts'
import {
  capital,
  categoryIn,
  confirmationText,
  inLanguage,
  type LaterReports,
  modelName,
  otherWayText,
  promptsOf,
  revisionText,
  sourceOf,
  type Wording,
} from './words.ts'

/** One alert of a story, as it is known by now. */
export interface StoryAlert extends LaterReports {
  alert: ShownAlert
  /** What counts for its state, if it is not the first. */
  acts?: readonly Act[] | undefined
}

/** What people did about the first, and from where it came. */
type StoryWording = Wording & { acts?: readonly Act[] | undefined; escalated?: Escalation | undefined }

/** A message stays readable, and within what every provider accepts. */
const mostShown = 15

/** The message about the first alert of a story, with the others: `all` has the first and them, oldest first. */
export function asStory(message: Message, all: readonly StoryAlert[], context: StoryWording): Message {
  const { words, acts = [], escalated } = context
  const reason = escalated === undefined ? [] : [escalationText(escalated, context)]
  const { lines, caveats } = bodyOf(all, all[0]?.alert.id ?? message.id, context)
  const others = all.slice(1)
  return {
    ...message,
    tone: toneOf(all),
    kicker: words.say('storyKicker', { count: all.length }),
    headline: leadOf(all, words) ?? message.headline,
    text: [...deskTexts(acts, context), ...reason, ...actTexts(acts, context), ...lines],
    facts: [],
    links: [...message.links, ...others.flatMap((one) => storyLinks(one.acts ?? [], [], words))],
    caveats,
    source: `${sourceOfAll(all, context)} · ${plain(message.id)}`,
    ...(message.about?.kind === 'alert' && { about: { ...message.about, story: aboutOthers(others) } }),
    alsoTells: [...new Set([...(message.alsoTells ?? []), ...others.flatMap(idsOf)])],
  }
}

/** The message in a story's thread about the alerts that came to it. `id` is that of its first. */
export function renderFollowUp(
  id: string,
  added: readonly StoryAlert[],
  { language, ...context }: Omit<StoryWording, 'words'> & { language?: Language },
): Message {
  const wording = { ...context, words: wordsOf(language) }
  const { words } = wording
  const { lines, caveats } = bodyOf(added, id, wording)
  return {
    id: `${id}-with-${added.at(-1)?.alert.id}`,
    thread: id,
    tone: toneOf(added),
    ...inLanguage(words),
    kicker: words.say('storyGrew', { count: added.length }),
    headline: '',
    text: lines,
    facts: [],
    links: [],
    caveats,
    source: sourceOfAll(added, wording),
    happenedAt: Math.max(...added.map(({ alert }) => Date.parse(alert.receivedAt))),
  }
}

/** A line for each alert, the largest change first, and what readers must know of them. What the desk works on is not cut off. */
function bodyOf(
  all: readonly StoryAlert[],
  id: string,
  wording: Wording,
): Pick<Message, 'caveats'> & { lines: string[] } {
  const shown = all
    .toSorted((one, other) => hasDesk(other) - hasDesk(one) || size(other) - size(one))
    .slice(0, mostShown)
    .toSorted((one, other) => size(other) - size(one))
  const lines = shown.map((one) => lineOf(one, wording))
  const left = all.length - shown.length
  if (left > 0) lines.push(wording.words.say('moreAlerts', { count: left, id }))
  return { lines, caveats: shown.flatMap((one) => labelledCaveats(one, wording)) }
}

/** Alerts of a story may have come by both ways. */
function sourceOfAll(all: readonly StoryAlert[], wording: Wording): string {
  const sources = new Set(all.map(({ alert, other }) => sourceOf(alert, { ...wording, other })))
  const [source] = sources
  if (sources.size === 1 && source !== undefined) return source
  return wording.words.say('sourceBoth', { service: wording.service })
}

function idsOf({ alert, other, revision, confirmation, acts = [] }: StoryAlert): string[] {
  return [alert, other, revision, confirmation, ...acts].flatMap((one) => one?.id ?? [])
}

/** For receivers that are programs, as a digest keeps of its alerts. */
const mostAbout = 50

function aboutOthers(others: readonly StoryAlert[]): NonNullable<AboutAlert['story']> {
  return others.slice(0, mostAbout).map(({ alert, ...later }) => aboutAlert(alert, later))
}

/** "• Claude’s refusal rate on political prompts rose 12 points. (21 Nov 2026, 14:02 CET)", and what was said of it since. */
function lineOf({ alert, acts = [], ...later }: StoryAlert, wording: Wording): string {
  const { words, timeZone } = wording
  const { other, revision, confirmation } = later
  const at = words.time(alert.detectedAt ?? alert.receivedAt, timeZone)
  const stated = statedSize(alert, later)
  const title = headline(alert, { words, revision, size: stated })
  const parts = [words.say('digestItem', { headline: title, at, ...standingOf(alert) })]
  parts.push(...memberDeskTexts(acts, wording))
  if (revision === undefined) parts.push(...otherSize(stated, wording))
  else parts.push(revisionText(alert, revision, wording))
  if (confirmation !== undefined) parts.push(confirmationText(confirmation, wording))
  if (other !== undefined) parts.push(otherWayText(other, wording))
  if (other?.revision !== undefined) parts.push(revisionText(alert, other.revision, wording))
  return parts.join(' ')
}

/** Each says which alert it is about. */
function labelledCaveats({ alert, ...later }: StoryAlert, wording: Wording): string[] {
  const { words } = wording
  const label = words.list([modelName(alert.model, words), words.say('category', categoryIn(alert.category))])
  return caveatsOf(alert, { ...wording, ...later }).map((value) => words.say('labelled', { label, value }))
}

/** A correction counts in place of what it corrects, and nothing in place of what was withdrawn. */
interface CurrentChange {
  model: string | null
  category: string | null
  way: 'rise' | 'fall' | 'unclear'
}

function currentOf(all: readonly StoryAlert[]): CurrentChange[] {
  return all.flatMap(({ alert, revision }) => {
    if (revision?.by === 'figures') return []
    const { model, category, delta } = revision ?? alert
    return [{ model, category, way: delta === null || delta === 0 ? 'unclear' : delta > 0 ? 'rise' : 'fall' }]
  })
}

/** One sentence about all current changes. Undefined if they are fewer than two, or have nothing in common any more. */
function leadOf(all: readonly StoryAlert[], words: Words): string | undefined {
  const alerts = currentOf(all)
  const [first] = alerts
  if (first === undefined || alerts.length < 2) return undefined
  const sentence = (text: string) => capital(text, words)
  const ofOneModel = first.model !== null && alerts.every(({ model }) => model === first.model)
  const ofOneCategory = alerts.every(({ category }) => lower(category) === lower(first.category))
  const prompts = promptsOf(first.category, words)
  if (ofOneModel) {
    const subject = subjectOf(first, words)
    const newest = [...new Map(alerts.map((one) => [lower(one.category), one])).values()]
    const moved = movedOf(newest, 'category', words)
    const isClear = !newest.some(({ category }) => category === null || isWhole(category))
    if (moved !== undefined && isClear) return sentence(words.say('storyOfCategories', { subject, ...moved }))
    const number = inWords(alerts.length, 'alert', words)
    return sentence(words.say('storyOfModel', { number, subject, of: ofOneCategory ? 'yes' : 'no', prompts }))
  }
  if (!ofOneCategory) return undefined
  const newest = [...new Map(alerts.map((one) => [one.model, one])).values()]
  const moved = newest.some(({ model }) => model === null) ? undefined : movedOf(newest, 'model', words)
  if (moved !== undefined) return sentence(words.say('storyOfModels', { prompts, ...moved }))
  return sentence(words.say('storyOfCategory', { number: inWords(alerts.length, 'alert', words), prompts }))
}

/** How many moved which way. Undefined if they are fewer than two, or it is not known of each. */
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
  const ways = new Set(currentOf(all).map(({ way }) => way))
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

function hasDesk({ acts = [] }: StoryAlert): number {
  return acts.length > 0 ? 1 : 0
}

function size({ alert, revision }: StoryAlert): number {
  return Math.abs((revision ?? alert).delta ?? 0)
}
