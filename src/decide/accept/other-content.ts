import { saysNoMore, shownOf, wholeOf } from '../../event/content.ts'
import { type AlertEvent, type ShownAlert, saysNothingNew } from '../../event/event.ts'
import { otherContentId } from '../../event/ids.ts'
import type { NearOutcome, RecentAlerts } from '../../store/near.ts'
import type { CommitVerdict, Store } from '../../store/store.ts'
import { reportedAlertOf, sameChangeMs } from './correlate.ts'

/** What came under an id that is known with another content, with the id that it is kept under. */
export type OtherContent =
  /**
   * It differs in nothing that a reader is shown: a counter of deliveries, an address. `isEarlier`: the service corrected that since.
   */
  | { is: 'nothing-new'; event: AlertEvent; as: string; isEarlier: boolean }
  /** The service says otherwise what it said before, to the channels that have that or will have it. */
  | { is: 'correction'; event: AlertEvent; corrects: AffectedMessages }
  /** The service uses the id for something else. */
  | { is: 'another'; event: AlertEvent }

/** The messages that a correction, withdrawal or confirmation is about: `channels` have one or will have one, `sent` have one by now. */
export interface AffectedMessages {
  id: string
  channels: readonly string[]
  sent: readonly string[]
}

interface KeptEvent {
  entry: AlertEvent
  outcomes: Readonly<Record<string, NearOutcome>>
}

/** Contents of one id that count as corrections of each other. If more come, operators are notified. */
const normalContents = 3
/** Contents of one id that are compared. Further ones are events of their own, with a hash in their ids. */
const mostContents = 10

/**
 * Stores other content with a known id under an id of its own: `evt_1~2` is the second content. `commit` stores it, and answers
 * `changed` if another process has just used that id. Within the commit it compares the content with those before it.
 * Undefined if this content was stored before: it is a repeat.
 */
export async function otherContent<T extends { verdict: CommitVerdict }>(
  event: AlertEvent,
  store: Pick<Store, 'find'>,
  commit: (event: AlertEvent, otherAt: (near: RecentAlerts) => OtherContent) => Promise<T>,
): Promise<(Omit<T, 'verdict'> & { verdict: 'new' | 'duplicate'; reused?: ReusedId }) | undefined> {
  const kept: KeptEvent[] = []
  /** With what readers have in place of the first content, if that is what came under another id. */
  const shown: KeptEvent[] = []
  for (let number = 1; number <= mostContents; number += 1) {
    const id = number === 1 ? event.id : otherContentId(event.id, number)
    let stored = await find(store, id)
    if (stored === undefined) {
      const other = judge({ ...event, id }, event.id, shown)
      if (isListedAgain(other)) return undefined
      const { verdict, ...result } = await commit(other.event, asItIs({ ...event, id }, event.id, shown))
      if (verdict !== 'changed') return { ...result, verdict, ...reusedId(event.id, other, kept) }
      stored = await find(store, id)
      // The stored event is gone. A list of the service has another form and cannot be compared, so it counts as a duplicate.
      if (stored === undefined && event.source === 'poll') return undefined
    }
    if (stored?.entry.content === event.content) return undefined
    if (stored === undefined) continue
    const { revises } = stored.entry
    const first = kept.length === 0 && revises !== undefined ? await find(store, revises) : undefined
    if (first !== undefined) shown.push(first)
    kept.push(stored)
    shown.push(stored)
  }
  const id = otherContentId(event.id, event.content ?? '')
  const other = judge({ ...event, id }, event.id, shown)
  if (isListedAgain(other)) return undefined
  const { verdict, ...result } = await commit(other.event, asItIs({ ...event, id }, event.id, shown))
  return verdict === 'changed' ? undefined : { ...result, verdict }
}

export interface ReusedId {
  id: string
  contents: number
  /** What is stored under `id` is what the service had corrected: perhaps a late repeat, perhaps not. */
  isEarlier?: true
}

async function find(store: Pick<Store, 'find'>, id: string): Promise<KeptEvent | undefined> {
  const row = await store.find(id)
  return row?.entry.kind === 'alert' ? { entry: row.entry, outcomes: row.outcomes } : undefined
}

/** What has become of those before it may have changed since they were read. */
function asItIs(
  event: AlertEvent,
  given: string,
  kept: readonly KeptEvent[],
): (near: RecentAlerts) => OtherContent {
  const before = [...kept]
  return (near) =>
    judge(
      event,
      given,
      before.map((one) => ({ ...one, outcomes: near.find(one.entry.id)?.outcomes ?? one.outcomes })),
      near,
    )
}

