import type { Channel } from '../channels/channel.ts'
import type { Delivery } from './deliver.ts'
import { owedEdit } from './owed-edit.ts'
import type { QueueParts } from './parts.ts'

interface EditsParts extends Pick<QueueParts, 'store' | 'renderAgain' | 'onError'> {
  delivery: Pick<Delivery, 'edit'>
}

/** Finds the messages that do not read as they should, and has them edited. */
export interface Edits {
  /** The messages about these events may have to read otherwise. What cannot be compared now is compared at the next start. */
  compare(eventIds: Iterable<string>): void
  /** Resolves when nothing of it asks the store any more. */
  stop(): Promise<void>
}

export function startEdits(channels: readonly Channel[], parts: EditsParts): Edits {
  const editable = channels.filter(({ edit }) => edit !== undefined).map(({ name }) => name)
  /** One after the other: at a start there may be many, and most are read from disk. */
  let turn: Promise<void> = Promise.resolve()
  let isStopped = false

  async function compareOne(eventId: string): Promise<void> {
    const row = await parts.store.find(eventId)
    if (row === undefined) return
    for (const channel of editable) {
      const owed = await owedEdit(row, channel, parts)
      if (owed !== undefined) parts.delivery.edit(channel, eventId)
    }
  }

  async function compareAll(eventIds: readonly string[]): Promise<void> {
    for (const eventId of eventIds) {
      if (isStopped) return
      try {
        await compareOne(eventId)
      } catch (error) {
        parts.onError({ eventId, error })
      }
    }
  }

  return {
    compare(eventIds) {
      const ids = [...eventIds]
      if (editable.length > 0) turn = turn.then(() => compareAll(ids))
    },
    async stop() {
      isStopped = true
      await turn
    },
  }
}
