import { minuteOf } from '../../event/content.ts'
import {
  type AlertEvent,
  type Entry,
  isFinding,
  knownCategories,
  type ReportedAlert,
  type ShownAlert,
} from '../../event/event.ts'
import { problems } from '../../event/problems.ts'
import { plain } from '../../platform/text.ts'
import type { FollowUp, Link, Message } from '../message.ts'
import type { CategoryArguments } from '../words/phrases.ts'
import { english, type Words } from '../words/words.ts'
import { signedPoints } from './points.ts'

const modelNames: Record<string, string> = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  gemini: 'Gemini',
  mistral: 'Mistral',
  qwen: 'Qwen',
}

export function modelName(model: string | null, words: Words = english): string {
  if (model === null) return capital(words.say('modelNotNamed'), words)
  return Object.hasOwn(modelNames, model) ? (modelNames[model] ?? model) : plain(model)
}

export function isKnownModel(model: string): boolean {
  return Object.hasOwn(modelNames, model)
}

export function capital(text: string, { language }: Words): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}

/** What the message calls it, in small letters above the headline. */
export function kicker(event: AlertEvent, words: Words): string {
  if (event.before !== undefined && event.revises === undefined)
    return words.say((event.delta ?? 0) > 0 ? 'roseAgain' : 'fellAgain')
  return isFinding(event) && event.version === undefined
    ? words.say('foundInFigures')
    : words.say('typeName', { type: event.type ?? '' })
}

/** The same change, as it came by the other way: found in the figures, or reported by the service. */
export interface OtherWay {
  id: string
  by: 'figures' | 'service'
  category: string | null
  delta: number | null
  figures: AlertEvent['figures']
  /** What was said later in its place. */
  revision?: FollowUp | undefined
}

/** What is known of an alert by now beside the event itself. */
export interface LaterReports {
  /** The same change by the other way. */
  other?: OtherWay | undefined
  /** What was said later in its place: the service corrects it, or the figures after it do not bear it out. */
  revision?: FollowUp | undefined
  /** What bears it out, if it was found by one reading. */
  confirmation?: ConfirmedReport | undefined
}

/** How a message says something: the service's name in a sentence, the channel's time zone and language. */
export interface Wording {
  service: string
  timeZone: string
  words: Words
}

/** What a message says of the same change by the other way: "Also found in the published figures." */
export function otherWayText({ id, by }: OtherWay, { service, words }: Wording): string {
  return by === 'figures' ? words.say('alsoFound') : words.say('alsoReported', { service, id: plain(id) })
}

/** Who reports it: the service, its published figures, or both. */
export function sourceOf(
  event: Pick<AlertEvent, 'source' | 'id' | 'found' | 'unrecognised'>,
  { service, words, other }: Wording & LaterReports,
): string {
  if (other !== undefined) return words.say('sourceBoth', { service })
  return words.say(isFinding(event) ? 'sourceFigures' : 'sourceReported', { service })
}

/** What Bluepencil found by itself: that it was found, how, and that nobody else has said so. */
export function findingText(event: AlertEvent, { service, words, other }: Wording & LaterReports): string {
  if (event.revises !== undefined) return words.say('findingWithdrawn', { service })
  return words.say('changeFound', { service, alone: other === undefined ? 'yes' : 'no' })
}

/** "The … reports a censorship spike: …", or what can be said of a type that is not documented. */
export function reportText({ type }: AlertEvent, { service, words }: Wording): string {
  if (type === null) return words.say('reportedWithoutType', { service })
  if (type === 'policy_change' || type === 'censorship_spike') return words.say('reported', { service, type })
  return words.say('reportedOtherType', { service, type: plain(type) })
}

/** "Corrected on 21 Nov 2026, 15:05 CET: now reported as +9 percentage points (evt_1~2)." */
export function revisionText(event: ShownAlert, revision: FollowUp, { timeZone, words }: Wording): string {
  const at = words.time(revision.receivedAt, timeZone)
  if (revision.by === 'figures') return words.say('withdrawn', { at })
  const size = revision.delta === null ? words.say('changeNotReadable') : signedPoints(revision.delta, words)
  const what = words.list([size, ...differences(revision, event, words)])
  return words.say('corrected', { at, what, id: plain(revision.id) })
}

/** What bears a finding out. */
export type ConfirmedReport = FollowUp & Pick<AlertEvent, 'figures'>