/** What an event is to those that came before, oldest first, under the id that the service gave it. Pure. */
function judge(
  event: AlertEvent,
  given: string,
  kept: readonly KeptEvent[],
  near?: RecentAlerts,
): OtherContent {
  const related = kept.filter(({ entry }) => isOfOneChange(entry, event))
  const shown = shownOf(event)
  const same = related.find(
    ({ entry }) => shownOf(entry) === shown || (event.source === 'poll' && saysNoMore(event, entry)),
  )
  const sent = related.filter(({ entry }) => !saysNothingNew(entry))
  const last = sent.at(-1)?.entry
  if (same !== undefined) {
    const as = same.entry.id
    const isEarlier = last !== undefined && shownOf(last) !== shownOf(same.entry)
    return { is: 'nothing-new', event: { ...event, revises: as }, as, isEarlier }
  }
  if (last === undefined || kept.length >= mostContents) return another(event, given, kept)
  const corrected = near
    ?.about(last.id)
    .find(({ entry }) => entry.revises === last.id && isSame(entry, event))
  if (corrected !== undefined) {
    const as = corrected.entry.id
    return { is: 'nothing-new', event: { ...event, revises: as }, as, isEarlier: false }
  }
  const correction = { ...event, revises: last.id, before: reportedAlertOf(last) }
  return { is: 'correction', event: correction, corrects: placesOf(last.id, sent, near) }
}

function isSame(one: ShownAlert, event: AlertEvent): boolean {
  const whole = wholeOf(event)
  return whole !== undefined && wholeOf(one) === whole
}

/** A list shows what was delivered, in a form of its own and perhaps less of it: that is no other content. */
function isListedAgain({ is, event }: OtherContent): boolean {
  return is === 'nothing-new' && event.source === 'poll'
}

function another(event: AlertEvent, given: string, kept: readonly KeptEvent[]): OtherContent {
  if (event.id === given) return { is: 'another', event }
  const what = kept.length === 0 ? 'for an event that is no longer stored' : 'for something else'
  const problem = `the service had used ${given} before, ${what}`
  const rows = event.unrecognised.filter(({ field }) => field !== 'id')
  const before = event.unrecognised.find(({ field }) => field === 'id')
  const row = { field: 'id' as const, problem: before ? `${before.problem}; ${problem}` : problem }
  return { is: 'another', event: { ...event, unrecognised: [...rows, row] } }
}

/** The channels that the messages of these events are in, or will be. */
export function placesOf(
  id: string,
  events: readonly Pick<KeptEvent, 'outcomes'>[],
  near?: RecentAlerts,
): AffectedMessages {
  const where = (isSo: (outcome: NearOutcome, channel: string) => boolean) => [
    ...new Set(
      events.flatMap(({ outcomes }) =>
        Object.entries(outcomes).flatMap(([channel, outcome]) => (isSo(outcome, channel) ? [channel] : [])),
      ),
    ),
  ]
  return { id, channels: where(isThere), sent: where((outcome, channel) => isSent(outcome, channel, near)) }
}

/** Readers have it, unless it is part of a message that is held itself. */
function isSent(outcome: NearOutcome, channel: string, near: RecentAlerts | undefined): boolean {
  if (outcome.state !== 'merged') return outcome.state === 'sent'
  return near?.find(outcome.in ?? '')?.outcomes[channel]?.state !== 'held'
}

/** A message of it stands there, or will; or one of the same change does. */
function isThere(outcome: NearOutcome): boolean {
  const { state } = outcome
  if (state === 'not_sent') return outcome.rule === 'same-change'
  return state === 'sent' || state === 'waiting' || state === 'held' || state === 'merged'
}

/**
 * A field that could not be read matches anything. A date that is far off matches only if all else agrees.
 */
function isOfOneChange(one: AlertEvent, other: AlertEvent): boolean {
  if (!mayBeOne(one.model, other.model)) return false
  if (!mayBeOne(one.category?.toLowerCase() ?? null, other.category?.toLowerCase() ?? null)) return false
  if (one.detectedAt === null || other.detectedAt === null) return true
  const apartMs = Math.abs(Date.parse(one.detectedAt) - Date.parse(other.detectedAt))
  return apartMs <= sameChangeMs || (one.delta === other.delta && one.type === other.type)
}

function mayBeOne(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other
}

/** Reports a reused id once, and each return to what was corrected. */
function reusedId(id: string, other: OtherContent, kept: readonly KeptEvent[]): { reused?: ReusedId } {
  const contents = kept.length + 1
  if (other.is === 'nothing-new') {
    return other.isEarlier ? { reused: { id: other.event.id, contents, isEarlier: true } } : {}
  }
  const wasSeen =
    kept.length > normalContents || kept.slice(1).some(({ entry }) => entry.revises === undefined)
  const isSeen = kept.length > 0 && (other.is === 'another' || kept.length === normalContents)
  return isSeen && !wasSeen ? { reused: { id, contents } } : {}
}
