import type { Channel } from '../channels/channel.ts'
import type { Delivery } from './deliver.ts'
import { owedEdit } from './owed-edit.ts'
import type { QueueParts } from './parts.ts'

interface EditsParts extends Pick<QueueParts, 'store' | 'render' | 'onError'> {
  delivery: Pick<Delivery, 'edit'>
}

/** Finds the messages that do not read as they should, and has them edited. */
export interface Edits {
  /**
   * The messages about the events that this one is about may have to read otherwise; without it, those of the last days:
   * a process that ended may have owed some. What cannot be compared now is compared at the next start.
   */
  compare(by?: string): void
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

  async function compareAll(by: string | undefined): Promise<void> {
    for (const eventId of await parts.store.changed(by)) {
      if (isStopped) return
      await compareOne(eventId).catch((error: unknown) => parts.onError({ eventId, error }))
    }
  }

  return {
    compare(by) {
      if (editable.length === 0 || isStopped) return
      turn = turn.then(() => compareAll(by)).catch((error: unknown) => parts.onError({ error }))
    },
    async stop() {
      isStopped = true
      await turn
    },
  }
}
