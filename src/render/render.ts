import type { Fact, Link, Message } from '../channels/message.ts'
import type { Act } from '../event/act.ts'
import { type AlertEvent, type Entry, isFinding, type Notice } from '../event/event.ts'
import type { Levels } from '../event/levels.ts'
import { counted } from '../text/counted.ts'
import { plain } from '../text/plain.ts'
import { acted } from './acts.ts'
import { ofDigest } from './digest.ts'
import { headline } from './headline.ts'
import { levelCaveats, levelFacts, levelsOf, otherSize } from './levels.ts'
import { signedPoints } from './points.ts'
import {
  type Confirmed,
  confirmed,
  earlier,
  found,
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
  /** Of a notice: it is here only because no channel under `operators` could be reached. */
  isStandIn?: boolean
  /** The same change, as it came by the other way. */
  other?: OtherWay | undefined
  /** What was said later in its place. */
  revision?: Revised | undefined
  /** What bears it out, where it was found by one reading. */
  confirmation?: Confirmed | undefined
  /** People can act at the message, and are heard. */
  isHeard?: boolean
  /** What people did about it, oldest first. */
  acts?: readonly Act[] | undefined
}

/** One neutral message for one channel; knows no provider. */
export function render(entry: Entry, context: RenderContext): Message {
  switch (entry.kind) {
    case 'alert':
      return ofAlert(entry, context)
    case 'notice':
      return ofNotice(entry, context)
    case 'digest':
      return ofDigest(entry, context)
    case 'act':
      throw new Error('what a person did is no message of its own')
  }
}

function ofAlert(event: AlertEvent, context: RenderContext): Message {
  const { delta } = event
  const levels = levelsOf(event, context)
  const id = idOf(event, context)
  const { other, revision, confirmation } = context
  const alsoTells = [other, other?.revision, revision, confirmation].flatMap((one) => one?.id ?? [])
  return {
    id,
    thread: `${plain(event.model ?? 'unknown')}/${plain(event.category ?? 'unknown')}`,
    tone: toneOf(delta, context),
    kicker: kicker(event),
    headline: headline(event, { levels, revision: revision }),
    text: textOf(event, context, levels),
    facts: factsOf(event, context, levels),
    links: linksOf(event),
    caveats: caveatsOf(event, context, levels),
    ...(alsoTells.length > 0 && { alsoTells }),
    ...(context.isHeard === true && { actions: { about: event.id } }),
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
function textOf(event: AlertEvent, context: RenderContext, levels: Levels | undefined): string[] {
  const { service, other, revision, confirmation } = context
  const now = revision === undefined ? [] : [revised(event, revision, context)]
  if (confirmation !== undefined) now.push(confirmed(confirmation, context))
  now.push(...acted(context.acts ?? [], context))
  const first = isFinding(event) ? found(event, service, other) : reported(event, service)
  const more = levels === undefined ? [] : otherSize(event, levels, service)
  if (other !== undefined) more.push(otherWay(other, service))
  if (other?.revision !== undefined) more.push(revised(event, other.revision, context))
  return [...now, first, ...earlier(event, context), ...more]
}

function idOf(entry: Entry, { again }: RenderContext): string {
  return again === undefined ? entry.id : `${entry.id}-again-${Date.parse(again).toString(36)}`
}

function factsOf(event: AlertEvent, context: RenderContext, levels: Levels | undefined): Fact[] {
  const { timeZone, other, confirmation } = context
  return [
    { label: 'Model', value: modelName(event.model) },
    { label: 'Category', value: event.category === null ? 'not readable' : plain(event.category) },
    { label: labelOf(event, levels), value: changeOf(event) },
    ...beforeOf(event),
    ...(levels === undefined ? [] : levelFacts(event, levels, context)),
    {
      label: 'Detected',
      value: event.detectedAt === null ? 'not readable' : when(event.detectedAt, timeZone),
    },
    { label: isFinding(event) ? 'Found' : 'Received', value: when(event.receivedAt, timeZone) },
    ...(levels === undefined ? figuresOf(confirmation ?? event, other) : []),
  ]
}

/** Beside what the published figures show, the service's own figure is named as that. */
function labelOf(event: AlertEvent, levels: Levels | undefined): string {
  return levels === undefined || isFinding(event) ? 'Change of refusal rate' : 'Reported change'
}

function beforeOf({ before }: AlertEvent): Fact[] {
  if (before === undefined) return []
  const value = before.delta === null ? 'not readable' : signedPoints(before.delta)
  return [{ label: before.by === 'figures' ? 'Seen before' : 'Reported before', value }]
}

/** A new version label was found by its name alone: what it refuses was not compared, and 0 would be a figure. */
function changeOf(event: AlertEvent): string {
  if (event.delta === null) return 'not readable'
  return isFinding(event) && event.figures?.rate === null ? 'none seen' : signedPoints(event.delta)
}

function figuresOf(
  { figures, model }: Pick<AlertEvent, 'figures' | 'model'>,
  other: OtherWay | undefined,
): Fact[] {
  if (figures === null || figures.state === 'not-yet' || model === null) return []
  if (figures.state !== 'visible' && other !== undefined) return []
  return [{ label: 'Published figures', value: plain(figures.sentence ?? withoutLevels[figures.state], 500) }]
}

const withoutLevels = {
  visible: 'They show this change, but not the level before and after.',
  'not-shown': 'The published figures do not show the level before and after.',
  'not-read': 'Bluepencil does not read the published figures.',
}

function linksOf(event: AlertEvent): Link[] {
  return event.methodology === null ? [] : [{ label: 'Methodology', url: event.methodology }]
}

function caveatsOf(event: AlertEvent, context: RenderContext, levels: Levels | undefined): string[] {
  const isUnseen = event.figures?.state === 'not-yet' && context.other === undefined
  return [
    ...(levels === undefined ? [] : levelCaveats(event, levels, context)),
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

const standIn = 'This is here because no channel for the people who run Bluepencil could be reached.'

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
    facts: [{ label: 'Noticed', value: when(notice.receivedAt, context.timeZone) }],
    links: [],
    caveats:
      context.isStandIn === true ? [phase === 'trouble' ? `${standIn} Please let them know.` : standIn] : [],
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
    facts: [{ label: 'As of', value: when(notice.receivedAt, context.timeZone) }],
    links: [],
    caveats: [],
    source: `From Bluepencil itself · ${notice.id}`,
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
