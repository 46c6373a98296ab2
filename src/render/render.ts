import type { Fact, Link, Message } from '../channels/message.ts'
import { type AlertEvent, type Entry, isFinding, type Notice } from '../event/event.ts'
import { counted } from '../text/counted.ts'
import { plain } from '../text/plain.ts'
import { signedPoints } from './points.ts'
import {
  type Confirmed,
  confirmed,
  earlier,
  found,
  headline,
  kicker,
  modelName,
  type OtherWay,
  otherWay,
  type Revised,
  reported,
  revised,
  sourceOf,
  when,
} from './words.ts'

export interface RenderContext {
  /** IANA name; every time that is shown is in it. */
  timeZone: string
  /** What the service is called in a sentence: "Censorship Monitoring Service". */
  service: string
  /** When a person asked for it to be sent again, ISO 8601: a message of its own and not a repeat of the first. */
  again?: string | undefined
  /** Of a notice that something is wrong: it is over by now, since the notice could not be sent in time. */
  isOver?: boolean
  /** The same change, as it came by the other way. */
  other?: OtherWay | undefined
  /** What was said later in its place. */
  revision?: Revised | undefined
  /** What bears it out, where it was found by one reading. */
  confirmation?: Confirmed | undefined
  /** Marks the message as a test, so that nobody prints it. */
  test?: boolean
}

/** One neutral message for one channel; knows no provider. */
export function render(entry: Entry, context: RenderContext): Message {
  const message = entry.kind === 'notice' ? ofNotice(entry, context) : ofAlert(entry, context)
  return context.test ? asTest(message) : message
}

function ofAlert(event: AlertEvent, context: RenderContext): Message {
  const delta = event.delta
  const id = idOf(event, context)
  const { other, revision, confirmation } = context
  const alsoTells = [other, other?.revision, revision, confirmation].flatMap((one) => one?.id ?? [])
  return {
    id,
    thread: `${plain(event.model ?? 'unknown')}/${plain(event.category ?? 'unknown')}`,
    tone: toneOf(delta, context),
    kicker: kicker(event),
    headline: headline(event, revision),
    text: textOf(event, context),
    facts: factsOf(event, context),
    links: linksOf(event),
    caveats: caveatsOf(event, context),
    ...(alsoTells.length > 0 && { alsoTells }),
    source: `${sourceOf(event, context)} · ${plain(id)}`,
    happenedAt: Date.parse(event.detectedAt ?? event.receivedAt),
  }
}

/** What is withdrawn is no rise. */
function toneOf(delta: number | null, { revision }: RenderContext): Message['tone'] {
  if (delta === null || delta === 0 || revision?.by === 'figures') return 'neutral'
  return delta > 0 ? 'rise' : 'fall'
}

/** What was said later stands first: a reader who comes back must see it before all else. */
function textOf(event: AlertEvent, context: RenderContext): string[] {
  const { service, other, revision, confirmation } = context
  const now = revision === undefined ? [] : [revised(event, revision, context)]
  if (confirmation !== undefined) now.push(confirmed(confirmation, context))
  const first = isFinding(event) ? found(event, service, other) : reported(event, service)
  const more = other === undefined ? [] : [otherWay(other, service)]
  if (other?.revision !== undefined) more.push(revised(event, other.revision, context))
  return [...now, first, ...earlier(event, context), ...more]
}

function idOf(entry: Entry, { again }: RenderContext): string {
  return again === undefined ? entry.id : `${entry.id}-again-${Date.parse(again).toString(36)}`
}

function factsOf(event: AlertEvent, { timeZone, confirmation }: RenderContext): Fact[] {
  return [
    { label: 'Model', value: modelName(event.model) },
    { label: 'Category', value: event.category === null ? 'not readable' : plain(event.category) },
    { label: 'Change of refusal rate', value: changeOf(event) },
    ...beforeOf(event),
    {
      label: 'Detected',
      value: event.detectedAt === null ? 'not readable' : when(event.detectedAt, timeZone),
    },
    { label: isFinding(event) ? 'Found' : 'Received', value: when(event.receivedAt, timeZone) },
    ...figuresOf(confirmation ?? event),
  ]
}

