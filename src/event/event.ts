import type { Act, Silence } from './act.ts'
import type { PublishedStory } from './desk.ts'
import type { Levels } from './levels.ts'

/** The models that the service monitors (interface specification, "What the service does", 2). */
export const knownModels = ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen'] as const

/** The categories that it reports rates of, and the rate of all prompts ("Endpoints", 1). */
export const knownCategories = ['overall', 'political', 'safety', 'social'] as const

/** The alerts that the service documents ("Events", 1). */
export const knownTypes = ['policy_change', 'censorship_spike'] as const

/** With what Bluepencil finds by itself: the service published another version label for a model. */
export const alertTypes = [...knownTypes, 'version_change'] as const

/** What could not be read as the specification describes it, one row for each field. */
export interface Unrecognised {
  field: 'body' | 'id' | 'type' | 'model' | 'category' | 'delta' | 'detected_at' | 'methodology'
  /** Said to a reader: "missing", "not one of chatgpt, claude, …". */
  problem: string
}

/** What the published figures say of a change. Rates are in percent. */
export interface PublishedFigures {
  /**
   * Whether they show it. `not-yet`: the readings since do not. `not-shown`: there are no readings before and after it, or none
   * of its category. `not-read`: they were not read since, or polling is off.
   */
  state: 'visible' | 'not-yet' | 'not-shown' | 'not-read'
  /** "30% of 500, against 18% over 30 days; 6.7 standard errors". */
  sentence: string | null
  /** The rate since the change, and the prompts behind each reading of it. */
  rate: number | null
  sampleSize: number | null
  /** The rate before it, and over how many days that was. */
  baseline: number | null
  baselineDays: number | null
  standardErrors: number | null
  /** When the reading was taken that decided; ISO 8601, UTC. */
  readAt: string | null
  /** The levels before and after it. Absent if they do not show them, and in what was stored before there were any. */
  levels?: Levels
}

/** Where nothing more is known of them than their state, or their levels. */
export const noFigures: Omit<PublishedFigures, 'state'> = {
  sentence: null,
  rate: null,
  sampleSize: null,
  baseline: null,
  baselineDays: null,
  standardErrors: null,
  readAt: null,
}

/** What was said of a change before, to be shown beside what is said now. */
export interface ReportedAlert {
  id: string
  /** `figures`: found in the published figures. `service`: reported by the service, by webhook or in its list. */
  by: 'figures' | 'service'
  type: string | null
  model: string | null
  category: string | null
  /** Percentage points. */
  delta: number | null
  /** ISO 8601, UTC. */
  detectedAt: string | null
}

/** How a delivery was signed. With its raw body and the secret it can be verified again. */
export interface Evidence {
  /** As they came, by their names in lower case: that of the signature, and what else says where it is from. */
  headers: Record<string, string>
  /** In which form the signature verified. */
  form: { hash: string; encoding: string; key: string }
  /** Which secret: the first 12 hex digits of its SHA-256. */
  secret: string
}

/**
 * One change that the service reported, as far as it could be read. A field that is missing or of another
 * form is `null` and has a row in `unrecognised`; the body as it came is kept beside it, so nothing is lost.
 */
export interface AlertEvent {
  kind: 'alert'
  /**
   * `evt_…` as the service gave it, or `body_` and the SHA-256 of the raw body if it gave none. `poll_…` if
   * Bluepencil found the change in the published figures. `evt_…~2` for the second content under that id (ids.ts).
   */
  id: string
  /** `policy_change`, `censorship_spike`, or as the service wrote it. `version_change`: see `version`. */
  type: string | null
  /** Lower-case model identifier; may be one that is not in `knownModels`. */
  model: string | null
  /** Category of the refusal rate: `political`, `safety`, …; the full list is not specified. */
  category: string | null
  /** Signed change of the refusal rate in percentage points. */
  delta: number | null
  /** When the service saw the change; ISO 8601, UTC. */
  detectedAt: string | null
  /** Address of the published methodology; http or https only. */
  methodology: string | null
  /** How it reached us. */
  source: 'webhook' | 'poll'
  /** Set by polling alone, on what it found in the published figures. */
  found?: true
  /** Of a finding without a change of a rate: the service published another version label. It has neither category nor delta. */
  version?: { from: string; to: string }
  /** What the published figures say of it; null if nothing was asked. */
  figures: PublishedFigures | null
  /** The earlier event about the same change, by its id. */
  sameAs: string | null
  /** Where polling found it when it caught up: since when it had seen nothing; ISO 8601, UTC. */
  missedSince?: string
  /** When it reached us; ISO 8601, UTC. */
  receivedAt: string
  unrecognised: Unrecognised[]
  /**
   * What the service said, as 32 hex digits of a SHA-256: bodies that differ in white space or in the order of keys alone
   * have the same. Absent in what polling found.
   */
  content?: string
  /** The event under whose id the service said something else of the same change before. */
  revises?: string
  /** The finding, by its id, that the readings after it bear out. */
  confirms?: string
  /**
   * If it is part of a story: on each channel, the alert whose message includes it, by its id. An alert that is larger or was sent
   * again has a message of its own, too.
   */
  story?: Record<string, string>
  /** What that event said, or what was said of an earlier and smaller step if this one goes further. */
  before?: ReportedAlert
  /** Of a delivery by webhook. Absent in what was stored before it was kept. */
  evidence?: Evidence
  /** The raw body: as text if it is valid UTF-8, else as base64. */
  body: { encoding: 'utf8' | 'base64'; text: string }
}

