import type { Act } from '../../event/act.ts'
import type { PublishedStory } from '../../event/desk.ts'
import { type AlertEvent, type Entry, isFinding, type Notice } from '../../event/event.ts'
import type { Escalation } from '../../event/outcome.ts'
import { plain } from '../../platform/text.ts'
import type { Fact, Link, Message } from '../message.ts'
import type { Language } from '../words/phrases.ts'
import { english, type Words, wordsOf } from '../words/words.ts'
import { aboutAlert } from './about.ts'
import { actTexts, deskTexts, escalationText, publishedTexts, storyLinks } from './acts.ts'
import { ofDigest } from './digest.ts'
import { headline } from './headline.ts'
import { caveatsOf, levelFacts, otherSize, type StatedSize, statedSize } from './levels.ts'
import { signedPoints } from './points.ts'
import { asStory, type StoryAlert } from './story.ts'
import {
  categoryIn,
  confirmationText,
  findingText,
  inLanguage,
  kicker,
  type LaterReports,
  linksOf,
  modelName,
  otherWayText,
  type PageOf,
  previousReportText,
  reportText,
  revisionText,
  sourceOf,
} from './words.ts'

export interface RenderContext extends LaterReports {
  /** Of the channel; notices are in English for everybody. */
  language?: Language
  /** IANA name; every time that is shown is in it. */
  timeZone: string
  /** What the service is called in a sentence: "Censorship Monitoring Service". */
  service: string
  /** When a person asked for it to be sent again, ISO 8601: a message of its own and not a repeat of the first. */
  again?: string | undefined
  /** Of a notice that something is wrong: it is over by now, since the notice could not be sent in time. */
  isOver?: boolean
  /** Of a notice: it is here only because no channel under `operators` could be reached. */
  isStandIn?: boolean
  /** People can act at the message: somebody listens. */
  isHeard?: boolean
  /** Undefined if the console has no public address. */
  pageOf?: PageOf | undefined
  /** The other alerts of its story, oldest first: they share its message. */
  members?: readonly StoryAlert[] | undefined
  /** What people did about it, oldest first. */
  acts?: readonly Act[] | undefined
  /** It came here because nobody acknowledged it elsewhere. */
  escalated?: Escalation | undefined
  /** Stories that were published about what it corrects or withdraws. */
  published?: readonly PublishedStory[] | undefined
}

/** With the words of its language. */
type WordedContext = RenderContext & { words: Words }

/** One neutral message for one channel; knows no provider. */
export function render(entry: Entry, context: RenderContext): Message {
  switch (entry.kind) {
    case 'alert':
      return ofAlert(entry, { ...context, words: wordsOf(context.language) })
    case 'notice':
      return ofNotice(entry, context)
    case 'digest':
      return ofDigest(entry, { ...context, words: wordsOf(context.language) })
    case 'act':
      throw new Error('what a person did is no message of its own')
  }
}

function ofAlert(event: AlertEvent, context: WordedContext): Message {
  const { words } = context
  const size = statedSize(event, context)
  const id = idOf(event, context)
  const { other, revision, confirmation } = context
  const others = [other, other?.revision, revision, confirmation, ...(context.acts ?? [])]
  const alsoTells = others.flatMap((one) => one?.id ?? [])
  const message: Message = {
    id,
    thread: threadOf(event),
    tone: toneOf(size.points, context),
    ...inLanguage(words),
    kicker: kicker(event, words),
    headline: headline(event, { words, size, revision }),
    text: textOf(event, context, size),
    facts: factsOf(event, context, size),
    ...linksOf(
      event,
      [...storyLinks(context.acts ?? [], context.published ?? [], words), ...methodologyOf(event, words)],
      context,
    ),
    caveats: caveatsOf(event, context),
    about: aboutAlert(event, context),
    ...(alsoTells.length > 0 && { alsoTells }),
    ...(context.isHeard === true && { actions: { about: event.id } }),
    source: `${sourceOf(event, context)} · ${plain(id)}`,
    happenedAt: Date.parse(event.detectedAt ?? event.receivedAt),
  }
  const { members = [] } = context
  if (members.length === 0) return message
  return asStory(message, [{ alert: event, other, revision, confirmation }, ...members], context)
}

/** What is withdrawn is no rise. */
function toneOf(delta: number | null, { revision }: RenderContext): Message['tone'] {
  if (delta === null || delta === 0 || revision?.by === 'figures') return 'neutral'
  return delta > 0 ? 'rise' : 'fall'
}

/** Later reports come first: a reader who comes back must see them before all else. */
function textOf(event: AlertEvent, context: WordedContext, size: StatedSize): string[] {
  const { other, revision, confirmation } = context
  const is = isFinding(event) ? 'withdrawal' : 'correction'
  const text = [
    ...deskTexts(context.acts ?? [], context),
    ...publishedTexts(context.published ?? [], is, context),
  ]
  if (context.escalated !== undefined) text.push(escalationText(context.escalated, context))
  if (revision !== undefined) text.push(revisionText(event, revision, context))
  if (confirmation !== undefined) text.push(confirmationText(confirmation, context))
  text.push(...actTexts(context.acts ?? [], context))
  text.push(isFinding(event) ? findingText(event, context) : reportText(event, context))
  text.push(...previousReportText(event, context))
  if (revision === undefined) text.push(...otherSize(size, context))
  if (other !== undefined) text.push(otherWayText(other, context))
  if (other?.revision !== undefined) text.push(revisionText(event, other.revision, context))
  return text
}

