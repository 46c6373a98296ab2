import type { Message } from '../channels/message.ts'
import type { Sent } from '../event/outcome.ts'
import type { StoredEntry } from '../store/store.ts'
import { isOwed, markedAs } from './edit.ts'
import type { QueueParts } from './parts.ts'

/** What was sent, and what should stand there instead. */
export interface OwedEdit {
  sent: Sent
  wanted: Message
}

/** The edit that a channel's message about an event is owed by what is known now; undefined where it is owed none. */
export async function owedEdit(
  { entry, outcomes }: StoredEntry,
  channel: string,
  { renderAgain }: Pick<QueueParts, 'renderAgain'>,
): Promise<OwedEdit | undefined> {
  // A channel may be called `constructor`.
  const sent = Object.hasOwn(outcomes, channel) ? outcomes[channel] : undefined
  if (sent?.state !== 'sent') return undefined
  const { againAt, alsoTells = [] } = sent
  const wanted = markedAs(sent, await renderAgain({ entry, channel, againAt }, alsoTells))
  return isOwed(sent, wanted) ? { sent, wanted } : undefined
}
