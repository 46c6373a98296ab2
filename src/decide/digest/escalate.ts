import { deskOf } from '../../event/desk.ts'
import type { AlertEvent } from '../../event/event.ts'
import { beforeOf, escalationBy, type Held, type Outcome } from '../../event/outcome.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import { dayMs } from '../../platform/durations.ts'
import type { FollowUps } from '../../store/near.ts'
import type { HeldNotification, Store } from '../../store/store.ts'

export interface EscalateParts {
  store: Pick<Store, 'find' | 'later' | 'alter'>
  clock: Pick<Clock, 'now'>
  /** The silence that covers an alert on a channel now, and the quiet hours there. */
  holdsNow(event: AlertEvent, channel: string): { silence: Held | undefined; quiet: Held | undefined }
  wake(channel: string): void
}

/** An alert goes to another channel, which may be late after an outage, but not by so much; milliseconds. */
const latestMs = dayMs

/**
 * An escalation is due: the alert goes to the other channel if nobody has it and it still counts, after the quiet hours there. The outcome
 * changes in one step, so two processes send it once.
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
  const next = nextOutcome(
    { entry, watch, channel, now },
    { first: row.outcomes[watch.from ?? ''], same, later },
    parts,
  )
  const isChanged = await store.alter(eventId, channel, (was) =>
    was?.state === 'held' && was.by === escalationBy ? { ...beforeOf(was), ...next } : undefined,
  )
  if (isChanged && next.state === 'waiting') parts.wake(channel)
}

/** What is known of it otherwise when it is due. */
interface EscalationCircumstances {
  /** What became of it on the channel that it would come from. */
  first: Outcome | undefined
  /** What became here of the same change, as it came by the other way. */
  same: Outcome | undefined
  later: FollowUps
}

function nextOutcome(
  { entry, watch, channel, now }: { entry: AlertEvent; watch: Held; channel: string; now: number },
  around: EscalationCircumstances,
  { holdsNow }: Pick<EscalateParts, 'holdsNow'>,
): Outcome {
  const { from = '' } = watch
  const { quiet, silence = holdsNow(entry, from).silence } = holdsNow(entry, channel)
  const isOld = now - Date.parse(entry.receivedAt) > latestMs
  const why = isOld ? 'it is more than a day old' : (whyNot(around) ?? silence?.why)
  if (why !== undefined) return { state: 'not_sent', rule: 'not-escalated', why }
  if (quiet !== undefined) return { ...watch, until: quiet.until, why: `${watch.why}; ${quiet.why}` }
  const since = around.first?.state === 'sent' ? around.first.at : entry.receivedAt
  return {
    state: 'waiting',
    dueAt: isoTime(now),
    why: `not tried yet; nobody had acknowledged it in ${from} since ${since}`,
    attempts: 0,
    escalated: { from, since, at: isoTime(now) },
  }
}

function whyNot({
  first,
  same,
  later: { acts = [], other, revision, otherRevision },
}: EscalationCircumstances): string | undefined {
  const { state, by } = deskOf(acts)
  if (state !== 'new' && by !== undefined) return `${by.name} has it`
  const correction = revision ?? otherRevision
  if (correction !== undefined) return `${correction.id} has replaced it`
  if (first?.state === 'merged') return `it is in the message about ${first.in}`
  if (first?.state === 'held' || first?.state === 'not_sent') return first.why
  const isHere = same !== undefined && same.state !== 'not_sent' && same.state !== 'failed'
  const isWatched = same?.state === 'held' && same.by === escalationBy
  return isHere && !isWatched ? `the same change came here as ${other?.id}` : undefined
}
