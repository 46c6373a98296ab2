import type { SendResult } from '../channels/channel.ts'
import type { Act } from '../event/act.ts'
import type { AlertEvent, Entry } from '../event/event.ts'
import type { Outcome, Sent } from '../event/outcome.ts'
import type { Message } from '../message/message.ts'
import type { FollowUps } from '../store/near.ts'
import type { StoredEntry } from '../store/store.ts'
import type { QueueParts } from './parts.ts'
import { askedFor, type RetryPolicy } from './policy.ts'
import { asRepeat, messageAsSent, shownHash, withEdit } from './sent-message.ts'

/** Whether what stands in the channel is to be edited to read as `wanted`. Pure. */
export function needsEdit(sent: Sent, wanted: Message): boolean {
  const shows = shownHash(wanted)
  if (sent.shows === shows || (sent.shows === undefined && showsAll(sent, wanted))) return false
  const { unedited } = sent
  return unedited === undefined || unedited.shows !== shows
}

/** If it is uncertain which try's message is there: by the events in it. */
function showsAll({ alsoTells: shown = [] }: Sent, { alsoTells = [] }: Message): boolean {
  return alsoTells.every((id) => shown.includes(id))
}

/** Whether it is the same message that was sent, even if more was noted of it since. */
export function isSameSending(outcome: Outcome | undefined, { at, receipt }: Sent): outcome is Sent {
  return outcome?.state === 'sent' && outcome.at === at && outcome.receipt.text === receipt.text
}

/** What was just sent, with what stands there now. Which of several tries' messages that is, is not always known. */
export function withShownMessage(
  sent: Sent,
  message: Message,
  {
    uncertain,
    canEdit,
    cannotVerifyDelivery,
    picture,
  }: {
    uncertain: boolean
    canEdit: boolean
    cannotVerifyDelivery: boolean
    /** What a picture inside it shows, in words. */
    picture: string | undefined
  },
): Sent {
  // If nobody can be asked, what was sent last has arrived too.
  const unsure = uncertain && !cannotVerifyDelivery
  const kept = messageAsSent(message, { ...(picture && { picture }), ...(unsure && { unsure }) })
  const noted = { ...sent, message: kept }
  if (!canEdit) return { ...noted, ...alsoTellsOf(message) }
  return uncertain ? noted : { ...noted, shows: shownHash(message), ...alsoTellsOf(message) }
}

function alsoTellsOf({ alsoTells = [] }: Message): Pick<Sent, 'alsoTells'> {
  return alsoTells.length === 0 ? {} : { alsoTells }
}

interface EditTry {
  result: SendResult
  sent: Sent
  wanted: Message
  /** Tries before this one. */
  attempts: number
  now: number
}

/**
 * What follows from one try to edit a message: what is noted of it, or when it is tried again, milliseconds since the
 * epoch. It was sent and stays so in any case. Pure.
 */
export function judgeEdit(
  { result, sent, wanted, now, ...before }: EditTry,
  policy: RetryPolicy,
): { outcome: Sent } | { again: { why: string; at: number } } {
  const shows = shownHash(wanted)
  const attempts = before.attempts + 1
  if (result.result === 'sent') {
    const { unedited: _, ...rest } = sent
    const editedAt = new Date(now).toISOString()
    const edits = withEdit(sent, wanted, editedAt)
    return { outcome: { ...rest, shows, ...alsoTellsOf(wanted), ...edits, editedAt } }
  }
  if (result.result !== 'retry' || attempts >= policy.editTries) {
    return { outcome: { ...sent, unedited: { why: result.why, shows } } }
  }
  const requestedMs = askedFor(result.afterMs, policy) ?? 0
  const planned = Math.min(policy.editFirstMs * 2 ** (attempts - 1), policy.editLongestMs)
  return { again: { why: result.why, at: now + Math.max(requestedMs, planned) } }
}

/** What was sent, and what should stand there instead. */
interface PendingEdit {
  sent: Sent
  wanted: Message
  /** What it was made of. */
  later: FollowUps
}

