import { type AlertEvent, isFinding, type Said } from '../event/event.ts'
import { plain } from '../text/plain.ts'
import { signedPoints } from './points.ts'

const modelNames: Record<string, string> = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  gemini: 'Gemini',
  mistral: 'Mistral',
  qwen: 'Qwen',
}

/** What the service means by its alerts (interface specification, "Events", 1). */
const types: Record<string, { name: string; meaning: string }> = {
  policy_change: {
    name: 'Policy change',
    meaning:
      'a policy change: the model’s stated policy, or the rules that it is observed to follow, changed',
  },
  censorship_spike: {
    name: 'Censorship spike',
    meaning: 'a censorship spike: a refusal rate rose sharply against its baseline',
  },
}

/** What Bluepencil means by its own findings. */
const findings: Record<string, string> = {
  policy_change: 'a change that stays, or a new version,',
  censorship_spike: 'a step that chance does not explain',
}

export function modelName(model: string | null): string {
  if (model === null) return 'A model that is not named'
  return Object.hasOwn(modelNames, model) ? (modelNames[model] ?? model) : plain(model)
}

export function isKnownModel(model: string): boolean {
  return Object.hasOwn(modelNames, model)
}

function typeName(type: string | null): string {
  return knownType(type)?.name ?? 'Unrecognised event'
}

/** What the message calls it, in small letters above the headline. */
export function kicker(event: AlertEvent): string {
  if (event.before !== undefined && event.revises === undefined)
    return (event.delta ?? 0) > 0 ? 'Rose again' : 'Fell again'
  return isFinding(event) ? 'Seen in the published figures' : typeName(event.type)
}

/** The same change, as it came by the other way: found in the figures, or reported by the service. */
export interface OtherWay {
  id: string
  by: 'figures' | 'service'
  delta: number | null
  figures: AlertEvent['figures']
  /** What was said later in its place. */
  revision?: Revised | undefined
}

/** What a message says of the same change by the other way: "Also seen by polling: 30 % of 500, against …". */
export function otherWay({ id, by, delta, figures }: OtherWay, service: string): string {
  if (by === 'figures') {
    // The message has the figures of its own accord.
    if (figures?.levels !== undefined) return 'Also seen by polling in the published figures.'
    const sentence = figures?.sentence ?? (delta === null ? 'the change' : signedPoints(delta))
    return `Also seen by polling: ${plain(sentence, 500)}.`
  }
  const size = delta === null ? 'size not readable' : signedPoints(delta)
  return `Also reported by the ${service} (${plain(id)}): ${size}.`
}

/** Who says so: the service, its published figures, or both. */
export function sourceOf(
  event: AlertEvent,
  { service, other }: { service: string; other?: OtherWay | undefined },
): string {
  if (other !== undefined) return `Reported by the ${service} and seen in its published figures`
  return isFinding(event)
    ? `Seen by Bluepencil in the figures that the ${service} publishes`
    : `Reported by the ${service}`
}

/** What Bluepencil found by itself: that it was found, how, and that nobody else has said so. */
export function found(event: AlertEvent, service: string, other: OtherWay | undefined): string {
  if (event.revises !== undefined)
    return `Bluepencil withdraws what it had found in the figures that the ${service} publishes: the readings after it do not bear it out.`
  const what = findings[event.type ?? ''] ?? 'a change'
  const alone = other === undefined ? ' The service itself has not reported it.' : ''
  return `Bluepencil found ${what} in the figures that the ${service} publishes.${alone}`
}

/** "The … reports a censorship spike: …", or what can be said of a type that is not documented. */
export function reported(event: AlertEvent, service: string): string {
  const known = knownType(event.type)
  if (known !== undefined) return `The ${service} reports ${known.meaning}.`
  if (event.type === null) return `The ${service} sent an event without a type that can be read.`
  return `The ${service} sent an event of the type “${plain(event.type)}”, which its documentation does not describe.`
}

/** What was said in place of an event later: the service corrects it, or the figures after it do not bear it out. */
export interface Revised extends Said {
  /** ISO 8601, UTC. */
  receivedAt: string
}

/** "Corrected on 21 Nov 2026, 15:05 CET: now reported as +9 percentage points (evt_1~2)." */
export function revised(event: AlertEvent, revision: Revised, { timeZone }: { timeZone: string }): string {
  const at = when(revision.receivedAt, timeZone)
  if (revision.by === 'figures') return `Withdrawn on ${at}: the readings after it do not show this change.`
  const size = revision.delta === null ? 'a change whose size cannot be read' : signedPoints(revision.delta)
  const what = [size, ...differences(revision, event)].join(', ')
  return `Corrected on ${at}: now reported as ${what} (${plain(revision.id)}).`
}

/** What bears a finding out. */
export type Confirmed = Revised & Pick<AlertEvent, 'figures'>

/** "Confirmed on 23 Nov 2026, 15:05 CET by the readings after it: +11 percentage points." */
export function confirmed({ receivedAt, delta }: Confirmed, { timeZone }: { timeZone: string }): string {
  const size = delta === null ? '' : `: ${signedPoints(delta)}`
  return `Confirmed on ${when(receivedAt, timeZone)} by the readings after it${size}.`
}

/** What was said before, in the words of a text: of a step that goes further, or of what is corrected. */
export function earlier(
  event: AlertEvent,
  { service, timeZone }: { service: string; timeZone: string },
): string[] {
  const { before, delta, revises } = event
  if (before === undefined) return []
  const was = before.delta === null ? 'a change whose size could not be read' : signedPoints(before.delta)
  const dated = before.detectedAt === null ? '' : `, detected ${when(before.detectedAt, timeZone)}`
  if (revises !== undefined && isFinding(event)) {
    return [`It had found ${was}${dated}, by one reading (${plain(before.id)}).`]
  }
  if (revises !== undefined) {
    const now = delta === null ? 'a change whose size cannot be read' : signedPoints(delta)
    return [
      `This corrects an earlier report of the ${service} (${plain(before.id)}): ${[was, ...differences(before, event)].join(', ')}${dated}. Now it reports ${now}.`,
    ]
  }
  const first =
    before.by === 'figures'
      ? `${was} had been seen in the published figures (${plain(before.id)})`
      : `the ${service} had reported ${was} (${plain(before.id)})`
  const again = (delta ?? 0) > 0 ? 'rose' : 'fell'
  return [`It ${again} again: now ${signedPoints(delta ?? 0)}. Before, ${first}${dated}.`]
}

/** What else the other report says otherwise. */
function differences(before: Said, { type, model, category }: AlertEvent): string[] {
  return [
    ...(before.model === model ? [] : [modelName(before.model)]),
    ...(before.category === category ? [] : [promptsOf(before.category)]),
    ...(before.type === type ? [] : [typeName(before.type).toLowerCase()]),
  ]
}

/** "21 Nov 2026, 15:05 CET". */
export function when(iso: string, timeZone: string): string {
  return formatOf(timeZone).format(new Date(iso))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes a hundred times as long as using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  })
  formats.set(timeZone, format)
  return format
}

export function promptsOf(category: string | null): string {
  if (category === null || plain(category) === '') return 'prompts of a category that is not named'
  if (category === 'all' || category === 'overall') return 'prompts overall'
  return `${plain(category).toLowerCase()} prompts`
}

function knownType(type: string | null) {
  return type !== null && Object.hasOwn(types, type) ? types[type] : undefined
}
