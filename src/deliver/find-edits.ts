import type { Channel } from '../channels/channel.ts'
import { beforeOf, type Outcome } from '../event/outcome.ts'
import { isoTime } from '../platform/clock.ts'
import type { StoredEntry } from '../store/store.ts'
import type { Delivery } from './deliver.ts'
import { pendingEditOf } from './edit.ts'
import type { QueueParts } from './parts.ts'

interface EditsParts extends Pick<QueueParts, 'store' | 'clock' | 'render' | 'onEvent'> {
  delivery: Pick<Delivery, 'edit'>
}

export type Edits = ReturnType<typeof startEdits>

/** Finds the messages that do not read as they should, and has them edited. */
export function startEdits(channels: readonly Channel[], parts: EditsParts) {
  /** One after the other: at a start there may be many, and most are read from disk. */
  let turn: Promise<void> = Promise.resolve()
  let isStopped = false

  async function compareOne(eventId: string): Promise<void> {
    const row = await parts.store.find(eventId)
    if (row === undefined) return
    for (const channel of channels) {
      const canEdit = channel.edit !== undefined
      const pending = canEdit ? await pendingEditOf(row, channel.name, parts) : undefined
      if (pending === undefined) await releaseStoryMembers(row, channel, parts)
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
    /**
     * The messages about the events that `by` is about may have to be edited. Without `by`, compares those of the last days:
     * a process that ended may have left edits undone. What cannot be compared now is compared at the next start.
     */
    compare: (by?: string) => inTurn(() => compareAll(by)),
    /** The message about this event was not sent, or cannot be edited: the other alerts of its story go out by themselves. */
    closed: (eventId: string) => inTurn(() => compareOne(eventId)),
    /** Resolves when nothing of it asks the store any more. */
    async stop() {
      isStopped = true
      await turn
    },
  }
}

/**
 * Releases the alerts of a story that its message will not show: it cannot be edited, or was not sent after all. They are
 * held until now, and so go out together.
 */
async function releaseStoryMembers(
  { entry, outcomes }: StoredEntry,
  { name: channel, edit }: Pick<Channel, 'name' | 'edit'>,
  { store, clock }: Pick<QueueParts, 'store' | 'clock'>,
): Promise<void> {
  const leader = Object.hasOwn(outcomes, channel) ? outcomes[channel] : undefined
  const shown = shownForGood(leader, edit !== undefined)
  if (shown === undefined) return
  const { members = [] } = await store.later(entry.id)
  const why = `it belongs to the message about ${entry.id}, which ${leader?.state === 'sent' ? 'cannot be edited' : 'was not sent'}`
  for (const { alert, outcomes: those } of members) {
    const stored = Object.hasOwn(those, channel) ? those[channel] : undefined
    if (stored?.state !== 'merged' || stored.in !== entry.id || shown.has(alert.id)) continue
    await store.alter(alert.id, channel, (outcome) =>
      outcome?.state === 'merged' && outcome.in === entry.id
        ? { state: 'held', until: isoTime(clock.now()), by: 'story', why, ...beforeOf(outcome) }
        : undefined,
    )
  }
}

/** The alerts in a message that will show no others; undefined if it may still be edited. */
function shownForGood(leader: Outcome | undefined, canEdit: boolean): ReadonlySet<string> | undefined {
  if (leader?.state === 'failed') return new Set()
  if (leader?.state !== 'sent' || (canEdit && leader.unedited === undefined)) return undefined
  return new Set(leader.alsoTells)
}
