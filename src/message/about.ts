import type { Digest } from '../event/digest.ts'
import type { AlertEvent, ReportedAlert, Unrecognised } from '../event/event.ts'
import type { Levels } from '../event/levels.ts'

/** What a message is about, in figures: for receivers that are programs. */
export type MessageSubject =
  | AboutAlert
  | AboutDigest
  | AboutNotice
  | { kind: 'report'; id: string }
  | { kind: 'test' }

export interface AboutAlert
  extends Pick<
    AlertEvent,
    'id' | 'type' | 'model' | 'category' | 'delta' | 'detectedAt' | 'receivedAt' | 'methodology'
  > {
  /** Of a new version. */
  version?: { from: string; to: string }
  /** It stands in place of another: what the service says now, or that a finding is taken back. */
  kind: 'alert' | 'correction' | 'withdrawal'
  /** `figures`: Bluepencil found it in the published figures. */
  reportedBy: ReportedAlert['by']
  /** The levels before and after, where the published figures show them. */
  levels: Levels | null
  /** What was said before: what it corrects or takes back, or the smaller step that it goes beyond. */
  before: ReportedAlert | null
  /** The same change by the other way, by the id of that event. */
  alsoReportedAs: string | null
  /** What was said later in its place: it does not stand any more as it is. */
  revisedBy: FollowUp | null
  /** The readings that bear out what was found by one. */
  confirmedBy: FollowUp | null
  unrecognised: Unrecognised[]
  /** The other alerts of its story, oldest first: its message tells of them too. The first fifty. */
  story?: Omit<AboutAlert, 'story'>[]
}

/** What came later about the same change. */
export type FollowUp = ReportedAlert & Pick<AlertEvent, 'receivedAt'>

/** Several alerts that were held, in one message. */
export interface AboutDigest extends Pick<Digest, 'id' | 'of' | 'from' | 'until'> {
  kind: 'digest'
  alerts: AboutAlert[]
}

export interface AboutNotice {
  kind: 'notice'
  id: string
  phase: 'trouble' | 'over'
  /** The channel that the trouble is about. */
  channel: string | null
}