/** What a message shows of an alert, without what only proves it. */
export type ShownAlert = Omit<AlertEvent, 'body' | 'content' | 'evidence' | 'methodology'>

/** Whether what the service reported shows readers the same as another event, and so was sent to nobody. */
export function saysNothingNew({ revises, before }: Pick<AlertEvent, 'revises' | 'before'>): boolean {
  return revises !== undefined && before === undefined
}

/**
 * Whether Bluepencil found it in the published figures. The service reported all other events, some in its list of
 * alerts. Older findings have no mark, so their id shows it. At that time an id of this form from outside had a row in
 * `unrecognised`; today it is stored under another id.
 */
export function isFinding({
  source,
  id,
  found,
  unrecognised,
}: Pick<AlertEvent, 'source' | 'id' | 'found' | 'unrecognised'>): boolean {
  if (source !== 'poll') return false
  return found === true || (id.startsWith('poll_') && !unrecognised.some(({ field }) => field === 'id'))
}

/** Something that the people who run Bluepencil need to know. Delivered to the channels under `operators`. */
export interface Notice {
  kind: 'notice'
  /** `ntc_…`, the same for the same trouble and episode, so it is sent once. */
  id: string
  /** `trouble` when it begins, `over` when it ends. */
  phase: 'trouble' | 'over'
  /** The channel that the trouble is about: it gets the notice last. */
  channel: string | null
  title: string
  text: string
  /** The channels that it goes to, by name, if they differ from those under `operators`. */
  to?: string[]
  /** The weekly status report of the channels under `to`: nothing is wrong by it, and nothing is resolved (`phase: over`). */
  status?: true
  /** Of a trouble that lasts: what it is called, and since when (ISO 8601, UTC). The same at its beginning and end. */
  about?: { key: string; since: string }
  /** A process that ended may have sent it without the store. Channels that can search look for it first. */
  uncertain?: true
  receivedAt: string
}

export type Entry = AlertEvent | Notice | Act | Digest

/** One message about several alerts that were held for a channel. */
export interface Digest {
  kind: 'digest'
  /** `dgs_…`, the same for the same channel and wait: it is made once. */
  id: string
  channel: string
  /** What held them: see `Held`. */
  by: string
  /** When the first of them came, and when the wait ended; ISO 8601, UTC. */
  from: string
  until: string
  /** How many changes: an alert and its correction are one. */
  count: number
  /** The ids of all its alerts, oldest first. */
  of: string[]
  /** What it says of them, the largest first: of what was corrected meanwhile, the correction. The first fifty. */
  items: DigestItem[]
  /** Where a silence held them. */
  silence?: Pick<Silence, 'by' | 'why' | 'scope'>
  receivedAt: string
}

/** With the stories that were published about what it corrects or withdraws. */
export interface DigestItem extends ShownAlert {
  published?: readonly PublishedStory[]
}

/** Whether it names others, whose messages may have to read otherwise. Nearly none does, so that nothing is read for most. */
export function isAboutOthers(entry: Entry): boolean {
  if (entry.kind === 'act') return true
  if (entry.kind !== 'alert') return false
  const { sameAs, revises, confirms, story = {} } = entry
  return sameAs !== null || revises !== undefined || confirms !== undefined || Object.keys(story).length > 0
}
