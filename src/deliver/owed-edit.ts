import type { Message } from '../channels/message.ts'
import type { AlertEvent, Entry } from '../event/event.ts'
import type { Outcome, Sent } from '../event/outcome.ts'
import type { Later } from '../store/near.ts'
import { isOwed, markedAs } from './edit.ts'
import type { QueueParts } from './parts.ts'

/** What was sent, and what should stand there instead. */
export interface OwedEdit {
  sent: Sent
  wanted: Message
}

/** The edit that a channel's message about an event is owed by what is known now; undefined where it is owed none. */
export async function owedEdit(
  { entry, outcomes }: { entry: Entry; outcomes: Readonly<Record<string, Outcome>> },
  channel: string,
  { store, render }: Pick<QueueParts, 'store' | 'render'>,
): Promise<OwedEdit | undefined> {
  // A channel may be called `constructor`.
  const sent = Object.hasOwn(outcomes, channel) ? outcomes[channel] : undefined
  if (sent?.state !== 'sent') return undefined
  const later = await laterOf(entry, sent, store)
  const wanted = markedAs(sent, render({ entry, channel, againAt: sent.againAt, later }))
  return isOwed(sent, wanted) ? { sent, wanted } : undefined
}

/** What a message tells of already may be older than what is remembered: it must not be lost by an edit. */
async function laterOf(
  entry: Entry,
  { alsoTells = [] }: Sent,
  store: Pick<QueueParts['store'], 'find' | 'later'>,
): Promise<Later> {
  let later = await store.later(entry.id)
  if (entry.kind !== 'alert') return later
  for (const told of alsoTells.filter((id) => !isKnown(id, later))) {
    const one = (await store.find(told))?.entry
    if (one !== undefined) later = withTold(later, one, entry)
  }
  if (later.other === undefined || later.otherRevision !== undefined) return later
  const { revision } = await store.later(later.other.id)
  return revision === undefined ? later : { ...later, otherRevision: revision }
}

function isKnown(id: string, { other, otherRevision, revision, confirmation, acts = [] }: Later): boolean {
  return [other, otherRevision, revision, confirmation, ...acts].some((one) => one?.id === id)
}

/** With what a message tells of, where nothing newer of its kind is known. */
function withTold(later: Later, one: Entry, { id, sameAs }: AlertEvent): Later {
  if (one.kind === 'act') return { ...later, acts: [one, ...(later.acts ?? [])] }
  if (one.kind !== 'alert') return later
  if (one.sameAs === id || sameAs === one.id) return { ...later, other: later.other ?? one }
  if (one.confirms === id) return { ...later, confirmation: later.confirmation ?? one }
  const isOfOther = one.revises !== undefined && later.other?.id === one.revises
  if (isOfOther) return { ...later, otherRevision: later.otherRevision ?? one }
  return one.revises === undefined ? later : { ...later, revision: later.revision ?? one }
}
