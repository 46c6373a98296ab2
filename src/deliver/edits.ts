import type { Channel } from '../channels/channel.ts'
import type { Delivery } from './deliver.ts'
import type { QueueParts } from './parts.ts'
import { owedEdit } from './pending-edit.ts'
import { letUntoldGo } from './untold.ts'

interface EditsParts extends Pick<QueueParts, 'store' | 'clock' | 'render' | 'onEvent'> {
  delivery: Pick<Delivery, 'edit'>
}

/** Finds the messages that do not read as they should, and has them edited. */
export interface Edits {
  /**
   * The messages about the events that this one is about may have to read otherwise; without it, those of the last days:
   * a process that ended may have owed some. What cannot be compared now is compared at the next start.
   */
  compare(by?: string): void
  /** The message about this event was not sent, or cannot be edited: what it was to tell of besides goes out by itself. */
  closed(eventId: string): void
  /** Resolves when nothing of it asks the store any more. */
  stop(): Promise<void>
}

export function startEdits(channels: readonly Channel[], parts: EditsParts): Edits {
  /** One after the other: at a start there may be many, and most are read from disk. */
  let turn: Promise<void> = Promise.resolve()
  let isStopped = false

  async function compareOne(eventId: string): Promise<void> {
    const row = await parts.store.find(eventId)
    if (row === undefined) return
    for (const channel of channels) {
      const canEdit = channel.edit !== undefined
      const owed = canEdit ? await owedEdit(row, channel.name, parts) : undefined
      if (owed === undefined) await letUntoldGo(row, channel, parts)
      else parts.delivery.edit(channel.name, eventId)
    }
  }

  function inTurn(work: () => Promise<void>): void {
    if (isStopped) return
    turn = turn.then(work).catch((error: unknown) => parts.onEvent({ type: 'failed', error }))
  }

  async function compareAll(by: string | undefined): Promise<void> {
    for (const eventId of await parts.store.changed(by)) {
      if (isStopped) return
      await compareOne(eventId).catch((error: unknown) => parts.onEvent({ type: 'failed', eventId, error }))
    }
  }

  return {
    compare: (by) => inTurn(() => compareAll(by)),
    closed: (eventId) => inTurn(() => compareOne(eventId)),
    async stop() {
      isStopped = true
      await turn
    },
  }
}