function beforeOf({ before }: AlertEvent): Fact[] {
  if (before === undefined) return []
  const value = before.delta === null ? 'not readable' : signedPoints(before.delta)
  return [{ label: 'Reported before', value }]
}

/** A new version label was found by its name alone: what it refuses was not compared, and 0 would be a figure. */
function changeOf(event: AlertEvent): string {
  if (event.delta === null) return 'not readable'
  return isFinding(event) && event.figures?.rate === null ? 'none seen' : signedPoints(event.delta)
}

function figuresOf({ figures }: Pick<AlertEvent, 'figures'>): Fact[] {
  if (figures?.state !== 'visible') return []
  return [{ label: 'Published figures', value: plain(figures.sentence ?? 'show this change', 500) }]
}

function linksOf(event: AlertEvent): Link[] {
  return event.methodology === null ? [] : [{ label: 'Methodology', url: event.methodology }]
}

function caveatsOf(event: AlertEvent, context: RenderContext): string[] {
  const isUnseen = event.figures?.state === 'not-yet' && context.other === undefined
  return [
    ...(isUnseen ? ['Not visible in the published figures yet.'] : []),
    ...unrecognisedOf(event, context.service),
  ]
}

function unrecognisedOf(event: AlertEvent, service: string): string[] {
  if (event.unrecognised.length === 0) return []
  const body = event.unrecognised.filter(({ field }) => field === 'body')
  const shown = body.length > 0 && event.type === null ? body : event.unrecognised
  const rows = shown.map((row) => `${row.field} (${plain(row.problem)})`).join(', ')
  return [
    `Not as the ${service} documents its events: ${rows}. Check before you publish.`,
    `As received: ${plain(event.body.text, 500)}`,
  ]
}

function ofNotice(notice: Notice, context: RenderContext): Message {
  const phase = context.isOver === true ? 'over' : notice.phase
  return {
    id: idOf(notice, context),
    thread: `operators/${notice.channel ?? 'bluepencil'}`,
    tone: phase,
    kicker: phase === 'trouble' ? 'Bluepencil needs attention' : 'Bluepencil: resolved',
    headline: plain(notice.title),
    text: [plain(notice.text, 1000), ...(phase === notice.phase ? [] : ['This has been resolved.'])],
    facts: [{ label: 'Noticed', value: when(notice.receivedAt, context.timeZone) }],
    links: [],
    caveats: [],
    source: `From Bluepencil itself, to its operators · ${notice.id}`,
    happenedAt: Date.parse(notice.receivedAt),
  }
}

/**
 * What a channel is told before the alerts that it missed: how many, since when (milliseconds since the epoch), and
 * whether the channel was out or polling was.
 */
export function renderSummary(
  { waiting, since, out }: { waiting: number; since: number; out: 'channel' | 'polling' },
  context: RenderContext,
): Message {
  const from = when(new Date(since).toISOString(), context.timeZone)
  return {
    id: out === 'channel' ? `sum_${since}` : `sum_poll_${since}`,
    thread: 'operators/summary',
    tone: 'neutral',
    kicker: 'Bluepencil is back',
    headline:
      out === 'channel'
        ? `${counted(waiting, 'message')} could not be sent here since ${from}.`
        : `${counted(waiting, 'change was', 'changes were')} missed since ${from}, and found now in the published figures.`,
    text: ['They follow now, oldest first. Each says when its change was detected.'],
    facts: [],
    links: [],
    caveats: [],
    source: 'From Bluepencil itself',
    happenedAt: since,
  }
}

function asTest(message: Message): Message {
  return {
    ...message,
    kicker: `Test · ${message.kicker}`,
    headline: `TEST, not a report: ${message.headline}`,
    caveats: ['This is a test of Bluepencil. Nothing of the sort was reported.', ...message.caveats],
  }
}