/** "Confirmed on 23 Nov 2026, 15:05 CET by later readings: +11 percentage points." */
export function confirmationText(
  { receivedAt, delta }: ConfirmedReport,
  { timeZone, words }: Wording,
): string {
  const sized = delta === null ? 'no' : 'yes'
  const size = delta === null ? '' : signedPoints(delta, words)
  return words.say('confirmed', { at: words.time(receivedAt, timeZone), sized, size })
}

/** What was said before, in the words of a text: of a step that goes further, or of what is corrected. */
export function previousReportText(event: AlertEvent, { service, timeZone, words }: Wording): string[] {
  const { before, delta, revises } = event
  if (before === undefined) return []
  const size = before.delta === null ? words.say('changeNotReadable') : signedPoints(before.delta, words)
  const dated = before.detectedAt === null ? 'no' : 'yes'
  const at = before.detectedAt === null ? '' : words.time(before.detectedAt, timeZone)
  const previous = { was: size, dated, at, id: plain(before.id) } as const
  if (revises !== undefined && isFinding(event)) return [words.say('earlierFinding', previous)]
  if (revises !== undefined) {
    const was = words.list([size, ...differences(before, event, words)])
    const now = delta === null ? words.say('changeNotReadable') : signedPoints(delta, words)
    return [
      words.say('earlierReport', { ...previous, was, service, now, ...redated(event, words, timeZone) }),
    ]
  }
  const way = (delta ?? 0) > 0 ? 'rise' : 'fall'
  const now = signedPoints(delta ?? 0, words)
  return [words.say('stepBefore', { ...previous, way, now, by: before.by, service })]
}

/** A correction that says nothing else otherwise gives the new time in place of the same size. */
function redated(event: AlertEvent, words: Words, timeZone: string) {
  const { before, detectedAt, delta } = event
  const isSame =
    before !== undefined && before.delta === delta && differences(before, event, words).length === 0
  if (!isSame || detectedAt === null || minuteOf(detectedAt) === minuteOf(before.detectedAt))
    return { redated: 'no', since: '' } as const
  return { redated: 'yes', since: words.time(detectedAt, timeZone) } as const
}

/** What else the other report says otherwise. */
function differences(before: ReportedAlert, { type, model, category }: ShownAlert, words: Words): string[] {
  return [
    ...(before.model === model ? [] : [modelName(before.model, words)]),
    ...(before.category === category ? [] : [promptsOf(before.category, words)]),
    ...(before.type === type ? [] : [words.say('typeInSentence', { type: before.type ?? '' })]),
  ]
}

export function promptsOf(category: string | null, words: Words): string {
  return words.say('prompts', categoryIn(category === null ? null : plain(category).toLowerCase()))
}

/** The category as a message selects by it; as it was written if it is not known. */
export function categoryIn(written: string | null): CategoryArguments {
  const name = written === null ? '' : plain(written)
  if (name === '') return { category: 'none', name }
  const lower = name.toLowerCase()
  const category = lower === 'all' ? 'overall' : knownCategories.find((one) => one === lower)
  return { category: category ?? 'other', name }
}

/** The language of a message; absent if it is English. */
export function inLanguage({ language }: Words): Pick<Message, 'language'> {
  return language === 'en' ? {} : { language }
}

/** The address of the page of an alert or a digest, by its id. */
export type PageOf = (id: string) => string

/** The links of a message: first its page in the console, if readers can reach that. */
export function linksOf(
  { kind, id }: Pick<Extract<Entry, { kind: 'alert' | 'digest' }>, 'kind' | 'id'>,
  others: Link[],
  { pageOf, words }: { pageOf?: PageOf | undefined; words: Words },
): Pick<Message, 'links' | 'page'> {
  const page = pageOf?.(id)
  if (page === undefined) return { links: others }
  return { links: [{ label: words.say('toOpen', { of: kind }), url: page }, ...others], page }
}

/** What was not as the service documents its events, and what came instead, if that is at hand. */
export function unrecognisedOf(
  event: ShownAlert & Partial<Pick<AlertEvent, 'body'>>,
  { service, words }: Wording,
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
  const phrases = problem.split('; ').map((one) => {
    const name = names.get(one)
    return isProblem(name) ? words.say(`problem.${name}`) : words.say('problemOther')
  })
  return [...new Set(phrases)].join('; ')
}