/** What belongs to one change, or to one model's versions. */
function threadOf({ model, category, version }: AlertEvent): string {
  return `${plain(model ?? 'unknown')}/${version === undefined ? plain(category ?? 'unknown') : 'version'}`
}

function idOf(entry: Entry, { again }: RenderContext): string {
  return again === undefined ? entry.id : `${entry.id}-again-${Date.parse(again).toString(36)}`
}

function factsOf(event: AlertEvent, context: WordedContext, size: StatedSize): Fact[] {
  const { timeZone, words } = context
  const { say } = words
  const detected = event.detectedAt === null ? say('notReadable') : words.time(event.detectedAt, timeZone)
  return [
    { label: say('model'), value: modelName(event.model, words) },
    ...(event.version === undefined ? changeFacts(event, context, size) : []),
    { label: say('detected'), value: detected },
    {
      label: say(isFinding(event) ? 'foundAt' : 'received'),
      value: words.time(event.receivedAt, timeZone),
    },
  ]
}

function changeFacts(event: AlertEvent, context: WordedContext, size: StatedSize): Fact[] {
  const { words } = context
  const { say } = words
  const { points } = size
  return [
    { label: say('ofCategory'), value: say('category', categoryIn(event.category)) },
    {
      label: say(isFinding(event) ? 'change' : 'reportedChange'),
      value: points === null ? say('notReadable') : signedPoints(points, words),
    },
    ...beforeOf(event, words),
    ...levelFacts(size, context),
  ]
}

function beforeOf({ before }: AlertEvent, words: Words): Fact[] {
  if (before === undefined) return []
  const value = before.delta === null ? words.say('notReadable') : signedPoints(before.delta, words)
  return [{ label: words.say(before.by === 'figures' ? 'foundBefore' : 'reportedBefore'), value }]
}

function methodologyOf(event: AlertEvent, { say }: Words): Link[] {
  return event.methodology === null ? [] : [{ label: say('methodology'), url: event.methodology }]
}

const standIn = 'Bluepencil could not reach its operators, so you get this notice.'

function ofNotice(notice: Notice, context: RenderContext): Message {
  if (notice.status === true) return ofStatusReport(notice, context)
  const phase = context.isOver === true ? 'over' : notice.phase
  return {
    id: idOf(notice, context),
    thread: `operators/${notice.channel ?? 'bluepencil'}`,
    tone: phase,
    kicker: phase === 'trouble' ? 'Bluepencil needs attention' : 'Bluepencil: resolved',
    headline: plain(notice.title),
    text: [plain(notice.text, 1000), ...(phase === notice.phase ? [] : ['This has been resolved.'])],
    facts: [{ label: 'Noticed', value: english.time(notice.receivedAt, context.timeZone) }],
    links: [],
    caveats:
      context.isStandIn === true ? [phase === 'trouble' ? `${standIn} Please let them know.` : standIn] : [],
    about: { kind: 'notice', id: notice.id, phase, channel: notice.channel },
    source: `From Bluepencil itself, to its operators · ${notice.id}`,
    happenedAt: Date.parse(notice.receivedAt),
  }
}

function ofStatusReport(notice: Notice, context: RenderContext): Message {
  return {
    id: idOf(notice, context),
    thread: 'operators/status',
    tone: 'neutral',
    kicker: 'Weekly status report',
    headline: plain(notice.title),
    text: [plain(notice.text, 1000)],
    facts: [{ label: 'As of', value: english.time(notice.receivedAt, context.timeZone) }],
    links: [],
    caveats: [],
    about: { kind: 'report', id: notice.id },
    source: `From Bluepencil itself · ${notice.id}`,
    happenedAt: Date.parse(notice.receivedAt),
  }
}

/**
 * The message before the alerts that a channel missed: how many, since when (milliseconds since the epoch), and whether the
 * channel was out or polling was.
 */
export function renderSummary(
  { waiting, since, out }: { waiting: number; since: number; out: 'channel' | 'polling' },
  { timeZone, language }: RenderContext,
): Message {
  const words = wordsOf(language)
  const from = words.time(new Date(since).toISOString(), timeZone)
  return {
    id: out === 'channel' ? `sum_${since}` : `sum_poll_${since}`,
    thread: 'operators/summary',
    tone: 'neutral',
    ...inLanguage(words),
    kicker: words.say('isBack'),
    headline: words.say(out === 'channel' ? 'couldNotBeSent' : 'wereMissed', { count: waiting, from }),
    text: [words.say('followNow')],
    facts: [],
    links: [],
    caveats: [],
    source: words.say('fromBluepencil'),
    happenedAt: since,
  }
}
