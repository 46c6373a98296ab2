import type { AlertEvent, Entry } from '../event/event.ts'
import type { Outcome, Sent } from '../event/outcome.ts'
import type { Message } from '../message/message.ts'
import type { FollowUps } from '../store/near.ts'
import type { StoredEntry } from '../store/store.ts'
import { isOwed, markedAs } from './edit.ts'
import type { QueueParts } from './parts.ts'

/** What was sent, and what should stand there instead. */
export interface PendingEdit {
  sent: Sent
  wanted: Message
  /** What it was made of. */
  later: FollowUps
}

/** The edit that a channel's message about an event is owed by what is known now; undefined where it is owed none. */
export async function owedEdit(
  { entry, outcomes }: { entry: Entry; outcomes: Readonly<Record<string, Outcome>> },
  channel: string,
  { store, render }: Pick<QueueParts, 'store' | 'render'>,
): Promise<PendingEdit | undefined> {
  // A channel may be called `constructor`.
  const sent = Object.hasOwn(outcomes, channel) ? outcomes[channel] : undefined
  if (sent?.state !== 'sent') return undefined
  const later = await laterOf(entry, sent, store)
  const wanted = markedAs(sent, render({ entry, channel, againAt: sent.againAt, later }))
  return isOwed(sent, wanted) ? { sent, wanted, later } : undefined
}

/** What a message tells of already may be older than what is remembered: it must not be lost by an edit. */
async function laterOf(
  entry: Entry,
  { alsoTells = [] }: Sent,
  store: Pick<QueueParts['store'], 'find' | 'later'>,
): Promise<FollowUps> {
  let later = await store.later(entry.id)
  if (entry.kind !== 'alert') return later
  const known = idsOf(later)
  for (const told of alsoTells.filter((id) => !known.has(id))) {
    const row = await store.find(told)
    if (row !== undefined) later = withTold(later, row, entry)
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
  const ofMembers = members.flatMap((one) => [one.alert, one.other, one.revision, one.confirmation])
  const all = [other, otherRevision, revision, confirmation, ...acts, ...ofMembers]
  return new Set(all.flatMap((one) => one?.id ?? []))
}

/** With what a message tells of, where nothing newer of its kind is known. */
function withTold(
  later: FollowUps,
  { entry: one, outcomes }: Pick<StoredEntry, 'entry' | 'outcomes'>,
  { id, sameAs }: AlertEvent,
): FollowUps {
  if (one.kind === 'act') return { ...later, acts: [one, ...(later.acts ?? [])] }
  if (one.kind !== 'alert') return later
  if (one.sameAs === id || sameAs === one.id) return { ...later, other: later.other ?? one }
  if (Object.values(one.story ?? {}).includes(id)) {
    return { ...later, members: [{ alert: one, outcomes }, ...(later.members ?? [])] }
  }
  const corrected = later.members?.find(({ alert }) => alert.id === one.revises)
  if (corrected !== undefined) {
    const members = later.members?.map((member) =>
      member === corrected ? { ...member, revision: member.revision ?? one } : member,
    )
    return { ...later, ...(members && { members }) }
  }
  if (one.confirms === id) return { ...later, confirmation: later.confirmation ?? one }
  const isOfOther = one.revises !== undefined && later.other?.id === one.revises
  if (isOfOther) return { ...later, otherRevision: later.otherRevision ?? one }
  return one.revises === undefined ? later : { ...later, revision: later.revision ?? one }
}
