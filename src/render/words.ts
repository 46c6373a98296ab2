import { type AlertEvent, isFinding } from '../event/event.ts'
import { plain } from './plain.ts'

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

function typeName(type: string | null): string {
  return knownType(type)?.name ?? 'Unrecognised event'
}

/** What the message calls it, in small letters above the headline. */
export function kicker(event: AlertEvent): string {
  return isFinding(event) ? 'Seen in the published figures' : typeName(event.type)
}

/** The same change, as it came by the other way: found in the figures, or reported by the service. */
export interface OtherWay {
  id: string
  by: 'figures' | 'service'
  delta: number | null
  figures: AlertEvent['figures']
}

/** One line that completes a message: "Also seen by polling: 30 % of 500, against …". */
export function otherWay({ id, by, delta, figures }: OtherWay, service: string): string {
  if (by === 'figures') {
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

/** One sentence that says the change and no more: never a cause, never an intention. */
export function headline(event: AlertEvent): string {
  const model = modelName(event.model)
  const prompts = promptsOf(event.category)
  if (event.delta === null)
    return `${model}: ${typeName(event.type).toLowerCase()} in ${prompts}, size not readable.`
  if (isFinding(event) && event.figures?.rate === null) return `${model} runs as another version.`
  if (event.delta === 0) return `${model} refuses as many ${prompts} as before.`
  return `${model} refuses ${points(Math.abs(event.delta))} ${event.delta > 0 ? 'more' : 'fewer'} ${prompts}.`
}

/** "12 percentage points", "1 percentage point"; a difference of rates is never written with a per cent sign. */
function points(value: number): string {
  return `${number(value)} percentage ${Math.abs(value) === 1 ? 'point' : 'points'}`
}

/** "+12 percentage points", with a real minus sign where it falls. */
export function signedPoints(value: number): string {
  const sign = value > 0 ? '+' : value < 0 ? '−' : ''
  return `${sign}${points(Math.abs(value))}`
}

/** "21 Nov 2026, 15:05 CET". */
export function when(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(new Date(iso))
}

function promptsOf(category: string | null): string {
  if (category === null) return 'prompts (category not readable)'
  if (category === 'all' || category === 'overall') return 'prompts overall'
  return `${plain(category).toLowerCase()} prompts`
}

function knownType(type: string | null) {
  return type !== null && Object.hasOwn(types, type) ? types[type] : undefined
}

function number(value: number): string {
  return new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 }).format(value)
}