/** The edit that a channel's message about an event needs, by what is stored now; undefined if it needs none. */
export async function pendingEditOf(
  { entry, outcomes }: { entry: Entry; outcomes: Readonly<Record<string, Outcome>> },
  channel: string,
  { store, render }: Pick<QueueParts, 'store' | 'render'>,
): Promise<PendingEdit | undefined> {
  // A channel may be called `constructor`.
  const sent = Object.hasOwn(outcomes, channel) ? outcomes[channel] : undefined
  if (sent?.state !== 'sent') return undefined
  const later = await laterOf(entry, sent, store)
  const message = render({ entry, channel, againAt: sent.againAt, escalated: sent.escalated, later })
  // What was sent as a possible repeat stays marked as one.
  const wanted = (sent.unanswered ?? 0) > 0 ? asRepeat(message) : message
  return needsEdit(sent, wanted) ? { sent, wanted, later } : undefined
}

/** What a message shows already may be older than what is remembered: an edit must not lose it. */
async function laterOf(
  entry: Entry,
  { alsoTells = [] }: Sent,
  store: Pick<QueueParts['store'], 'find' | 'later'>,
): Promise<FollowUps> {
  let later = await store.later(entry.id)
  if (entry.kind !== 'alert') return later
  const remembered = idsOf(later)
  for (const id of alsoTells.filter((shown) => !remembered.has(shown))) {
    const row = await store.find(id)
    if (row !== undefined) later = withShown(later, row, entry)
  }
  if (later.other === undefined || later.otherRevision !== undefined) return later
  const { revision } = await store.later(later.other.id)
  return revision === undefined ? later : { ...later, otherRevision: revision }
}

function idsOf({
  other,
  otherRevision,
  revision,
  confirmation,
  acts = [],
  members = [],
}: FollowUps): Set<string> {
  const ofMembers = members.flatMap(({ alert, ...about }) => [
    alert,
    about.other,
    about.revision,
    about.confirmation,
    ...(about.acts ?? []),
  ])
  const all = [other, otherRevision, revision, confirmation, ...acts, ...ofMembers]
  return new Set(all.flatMap((entry) => entry?.id ?? []))
}

function withAct(later: FollowUps, act: Act): FollowUps {
  const members = later.members?.map((member) =>
    act.about === member.alert.id || act.about === member.other?.id
      ? { ...member, acts: [act, ...(member.acts ?? [])] }
      : member,
  )
  const isOfMember = members?.some((member, index) => member !== later.members?.[index]) === true
  if (isOfMember && members !== undefined) return { ...later, members }
  return { ...later, acts: [act, ...(later.acts ?? [])] }
}

/** With an entry that the message shows, unless a newer one of its kind is remembered. */
function withShown(
  later: FollowUps,
  { entry: shown, outcomes }: Pick<StoredEntry, 'entry' | 'outcomes'>,
  { id, sameAs }: AlertEvent,
): FollowUps {
  if (shown.kind === 'act') return withAct(later, shown)
  if (shown.kind !== 'alert') return later
  if (shown.sameAs === id || sameAs === shown.id) return { ...later, other: later.other ?? shown }
  if (Object.values(shown.story ?? {}).includes(id)) {
    return { ...later, members: [{ alert: shown, outcomes }, ...(later.members ?? [])] }
  }
  const corrected = later.members?.find(({ alert }) => alert.id === shown.revises)
  if (corrected !== undefined) {
    const members = later.members?.map((member) =>
      member === corrected ? { ...member, revision: member.revision ?? shown } : member,
    )
    return { ...later, ...(members && { members }) }
  }
  if (shown.confirms === id) return { ...later, confirmation: later.confirmation ?? shown }
  const isOfOther = shown.revises !== undefined && later.other?.id === shown.revises
  if (isOfOther) return { ...later, otherRevision: later.otherRevision ?? shown }
  return shown.revises === undefined ? later : { ...later, revision: later.revision ?? shown }
}
