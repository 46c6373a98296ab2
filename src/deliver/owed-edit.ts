import type { Message } from '../channels/message.ts'
import type { Entry } from '../event/event.ts'
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

/** The other way of which a message tells already may be older than what is remembered. */
async function laterOf(
  entry: Entry,
  { alsoTells = [] }: Sent,
  store: Pick<QueueParts['store'], 'find' | 'later'>,
): Promise<Later> {
  const later = await store.later(entry.id)
  if (later.other !== undefined || entry.kind !== 'alert') return later
  for (const told of alsoTells) {
    const other = (await store.find(told))?.entry
    if (other?.kind !== 'alert' || (other.sameAs !== entry.id && entry.sameAs !== told)) continue
    const { revision } = await store.later(told)
    return { ...later, other, ...(revision !== undefined && { otherRevision: revision }) }
  }
  return later
}
