import type { Act } from '../../event/act.ts'
import { deskOf } from '../../event/desk.ts'
import type { AlertEvent } from '../../event/event.ts'
import { beforeOf, escalationBy, type Held, type Outcome, type RoutingRule } from '../../event/outcome.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import { dayMs } from '../../platform/durations.ts'
import type { FollowUps } from '../../store/near.ts'
import type { HeldNotification, Store, StoredEntry } from '../../store/store.ts'

export interface EscalateParts {
  store: Pick<Store, 'find' | 'later' | 'alter' | 'actsAbout'>
  clock: Pick<Clock, 'now'>
  /** The silence that covers an alert on a channel now, and the quiet hours there. */
  holdsNow(event: AlertEvent, channel: string): { silence: Held | undefined; quiet: Held | undefined }
  wake(channel: string): void
}

/** An alert goes to another channel, which may be late after an outage, but not by so much; milliseconds. */
const latestMs = dayMs

/**
 * An escalation is due: the alert goes to the other channel if nobody has it and it still counts, after the quiet hours there. People have
 * their time from when the first channel has it. The outcome changes in one step, so two processes send it once.
 */
export async function escalateDue(
  { eventId, channel }: HeldNotification,
  parts: EscalateParts,
): Promise<void> {
  const { store, clock } = parts
  const row = await store.find(eventId)
  const watch = row?.outcomes[channel]
  if (row?.entry.kind !== 'alert' || watch?.state !== 'held' || watch.by !== escalationBy) return
  const { entry } = row
  const now = clock.now()
  const later = await store.later(eventId)
  const same = later.other && (await store.find(later.other.id))?.outcomes[channel]
  const { first, messages } = await messagesOf(row, watch.from ?? '', store)
  const acts = await store.actsAbout([...messages, ...(await corrected(entry, store))])
  const next = nextOutcome({ entry, watch, channel, now }, { first, same, later, acts }, parts)
  const isChanged = await store.alter(eventId, channel, (was) =>
    was?.state === 'held' && was.by === escalationBy ? { ...beforeOf(was), ...next } : undefined,
  )
  if (isChanged && next.state === 'waiting') parts.wake(channel)
}

/**
 * What became of its message on a channel, and the entries that its messages on all channels are about: itself, a digest or the first alert
 * of a story. People press a button wherever they read it.
 */
async function messagesOf(
  { entry, outcomes }: StoredEntry,
  channel: string,
  store: Pick<Store, 'find'>,
): Promise<{ first: Outcome | undefined; messages: Iterable<string> }> {
  const messages = new Set([entry.id])
  let first = outcomes[channel]
  for (const name of Object.keys(outcomes)) {
    const passed = new Set([entry.id])
    let outcome = outcomes[name]
    while (outcome?.state === 'merged' && !passed.has(outcome.in)) {
      passed.add(outcome.in)
      messages.add(outcome.in)
      outcome = (await store.find(outcome.in))?.outcomes[name]
    }
    if (name === channel) first = outcome
  }
  return { first, messages }
}

/** The alert that reported the same change first, and what it corrects, one after the other. */
async function corrected(entry: AlertEvent, store: Pick<Store, 'find'>): Promise<string[]> {
  const ids = new Set<string>()
  let link: AlertEvent | undefined = entry
  while (link !== undefined) {
    if (link.sameAs !== null) ids.add(link.sameAs)
    const { revises }: AlertEvent = link
    if (revises === undefined || ids.has(revises)) break
    ids.add(revises)
    const before: StoredEntry['entry'] | undefined = (await store.find(revises))?.entry
    link = before?.kind === 'alert' ? before : undefined
  }
  return [...ids]
}

/** Nobody can have it there, as if it had failed: the channel is gone, or all its readers are. */
const unreached: readonly RoutingRule[] = ['channel-removed', 'unsubscribed']

/** What is known of it otherwise when it is due. */
interface EscalationCircumstances {
  /** What became of the message that shows it on the channel that it would come from. */
  first: Outcome | undefined
  /** What became here of the same change, as it came by the other way. */
  same: Outcome | undefined
  later: FollowUps
  /** What people did about the change, what it corrects, and the message that shows it. */
  acts: readonly Act[]
}

function nextOutcome(
  { entry, watch, channel, now }: { entry: AlertEvent; watch: Held; channel: string; now: number },
  around: EscalationCircumstances,
  { holdsNow }: Pick<EscalateParts, 'holdsNow'>,
): Outcome {
  const { from = '', after = 0 } = watch
  const { first } = around
  const { quiet, silence = holdsNow(entry, from).silence } = holdsNow(entry, channel)
  const isLate = now - Date.parse(watch.until) > latestMs
  const why = isLate ? 'it is more than a day late' : (whyNot(around) ?? silence?.why)
  if (why !== undefined) return { state: 'not_sent', rule: 'not-escalated', why }
  const start = startOf(first, watch, now)
  if (start !== undefined && start + after > now) {
    return { ...watch, since: isoTime(start), until: isoTime(start + after) }
  }
  if (quiet !== undefined) return { ...watch, until: quiet.until, why: `${watch.why}; ${quiet.why}` }
  const isUnsent = first?.state !== 'sent'
  const since = isUnsent || start === undefined ? (watch.since ?? entry.receivedAt) : isoTime(start)
  const reason = isUnsent ? 'it could not be sent to' : 'nobody had acknowledged it in'
  return {
    state: 'waiting',
    dueAt: isoTime(now),
    why: `not tried yet; ${reason} ${from} since ${since}`,
    attempts: 0,
    escalated: { from, since, at: isoTime(now), ...(isUnsent && { isUnsent }) },
  }
}

/** From when on people can acknowledge it there, in milliseconds since the epoch; undefined if nobody knows. */
function startOf(first: Outcome | undefined, { since, after = 0 }: Held, now: number): number | undefined {
  if (first?.state === 'held') return Math.max(now, Date.parse(first.until))
  if (first?.state !== 'sent') return undefined
  const sentAt = Date.parse(first.at)
  if (sentAt <= now + after) return sentAt
  // The clock was set back since: their time begins when that is noticed, and only once.
  return Math.min(now, Date.parse(since ?? first.at))
}

function whyNot({
  first,
  same,
  later: { other, revision, otherRevision },
  acts,
}: EscalationCircumstances): string | undefined {
  const { state, by } = deskOf(acts)
  if (state !== 'new' && by !== undefined) return `${by.name} has it`
  const correction = revision ?? otherRevision
  if (correction !== undefined) return `${correction.id} has replaced it`
  if (first?.state === 'not_sent' && !unreached.includes(first.rule)) return first.why
  const isHere = same !== undefined && same.state !== 'not_sent' && same.state !== 'failed'
  const isWatched = same?.state === 'held' && same.by === escalationBy
  return isHere && !isWatched ? `the same change came here as ${other?.id}` : undefined
}
