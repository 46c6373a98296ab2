import type { AlertEvent, Digest, ReportedAlert, Unrecognised } from '../event/event.ts'
import type { Levels } from '../event/levels.ts'
import type { Language } from './words/phrases.ts'

/**
 * What readers get, before any provider's form. All strings are plain text without control or
 * bidirectional characters; each format escapes them for its provider and cuts what is too long.
 */
export interface Message {
  /** The same on every try, so that a provider can drop a repeat; another one if it is sent again on request. */
  id: string
  /** Groups what belongs together: `claude/political`. Mail readers show one thread for it. */
  thread: string
  /** Of its words, and of those that a format adds; English if there is none. */
  language?: Language
  tone: 'rise' | 'fall' | 'neutral' | 'trouble' | 'over'
  /** "Censorship spike", "Policy change", "Operator notice". */
  kicker: string
  /** One sentence: "Claude refused 30% of political prompts, up from 18%." */
  headline: string
  /** Paragraphs, may be empty. */
  text: string[]
  facts: Fact[]
  links: Link[]
  /** Its page in the console, one of `links`. A message that was sent is not edited for the sake of it alone. */
  page?: string
  /** What the reader should know before printing: "Not as documented: …". */
  caveats: string[]
  /** Whom it rings, as the channel’s configuration names them. An edit or a repeat rings nobody. */
  mentions?: string[]
  /** The figures that it was made of. Absent if there are none: what a channel missed, and the like. */
  about?: MessageSubject
  /** Other events in it, by their ids: about the same change, or what corrects or withdraws it. */
  alsoTells?: string[]
  /** Where somebody listens: what people may do at it. The links then stand beside these. */
  actions?: Actions
  /** Who reported it and under which id, in one line. */
  source: string
  /** When it happened; milliseconds since the epoch. E-mail's Date is the time of sending, not this. */
  happenedAt: number
}

export interface Actions {
  /** The alert that it is about, by its id. */
  about: string
}

export interface Fact {
  label: string
  value: string
}

export interface Link {
  label: string
  /** http or https, parsed and serialised by `URL`. */
  url: string
}

/** What a message is about, in figures: for receivers that are programs. */
export type MessageSubject =
  | AboutAlert
  | AboutDigest
  /** `channel`: the one that the trouble is about. */
  | { kind: 'notice'; id: string; phase: 'trouble' | 'over'; channel: string | null }
  | { kind: 'report'; id: string }
  | { kind: 'test' }

export interface AboutAlert
  extends Pick<
    AlertEvent,
    'id' | 'type' | 'model' | 'category' | 'delta' | 'detectedAt' | 'receivedAt' | 'methodology'
  > {
  /** Of a new version. */
  version?: { from: string; to: string }
  /** A correction or a withdrawal stands in place of another. */
  kind: 'alert' | 'correction' | 'withdrawal'
  /** `figures`: Bluepencil found it in the published figures. */
  reportedBy: ReportedAlert['by']
  /** The levels before and after, if the published figures show them. */
  levels: Levels | null
  /** The earlier report: what it corrects or withdraws, or the smaller step that it goes beyond. */
  before: ReportedAlert | null
  /** The same change by the other way, by the id of that event. */
  alsoReportedAs: string | null
  /** The later report in its place. */
  revisedBy: FollowUp | null
  /** The readings that bear out what was found by one. */
  confirmedBy: FollowUp | null
  unrecognised: Unrecognised[]
  /** The other alerts of its story, which share its message, oldest first. The first fifty. */
  story?: Omit<AboutAlert, 'story'>[]
}

/** What came later about the same change. */
export type FollowUp = ReportedAlert & Pick<AlertEvent, 'receivedAt'>

/** Several alerts that were held, in one message. */
export interface AboutDigest extends Pick<Digest, 'id' | 'of' | 'from' | 'until'> {
  kind: 'digest'
  alerts: AboutAlert[]
}
